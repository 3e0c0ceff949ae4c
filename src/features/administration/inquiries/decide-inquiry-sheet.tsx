// DecideInquirySheet: the outcome of an inquiry, its measure, and the texts to the people concerned.
import { useState } from 'react'
import { decideInquiry, type InquiryDecision, type InquiryView } from '#contract/inquiries/admin-inquiries.ts'
import { outcomeNames } from '#contract/inquiries/names.ts'
import { inquiryOutcomes, outcomesOf } from '#contract/inquiries/states.ts'
import { contentMeasures, contentMeasuresOf, personMeasures } from '#contract/moderation/measures.ts'
import { measureNames } from '#contract/moderation/names.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { text } from '#src/domain/text/text.ts'
import { isSendable, TextWithTemplate } from '#src/features/administration/reports/text-with-template.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useInquiryAction } from './inquiries.ts'
import { inquiriesText as words } from './text.ts'

interface DecideInquirySheetProps {
  inquiry: InquiryView
  onClose: () => void
  onUnconfirmed: () => void
}

const blank = {
  outcome: '',
  toSender: '',
  content: '',
  person: '',
  toAuthor: '',
  toReporters: words.reportersDefault as string,
}
type Values = typeof blank

/** Whether the outcome may come with a measure about the content or its author. */
const mayMeasure = ({ kind, content }: InquiryView, outcome: string): boolean =>
  kind !== 'disclosure' && content?.case_id != null && (outcome === 'removed' || outcome === 'partly')

/** The decision of the filled form; undefined while something is missing. */
function decisionOf(inquiry: InquiryView, values: Values): InquiryDecision | undefined {
  const outcome = outcomesOf[inquiry.kind].find((it) => it === outcomeOf(inquiry, values))
  if (outcome === undefined || !isSendable(values.toSender)) return undefined
  const content = contentMeasures.find((it) => it === values.content) ?? null
  const person = personMeasures.find((it) => it === values.person) ?? null
  const decision = { outcome, text_to_sender: values.toSender, measure: null }
  if (!mayMeasure(inquiry, outcome) || (content === null && person === null)) return decision
  if (!isSendable(values.toAuthor) || !isSendable(values.toReporters)) return undefined
  const texts = { text_to_person: values.toAuthor, text_to_reporters: values.toReporters }
  const seen = inquiry.content?.reports ?? 0
  return { ...decision, measure: { content, person, days: null, ...texts, seen } }
}

const outcomeOf = (inquiry: InquiryView, { outcome }: Values) =>
  inquiryOutcomes.find((it) => it === outcome) ?? outcomesOf[inquiry.kind][0] ?? 'refused'

/** What is typed stays on the device until it is sent. */
export function DecideInquirySheet({ inquiry, onClose, onUnconfirmed }: DecideInquirySheetProps) {
  const { values, change, clear } = useTypedFields(`inquiry.${inquiry.id}`, blank)
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useInquiryAction(onUnconfirmed)
  const outcome = outcomeOf(inquiry, values)
  async function send() {
    setPressed(true)
    const body = decisionOf(inquiry, values)
    if (!body) return
    if (!(await perform(decideInquiry, { params: { inquiry_id: inquiry.id }, body }, words.done))) return
    clear()
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words.decideTitle}
      closeLabel={text.close}
      footer={
        <Button wide look="seal" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.send}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Field label={words.outcome}>
          <Select
            value={outcome}
            options={outcomesOf[inquiry.kind].map((value) => ({ value, label: outcomeNames[value] }))}
            onChange={(event) => change({ outcome: event.target.value })}
          />
        </Field>
        {mayMeasure(inquiry, outcome) && (
          <Measure inquiry={inquiry} values={values} pressed={pressed} change={change} />
        )}
        <TextWithTemplate
          use="sender"
          label={words.toSender}
          hint={words.toSenderHint}
          value={values.toSender}
          pressed={pressed}
          onChange={(toSender) => change({ toSender })}
        />
      </div>
    </Sheet>
  )
}

interface MeasureProps {
  inquiry: InquiryView
  values: Values
  pressed: boolean
  change: (changed: Partial<Values>) => void
}

function Measure({ inquiry: { content }, values, pressed, change }: MeasureProps) {
  const nothing = { value: '', label: words.nothing }
  const kinds = content ? contentMeasuresOf[content.kind] : []
  const acts = values.content !== '' || values.person !== ''
  return (
    <>
      {kinds.length > 0 && (
        <Field label={words.measure}>
          <Select
            value={values.content}
            options={[nothing, ...kinds.map((value) => ({ value, label: measureNames[value] }))]}
            onChange={(event) => change({ content: event.target.value })}
          />
        </Field>
      )}
      {content?.may_measure_person && (
        <Field label={words.person}>
          <Select
            value={values.person}
            options={[nothing, ...personMeasures.map((value) => ({ value, label: measureNames[value] }))]}
            onChange={(event) => change({ person: event.target.value })}
          />
        </Field>
      )}
      {acts && content && content.reports > 1 && (
        <p className="text-sm text-care-text">{words.otherReports(content.reports - 1)}</p>
      )}
      {acts && (
        <>
          <TextWithTemplate
            use="person"
            label={words.toAuthor}
            hint={words.toAuthorHint}
            value={values.toAuthor}
            pressed={pressed}
            onChange={(toAuthor) => change({ toAuthor })}
          />
          <TextWithTemplate
            use="reporters"
            label={words.toReporters}
            hint={words.toReportersHint}
            value={values.toReporters}
            pressed={pressed}
            onChange={(toReporters) => change({ toReporters })}
          />
        </>
      )}
    </>
  )
}
