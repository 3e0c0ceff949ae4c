// RefusedMutations: refused mutations with their reasons, until they are dismissed.
import { CircleAlert } from 'lucide-react'
import { dismissRefused, useRefusedMutations } from '#src/domain/mutations/mutations.ts'
import type { RefusedMutation } from '#src/domain/mutations/shown-mutations.ts'
import { mutationsText as words } from '#src/domain/mutations/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'
import { Button } from '#src/ui/button.tsx'
import { copyText } from '#src/ui/text/copy-text.ts'

/** The text of a refused comment or message, so that its author can copy it. */
const written = ({ mutation }: RefusedMutation): string | undefined => {
  const { content } = (mutation.body ?? {}) as { content?: unknown }
  return typeof content === 'string' && content !== '' ? content : undefined
}

export function RefusedMutations() {
  const refused = useRefusedMutations()
  return refused.map((it) => <Refused key={it.id} it={it} />)
}

function Refused({ it }: { it: RefusedMutation }) {
  const content = written(it)
  return (
    <Banner
      look="error"
      icon={<CircleAlert aria-hidden size={18} />}
      action={
        <span className="flex shrink-0 gap-2">
          {content !== undefined && (
            <Button look="quiet" size="small" onClick={() => void copyText(content, words)}>
              {words.copy}
            </Button>
          )}
          <Button look="quiet" size="small" onClick={() => void dismissRefused(it.id)}>
            {words.close}
          </Button>
        </span>
      }
    >
      {words.refused(it.mutation.name, it.about, it.code)}
      {content !== undefined && (
        <span dir="auto" className="mt-0.5 line-clamp-2 block break-words">
          「{content}」
        </span>
      )}
    </Banner>
  )
}
