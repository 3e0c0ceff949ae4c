// EditSheet: edits the text of a post; unsaved text stays on the device.
import { MAX_CONTENT } from '#contract/limits.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { postText as words } from './text.ts'
import { restoredText, text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Restored } from '#src/ui/states/restored.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useChange } from './use-change.ts'

interface EditSheetProps {
  post: PostView
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function EditSheet({ post, open, onOpenChange }: EditSheetProps) {
  const saved = post.access.is === 'full' ? post.access.content : ''
  const note = useTypedFields(`post.${post.id}`, { content: saved })
  const typed = note.values.content
  const { busy, problem, setProblem, change } = useChange(
    post.id,
    () => {
      note.clear()
      onOpenChange(false)
    },
    ({ fields: { content } }) => content && fieldSentence(content, MAX_CONTENT),
  )
  const wrong = textSentence(typed, MAX_CONTENT)
  const send = () => wrong === undefined && void change({ content: typed })
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={words.editTitle}
      closeLabel={text.close}
      footer={
        <Button
          wide
          busy={busy}
          busyLabel={text.working}
          disabled={typed === saved || wrong !== undefined}
          onClick={send}
        >
          {words.save}
        </Button>
      }
    >
      {note.isRestored && <Restored {...restoredText} onDiscard={note.clear} />}
      <Field
        label={words.content}
        error={wrong ?? problem}
        count={{ now: lengthOf(typed, MAX_CONTENT), max: MAX_CONTENT }}
      >
        <TextArea
          value={typed}
          onChange={(event) => {
            note.change({ content: event.target.value })
            setProblem(undefined)
          }}
          onKeyDown={(event) => {
            const { isComposing, keyCode } = event.nativeEvent
            if (event.key !== 'Enter' || isComposing || keyCode === 229) return
            if ((event.ctrlKey || event.metaKey) && typed !== saved) send()
          }}
          className="min-h-40"
        />
      </Field>
    </Sheet>
  )
}
