// AppealSheet: the text of an appeal, which stays on the device until it is sent.
import { useState } from 'react'
import type { OwnDecision } from '#contract/moderation/decisions.ts'
import { MAX_APPEAL_TEXT } from '#contract/moderation/measures.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { decisionsText as words } from './decisions-text.ts'
import { useAppeal } from './decisions.ts'

interface AppealSheetProps {
  decisionId: string
  token: string | undefined
  onClose: () => void
  onAppealed: ((decision: OwnDecision) => void) | undefined
}

export function AppealSheet({ decisionId, token, onClose, onAppealed }: AppealSheetProps) {
  const { values, change, clear } = useTypedFields(`decision.${decisionId}`, { text: '' })
  const [pressed, setPressed] = useState(false)
  const { busy, send } = useAppeal(token)
  const length = lengthOf(values.text, MAX_APPEAL_TEXT)
  const missing = pressed && values.text.trim() === '' ? words.required : undefined
  async function submit() {
    setPressed(true)
    if (values.text.trim() === '' || length > MAX_APPEAL_TEXT) return
    const decision = await send(decisionId, values.text)
    if (!decision) return
    clear()
    onAppealed?.(decision)
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words.appealTitle}
      description={words.appealLead}
      closeLabel={text.close}
      footer={
        <Button wide look="seal" busy={busy} busyLabel={text.working} onClick={() => void submit()}>
          {words.send}
        </Button>
      }
    >
      <Field
        label={words.appealField}
        error={length > MAX_APPEAL_TEXT ? fieldSentence('too_long', MAX_APPEAL_TEXT) : missing}
        count={{ now: length, max: MAX_APPEAL_TEXT }}
      >
        <TextArea
          value={values.text}
          onChange={(event) => change({ text: event.target.value })}
          className="min-h-40"
        />
      </Field>
    </Sheet>
  )
}
