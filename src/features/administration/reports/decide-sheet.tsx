// DecideSheet: what is done about a case, and the texts to the people concerned.
import { type CaseView, type Decision, decideCase } from '#contract/moderation/cases.ts'
import {
  contentMeasures,
  contentMeasuresOf,
  MAX_CASE_NOTE,
  measureDays,
  personMeasures,
  timedMeasures,
} from '#contract/moderation/measures.ts'
import { measureNames, ruleNames } from '#contract/moderation/names.ts'
import { reportReasons } from '#contract/posts/reports.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { useState } from 'react'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { useCaseAction } from './cases.ts'
import { casesText as words } from './text.ts'
import { isSendable, TextWithTemplate } from './text-with-template.tsx'

interface DecideSheetProps {
  found: CaseView
  onClose: () => void
  onUnconfirmed: () => void
  title?: string
  /** Called after the decision, in place of `onClose`. */
  onDone?: () => void
}

const blank = {
  outcome: 'act',
  rule: '',
  content: '',
  person: '',
  days: '',
  toPerson: '',
  toReporters: '',
  note: '',
}
type Values = typeof blank
type Outcome = 'act' | 'approve' | 'dismiss'

/** The decision of the filled form; undefined while something is missing. */
function decisionOf(
  values: Values,
  rule: (typeof reportReasons)[number] | undefined,
  reports: number,
): Decision | undefined {
  if (values.outcome === 'approve') return { is: 'approve' }
  const text_to_reporters = values.toReporters
  if (reports > 0 && !isSendable(text_to_reporters)) return undefined
  if (values.outcome === 'dismiss') return { is: 'dismiss', text_to_reporters }
  const content = contentMeasures.find((it) => it === values.content) ?? null
  const person = personMeasures.find((it) => it === values.person) ?? null
  if ((content === null && person === null) || !isSendable(values.toPerson)) return undefined
  if (rule === undefined) return undefined
  const days = isTimed(values) ? (measureDays.find((it) => String(it) === values.days) ?? null) : null
  return { is: 'act', rule, content, person, days, text_to_person: values.toPerson, text_to_reporters }
}

const isTimed = ({ person }: Values) => timedMeasures.some((it) => it === person)

/** What is typed stays on the device until it is sent. */
export function DecideSheet({
  found,
  onClose,
  onUnconfirmed,
  title = words.decideTitle,
  onDone = onClose,
}: DecideSheetProps) {
  // Of the thing: a case that staff opened and left is another one when it is opened again.
  const { values, change, clear } = useTypedFields(`case.${found.kind}.${found.target_id}`, blank)
  const [pressed, setPressed] = useState(false)
  const { busy, perform } = useCaseAction(onUnconfirmed)
  const rule = reportReasons.find((it) => it === values.rule) ?? found.reasons[0] ?? ofHold(found)
  const outcomes = outcomesOf(found)
  const outcome = outcomes.find((it) => it === values.outcome) ?? 'act'

  async function send() {
    setPressed(true)
    const decision = decisionOf({ ...values, outcome }, rule, found.reports)
    if (!decision || lengthOf(values.note, MAX_CASE_NOTE) > MAX_CASE_NOTE) return
    const body = { seen: found.reports, decision, note: values.note }
    if ((await perform(decideCase, { params: { case_id: found.id }, body }, words.done)) !== 'done') return
    clear()
    onDone()
  }

  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={title}
      closeLabel={text.close}
      footer={
        <Button wide look="seal" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.send}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Outcome outcomes={outcomes} value={outcome} onChange={(next) => change({ outcome: next })} />
        {outcome === 'approve' && <p className="text-sm text-soft">{words.approveHint}</p>}
        {outcome === 'act' && (
          <Measures found={found} values={values} rule={rule} pressed={pressed} change={change} />
        )}
        {found.reports > 0 && (
          <TextWithTemplate
            use="reporters"
            label={words.toReporters}
            hint={words.toReportersHint}
            value={values.toReporters}
            pressed={pressed}
            onChange={(toReporters) => change({ toReporters })}
          />
        )}
        <Note value={values.note} onChange={(note) => change({ note })} />
      </div>
    </Sheet>
  )
}

interface OutcomeProps {
  outcomes: readonly Outcome[]
  value: Outcome
  onChange: (value: string) => void
}

function Outcome({ outcomes, value, onChange }: OutcomeProps) {
  if (outcomes.length === 1) return null
  return (
    <Field label={words.outcome}>
      <Select
        value={value}
        options={outcomes.map((it) => ({ value: it, label: words.outcomes[it] }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

function Note({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const length = lengthOf(value, MAX_CASE_NOTE)
  return (
    <Field
      label={words.note}
      hint={words.noteHint}
      error={length > MAX_CASE_NOTE ? fieldSentence('too_long', MAX_CASE_NOTE) : undefined}
      count={{ now: length, max: MAX_CASE_NOTE }}
    >
      <TextArea value={value} onChange={(event) => onChange(event.target.value)} />
    </Field>
  )
}

const ofHold = ({ hold }: CaseView) => (hold === null ? undefined : 'other')

/** What is held without a report is approved; without a report there is no one to whom a dismissal would write. */
function outcomesOf({ hold, reports }: CaseView): readonly Outcome[] {
  if (reports > 0) return ['act', 'dismiss']
  return hold?.state === 'open' ? ['act', 'approve'] : ['act']
}

interface MeasuresProps {
  found: CaseView
  values: Values
  rule: string | undefined
  pressed: boolean
  change: (changed: Partial<Values>) => void
}

function Measures({ found, values, rule, pressed, change }: MeasuresProps) {
  const content = contentMeasuresOf[found.kind]
  const missing = pressed && values.content === '' && values.person === '' ? words.needsMeasure : undefined
  const nothing = { value: '', label: words.nothing }
  return (
    <>
      <Field label={words.rule} error={pressed && rule === undefined ? words.required : undefined}>
        <Select
          value={rule ?? ''}
          placeholder={words.pickRule}
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
