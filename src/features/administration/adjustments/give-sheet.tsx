// GiveSheet: gives a plan to a member without payments.
import { useState } from 'react'
import { addComplimentary } from '#contract/adjustments/complimentary.ts'
import { MAX_COMPLIMENTARY_YEN } from '#contract/adjustments/limits.ts'
import type { FieldCode } from '#contract/errors.ts'
import { newId } from '#contract/ids.ts'
import { call } from '#src/domain/api/api.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { date, yen } from '#src/lib/format.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { yenOf } from './adjustments.ts'
import { PreviewSheet } from './preview-sheet.tsx'
import { isReason, ReasonField } from './reason-field.tsx'
import { adjustmentsText } from './text.ts'

const words = adjustmentsText.complimentary

interface Plan {
  readonly id: string
  readonly name: string
  readonly price: number
}

interface GiveSheetProps {
  plans: readonly Plan[]
  onClose: () => void
  onDone: () => void
  onUnconfirmed: () => void
}

const nothing = { plan: '', member: '', day: '', amount: '0', reason: '' }
type Values = typeof nothing

export function GiveSheet({ plans, ...rest }: GiveSheetProps) {
  const [id] = useState(newId)
  const [values, setValues] = useState(nothing)
  const [pressed, setPressed] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, FieldCode>>>({})
  const change = (changed: Partial<Values>) => {
    setValues({ ...values, ...changed })
    setRefused({})
  }
  const plan = plans.find((it) => it.id === values.plan)
  const paid = yenOf(values.amount, 0, MAX_COMPLIMENTARY_YEN)
  const problems = problemsOf(values, plan, paid)
  const errorOf = (name: keyof Values, field: string) => {
    const code = refused[field]
    return code ? fieldSentence(code) : pressed ? problems[name] : undefined
  }
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.sheet}
      check={() => {
        setPressed(true)
        return Object.keys(problems).length === 0 && isReason(values.reason)
      }}
      request={(preview) =>
        call(addComplimentary, {
          body: {
            id,
            plan_id: values.plan,
            member: values.member,
            ends_on: values.day,
            paid: paid ?? 0,
            reason: values.reason,
            preview,
          },
        })
      }
      onRefused={setRefused}
      conflict={words.taken}
      facts={[
        [words.plan, plan?.name ?? ''],
        [words.member, values.member],
        [words.day, values.day === '' ? '' : date(Date.parse(`${values.day}T00:00:00+09:00`))],
        [words.amount, yen(paid ?? 0)],
        [adjustmentsText.reason, values.reason],
      ]}
      done={words.done}
    >
      <GiveFields plans={plans} values={values} change={change} errorOf={errorOf} />
      <ReasonField value={values.reason} onChange={(reason) => change({ reason })} pressed={pressed} />
    </PreviewSheet>
  )
}

/** What is missing in the form, by field. */
function problemsOf(
  { member, day }: Values,
  plan: Plan | undefined,
  paid: number | undefined,
): Partial<Record<keyof Values, string>> {
  return {
    ...(plan === undefined && { plan: words.planPick }),
    ...(member.trim() === '' && { member: words.memberRequired }),
    ...(day === '' && { day: adjustmentsText.rates.dayRequired }),
    ...(paid === undefined && { amount: words.amountProblem(yen(MAX_COMPLIMENTARY_YEN)) }),
  }
}

interface GiveFieldsProps {
  plans: readonly Plan[]
  values: Values
  change: (changed: Partial<Values>) => void
  errorOf: (name: keyof Values, field: string) => string | undefined
}

function GiveFields({ plans, values, change, errorOf }: GiveFieldsProps) {
  return (
    <>
      <Field label={words.plan} error={errorOf('plan', 'plan_id')}>
        <Select
          value={values.plan}
          placeholder={words.planPick}
          options={plans.map((it) => ({ value: it.id, label: words.planOption(it.name, yen(it.price)) }))}
          onChange={(event) => change({ plan: event.target.value })}
        />
      </Field>
      <Field label={words.member} hint={words.memberHint} error={errorOf('member', 'member')}>
        <TextInput
          value={values.member}
          autoCapitalize="none"
          onChange={(event) => change({ member: event.target.value })}
        />
      </Field>
      <Field label={words.day} hint={words.dayHint} error={errorOf('day', 'ends_on')}>
        <TextInput type="date" value={values.day} onChange={(event) => change({ day: event.target.value })} />
      </Field>
      <Field label={words.amount} hint={words.amountHint} error={errorOf('amount', 'paid')}>
        <TextInput
          inputMode="numeric"
          value={values.amount}
          onChange={(event) => change({ amount: event.target.value })}
        />
      </Field>
    </>
  )
}
