// PublishButton: submits the draft, from the header.
import { publishText } from '#src/features/publish/text.ts'
import { isEmpty } from '#device/drafts/drafts.ts'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import type { OpenEditor } from './use-editor.ts'
import { text } from '#src/domain/text/text.ts'

interface PublishButtonProps {
  open: OpenEditor | undefined
  onSubmitted: () => void
}

const words = publishText

export function PublishButton({ open, onSubmitted }: PublishButtonProps) {
  async function publish({ editor }: OpenEditor) {
    const end = await editor.submit()
    if (end.is === 'submitted') onSubmitted()
    if (end.is === 'unsent' && end.why === 'failed') toast(words.unsent.failed, 'error')
    if (end.is === 'problems') toast(words.notYet, 'warning')
  }
  return (
    <Button
      look="seal"
      size="pill"
      disabled={!open || isEmpty(open.state.draft)}
      busy={open !== undefined && (open.state.submitting || open.state.draft.submitWhenReady)}
      busyLabel={text.working}
      onClick={() => open && void publish(open)}
    >
      {words.title}
    </Button>
  )
}
