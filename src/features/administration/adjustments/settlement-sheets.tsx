// Sheets of settlements: recording a transfer of the provider, and reversing one.
import { useState } from 'react'
import {
  MAX_SETTLEMENT_FEE,
  MAX_SETTLEMENT_REFERENCE,
  MAX_SETTLEMENT_YEN,
} from '#contract/adjustments/limits.ts'
import {
  addSettlement,
  reverseSettlement,
  type SettledReply,
  type SettlementView,
} from '#contract/adjustments/settlements.ts'
import type { FieldCode } from '#contract/errors.ts'
import { newId } from '#contract/ids.ts'
import { textProblem } from '#contract/text/text-rule.ts'
import { call } from '#src/domain/api/api.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { date, yen } from '#src/lib/format.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { yenOf } from './adjustments.ts'
import { PreviewSheet, type PreviewSheetProps } from './preview-sheet.tsx'
import { isReason, ReasonField } from './reason-field.tsx'
import { settlementsText } from './settlements-text.ts'
import { adjustmentsText } from './text.ts'

type SheetProps = Pick<PreviewSheetProps, 'onClose' | 'onDone' | 'onUnconfirmed'>

export const dayText = (day: string) => date(Date.parse(`${day}T00:00:00+09:00`))

interface Days {
  readonly first: string
  readonly last: string
}

type RecordSheetProps = SheetProps & {
  days: Days
  /** Settlements that are recorded, newest first. */
  known: readonly SettlementView[]
}

const nothing = { day: '', received: '', fee: '0', reference: '' }
type Values = typeof nothing

export function RecordSheet({ days, known, ...rest }: RecordSheetProps) {
  const words = settlementsText.sheet
  // The same id for each try, so that a lost reply leaves one settlement.
  const [id] = useState(newId)
  const [latest] = useState(known[0]?.id ?? null)
  const [values, setValues] = useState(nothing)
  const [pressed, setPressed] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, FieldCode>>>({})
  const [after, setAfter] = useState(0)
  const { day, reference } = values
  const received = yenOf(values.received, 1, MAX_SETTLEMENT_YEN)
  const fee = yenOf(values.fee, 0, MAX_SETTLEMENT_FEE)
  const problems = problemsOf(values, days)
  const isTwice = known.some((it) => it.reversal === null && it.day === day && it.received === received)
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.title}
      check={() => {
        setPressed(true)
        return Object.keys(problems).length === 0
      }}
      request={async (preview) => {
        const body = { id, day, received: received ?? 0, fee: fee ?? 0, reference, latest, preview }
        return withBalance(await call(addSettlement, { body }), setAfter)
      }}
      onRefused={setRefused}
      conflict={words.conflict}
      lead={words.lead}
      warnings={[...(after < 0 ? [words.warnNegative] : []), ...(isTwice ? [words.warnTwice] : [])]}
      facts={[
        [words.day, day === '' ? '' : dayText(day)],
        [words.received, yen(received ?? 0)],
        [words.fee, yen(fee ?? 0)],
        [settlementsText.reference, reference.trim() === '' ? words.referenceNone : reference],
        [words.after, yen(after)],
      ]}
      done={words.done}
    >
      <RecordFields
        values={values}
        days={days}
        change={(changed) => {
          setValues({ ...values, ...changed })
          setRefused({})
        }}
        errorOf={(name) => {
          const code = refused[name]
          if (code && name !== 'day') return fieldSentence(code, MAX_SETTLEMENT_REFERENCE)
          if (code) return words.dayProblem(dayText(days.first), dayText(days.last))
          return pressed ? problems[name] : undefined
        }}
      />
    </PreviewSheet>
  )
}

/** Passes on what the provider owes after an adjustment. */
function withBalance(reply: SettledReply, onBalance: (balance: number) => void): SettledReply {
  onBalance(reply.balance)
  return reply
}

/** What is wrong in the form, by field. */
function problemsOf(
  { day, received, fee, reference }: Values,
  { first, last }: Days,
): Partial<Record<keyof Values, string>> {
  const words = settlementsText.sheet
  const code = textProblem(reference.trim(), { max: MAX_SETTLEMENT_REFERENCE, shape: 'name' })
  return {
    ...((day < first || day > last) && { day: words.dayProblem(dayText(first), dayText(last)) }),
    ...(yenOf(received, 1, MAX_SETTLEMENT_YEN) === undefined && {
      received: words.receivedProblem(yen(MAX_SETTLEMENT_YEN)),
    }),
    ...(yenOf(fee, 0, MAX_SETTLEMENT_FEE) === undefined && {
      fee: words.feeProblem(yen(MAX_SETTLEMENT_FEE)),
    }),
    ...(code && { reference: fieldSentence(code, MAX_SETTLEMENT_REFERENCE) }),
  }
}

interface RecordFieldsProps {
  values: Values
  days: Days
  change: (changed: Partial<Values>) => void
  errorOf: (name: keyof Values) => string | undefined
}

function RecordFields({ values, days, change, errorOf }: RecordFieldsProps) {
  const words = settlementsText.sheet
  return (
    <>
      <Field label={words.day} hint={words.dayHint} error={errorOf('day')}>
        <TextInput
          type="date"
          min={days.first}
          max={days.last}
          value={values.day}
          onChange={(event) => change({ day: event.target.value })}
        />
      </Field>
      <Field label={words.received} hint={words.receivedHint} error={errorOf('received')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={values.received}
          onChange={(event) => change({ received: event.target.value })}
        />
      </Field>
      <Field label={words.fee} hint={words.feeHint} error={errorOf('fee')}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={values.fee}
          onChange={(event) => change({ fee: event.target.value })}
        />
      </Field>
      <Field label={words.reference} error={errorOf('reference')}>
        <TextInput
          autoComplete="off"
          value={values.reference}
          onChange={(event) => change({ reference: event.target.value })}
        />
      </Field>
    </>
  )
}

type ReverseSheetProps = SheetProps & {
  settlement: SettlementView
  /** The settlement in words. */
  row: string
}

export function ReverseSheet({ settlement, row, ...rest }: ReverseSheetProps) {
  const words = settlementsText.reverse
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const [after, setAfter] = useState(0)
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.title}
      check={() => {
        setPressed(true)
        return isReason(reason)
      }}
      request={async (preview) => {
        const params = { settlement_id: settlement.id }
        return withBalance(await call(reverseSettlement, { params, body: { reason, preview } }), setAfter)
      }}
      conflict={words.conflict}
      lead={words.lead}
      facts={[
        [settlementsText.list, row],
        [adjustmentsText.reason, reason],
        [words.after, yen(after)],
      ]}
      done={words.done}
    >
      <p className="text-soft">{words.text}</p>
      <p className="font-semibold tabular-nums">{row}</p>
      <ReasonField value={reason} onChange={setReason} pressed={pressed} hint={words.reasonHint} />
    </PreviewSheet>
  )
}
