// DecideSheet: what is done about a case, and what its people are told.
import { type CaseView, type Decision, decideCase } from '#contract/moderation/cases.ts'
import {
  contentMeasures,
  contentMeasuresOf,
  measureDays,
  personMeasures,
  timedMeasures,
} from '#contract/moderation/measures.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { reportReasons } from '#contract/posts/reports.ts'
import { useState } from 'react'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useCaseAction } from './cases.ts'
import { casesText as words } from './text.ts'
import { isSendable, TextWithTemplate } from './text-with-template.tsx'

interface DecideSheetProps {
  found: CaseView
  onClose: () => void
  onUnconfirmed: () => void
}

const blank = {
  outcome: 'act',
  rule: '',
  content: '',
  person: '',
  days: '',
  toPerson: '',
  toReporters: '',
}
type Values = typeof blank

/** The decision of the filled form; undefined while something is missing. */
function decisionOf(
  values: Values,
  rule: (typeof reportReasons)[number],
  reports: number,
): Decision | undefined {
  if (values.outcome === 'approve') return { is: 'approve' }
  const text_to_reporters = values.toReporters
  if (reports > 0 && !isSendable(text_to_reporters)) return undefined
  if (values.outcome === 'dismiss') return { is: 'dismiss', text_to_reporters }
  const content = contentMeasures.find((it) => it === values.content) ?? null
  const person = personMeasures.find((it) => it === values.person) ?? null
  if ((content === null && person === null) || !isSendable(values.toPerson)) return undefined
  const days = isTimed(values) ? (measureDays.find((it) => String(it) === values.days) ?? null) : null
  return { is: 'act', rule, content, person, days, text_to_person: values.toPerson, text_to_reporters }
}

const isTimed = ({ person }: Values) => timedMeasures.some((it) => it === person)

/** What is typed stays on the device until it is sent. */
export function DecideSheet({ found, onClose, onUnconfirmed }: DecideSheetProps) {
  const { values, change, clear } = useTypedFields(`case.${found.id}`, blank)
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useCaseAction(onUnconfirmed)
  const rule = reportReasons.find((it) => it === values.rule) ?? found.reasons[0] ?? 'other'

  // What is held without a report is approved; there is no reporter to whom a dismissal would write.
  const outcomes = isUnreported(found) ? (['act', 'approve'] as const) : (['act', 'dismiss'] as const)
  const outcome = outcomes.find((it) => it === values.outcome) ?? 'act'

  async function send() {
    setPressed(true)
    const decision = decisionOf({ ...values, outcome }, rule, found.reports)
    if (!decision) return
    const body = { seen: found.reports, decision }
    if ((await perform(decideCase, { params: { case_id: found.id }, body }, words.done)) !== 'done') return
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
            options={outcomes.map((value) => ({ value, label: words.outcomes[value] }))}
            onChange={(event) => change({ outcome: event.target.value })}
          />
        </Field>
        {outcome === 'approve' && <p className="text-sm text-soft">{words.approveHint}</p>}
        {outcome === 'act' && (
          <Measures found={found} values={values} rule={rule} pressed={pressed} change={change} />
        )}
        {!isUnreported(found) && (
          <TextWithTemplate
            use="reporters"
            label={words.toReporters}
            hint={words.toReportersHint}
            value={values.toReporters}
            pressed={pressed}
            onChange={(toReporters) => change({ toReporters })}
          />
        )}
      </div>
    </Sheet>
  )
}

/** Held, and not reported by anyone. */
const isUnreported = ({ hold, reports }: CaseView): boolean => hold !== null && reports === 0

interface MeasuresProps {
  found: CaseView
  values: Values
  rule: string
  pressed: boolean
  change: (changed: Partial<Values>) => void
}

function Measures({ found, values, rule, pressed, change }: MeasuresProps) {
  const content = contentMeasuresOf[found.kind]
  const missing = pressed && values.content === '' && values.person === '' ? words.needsMeasure : undefined
  const nothing = { value: '', label: words.nothing }
  return (
    <>
      <Field label={words.rule}>
        <Select
          value={rule}
          options={reportReasons.map((value) => ({ value, label: ruleNames[value] }))}
          onChange={(event) => change({ rule: event.target.value })}
        />
      </Field>
      {content.length > 0 && (
        <Field label={words.content} error={missing}>
          <Select
            value={values.content}
            options={[nothing, ...content.map((value) => ({ value, label: measureNames[value] }))]}
            onChange={(event) => change({ content: event.target.value })}
          />
        </Field>
      )}
      {found.may_measure_person ? (
        <Field label={words.person} error={content.length === 0 ? missing : undefined}>
          <Select
            value={values.person}
            options={[nothing, ...personMeasures.map((value) => ({ value, label: measureNames[value] }))]}
            onChange={(event) => change({ person: event.target.value })}
          />
        </Field>
      ) : (
        <p className="text-sm text-soft">{words.personForbidden}</p>
      )}
      {isTimed(values) && (
        <Field label={words.days}>
          <Select
            value={values.days}
            options={[
              { value: '', label: words.forever },
              ...measureDays.map((it) => ({ value: String(it), label: words.daysOf(it) })),
            ]}
            onChange={(event) => change({ days: event.target.value })}
          />
        </Field>
      )}
      <TextWithTemplate
        use="person"
        label={words.toPerson}
        hint={words.toPersonHint}
        value={values.toPerson}
        pressed={pressed}
        onChange={(toPerson) => change({ toPerson })}
      />
    </>
  )
}
