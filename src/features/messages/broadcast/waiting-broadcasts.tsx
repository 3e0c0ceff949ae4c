// WaitingBroadcasts: broadcasts that the server has not answered yet, and refused ones.
import { CircleAlert, Clock } from 'lucide-react'
import * as v from 'valibot'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import {
  dismissRefused,
  retryRefused,
  useOpenMutations,
  useRefusedMutations,
} from '#src/domain/mutations/mutations.ts'
import type { ShownMutation } from '#src/domain/mutations/shown-mutations.ts'
import { mutationsText } from '#src/domain/mutations/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { broadcastText as words } from './text.ts'

const rowClass = 'border-b border-line px-4 py-3 rail:px-6'
const body = v.fallback(v.object({ content: v.string() }), { content: '' })
const contentOf = ({ mutation }: ShownMutation): string => v.parse(body, mutation.body).content

export function WaitingBroadcasts() {
  const open = useOpenMutations(aboutOf({ name: 'sendBroadcast', params: {} }))
  const refused = useRefusedMutations().filter((it) => it.mutation.name === 'sendBroadcast')
  if (open.length + refused.length === 0) return null
  return (
    <ul className="border-t border-line">
      {refused.map((it) => (
        <li key={it.id} className={rowClass}>
          <Content of={it} />
          <div role="alert" className="mt-2">
            <p className="flex gap-1.5 text-sm text-seal-text">
              <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
              <span>
                {words.failed}
                {errorText[it.code]}
              </span>
            </p>
            <p className="mt-2 flex gap-2">
              <Button look="quiet" size="small" onClick={() => void retryRefused(it)}>
                {words.again}
              </Button>
              <Button look="danger" size="small" onClick={() => void dismissRefused(it.id)}>
                {words.drop}
              </Button>
            </p>
          </div>
        </li>
      ))}
      {open.map((it) => (
        <li key={it.id} className={rowClass}>
          <Content of={it} />
          <output className="mt-2 flex items-center gap-2 text-sm text-soft">
            <Badge icon={<Clock aria-hidden size={12} />}>{words.waiting}</Badge>
            {it.waits && mutationsText.waits[it.waits]}
          </output>
        </li>
      ))}
    </ul>
  )
}

function Content({ of }: { of: ShownMutation }) {
  const content = contentOf(of)
  if (content === '') return <p className="text-soft">{words.post}</p>
  return (
    <p dir="auto" className="line-clamp-3 break-words whitespace-pre-wrap">
      {content}
    </p>
  )
}
