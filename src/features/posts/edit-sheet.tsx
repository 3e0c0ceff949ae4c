// EditSheet: edits the texts of a post; unsaved ones stay on the device.
import type { KeyboardEvent } from 'react'
import { MAX_CONTENT } from '#contract/limits.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { changedFields, useTypedFields } from '#src/domain/drafts/form-note.ts'
import { openTextProblems } from '#src/domain/posts/open-texts.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { postText as words } from './text.ts'
import { restoredText, text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Restored } from '#src/ui/states/restored.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { OpenTextsFields } from './open-texts-fields.tsx'
import { useChange } from './use-change.ts'

interface EditSheetProps {
  post: PostView
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function EditSheet({ post, open, onOpenChange }: EditSheetProps) {
  const { title = '', introduction = '' } = post
  const saved = { content: post.access.is === 'full' ? post.access.content : '', title, introduction }
  const note = useTypedFields(`post.${post.id}`, saved)
  const { content: typed, ...openTexts } = note.values
  const { busy, problem, setProblem, change } = useChange(
    post.id,
    () => {
      note.clear()
      onOpenChange(false)
    },
    ({ fields: { content } }) => content && fieldSentence(content, MAX_CONTENT),
  )
  const wrong = textSentence(typed, MAX_CONTENT)
  const changed = changedFields(note.values, saved)
  const canSend = ![
    Object.keys(changed).length === 0,
    wrong !== undefined,
    Object.keys(openTextProblems(openTexts)).length > 0,
  ].includes(true)
  const send = () => canSend && void change(changed)
  const type = (values: Partial<typeof saved>) => {
    note.change(values)
    setProblem(undefined)
  }
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={words.editTitle}
      closeLabel={text.close}
      footer={
        <Button wide busy={busy} busyLabel={text.working} disabled={!canSend} onClick={send}>
          {words.save}
        </Button>
      }
    >
      {note.isRestored && <Restored {...restoredText} onDiscard={note.clear} />}
      {(post.type !== 1 || title !== '' || introduction !== '') && (
        <OpenTextsFields texts={openTexts} onChange={type} />
      )}
      <Field
        label={words.content}
        error={wrong ?? problem}
        count={{ now: lengthOf(typed, MAX_CONTENT), max: MAX_CONTENT }}
      >
        <TextArea
          value={typed}
          onChange={(event) => type({ content: event.target.value })}
          onKeyDown={(event) => isSendKey(event) && send()}
          className="min-h-40"
        />
      </Field>
    </Sheet>
  )
}

/** Whether Ctrl or ⌘ is pressed with Enter, outside a conversion of kana. */
function isSendKey({ key, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  const { isComposing, keyCode } = nativeEvent
  return key === 'Enter' && !isComposing && keyCode !== 229 && (ctrlKey || metaKey)
}
