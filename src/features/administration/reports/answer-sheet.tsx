// AnswerSheet: upholds a decision, or grants the appeal against it.
import { useState } from 'react'
import { answerAppeal } from '#contract/moderation/cases.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useCaseAction } from './cases.ts'
import { casesText as words } from './text.ts'
import { isSendable, TextWithTemplate } from './text-with-template.tsx'

interface AnswerSheetProps {
  caseId: string
  onClose: () => void
  onUnconfirmed: () => void
}

/** What is typed stays on the device until it is sent. */
export function AnswerSheet({ caseId, onClose, onUnconfirmed }: AnswerSheetProps) {
  const { values, change, clear } = useTypedFields(`appeal.${caseId}`, { answer: 'uphold', text: '' })
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useCaseAction(onUnconfirmed)
  async function send() {
    setPressed(true)
    if (!isSendable(values.text)) return
    const body = { granted: values.answer === 'grant', answer: values.text }
    if ((await perform(answerAppeal, { params: { case_id: caseId }, body }, words.answerSent)) !== 'done')
      return
    clear()
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words.answerTitle}
      closeLabel={text.close}
      footer={
        <Button wide look="seal" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.answer}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="text-sm text-soft">{words.own}</p>
        <Field label={words.outcome}>
          <Select
            value={values.answer}
            options={(['uphold', 'grant'] as const).map((value) => ({ value, label: words.answers[value] }))}
            onChange={(event) => change({ answer: event.target.value })}
          />
        </Field>
        <TextWithTemplate
          use="appeal"
          label={words.answerText}
          hint={words.answerHint}
          value={values.text}
          pressed={pressed}
          onChange={(answer) => change({ text: answer })}
        />
      </div>
    </Sheet>
  )
}
