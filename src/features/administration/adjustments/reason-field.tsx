// ReasonField: why an adjustment is made, which the people it is about read.
import { MAX_ADJUSTMENT_REASON } from '#contract/adjustments/limits.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { adjustmentsText as words } from './text.ts'

interface ReasonFieldProps {
  value: string
  onChange: (value: string) => void
  /** Whether the form was sent, so that an empty field is a problem. */
  pressed: boolean
  hint?: string
}

export const isReason = (value: string): boolean =>
  value.trim() !== '' && lengthOf(value, MAX_ADJUSTMENT_REASON) <= MAX_ADJUSTMENT_REASON

export function ReasonField({ value, onChange, pressed, hint = words.reasonHint }: ReasonFieldProps) {
  const length = lengthOf(value, MAX_ADJUSTMENT_REASON)
  const problem =
    length > MAX_ADJUSTMENT_REASON
      ? fieldSentence('too_long', MAX_ADJUSTMENT_REASON)
      : pressed && value.trim() === ''
        ? words.reasonRequired
        : undefined
  return (
    <Field
      label={words.reason}
      hint={hint}
      error={problem}
      count={{ now: length, max: MAX_ADJUSTMENT_REASON }}
    >
      <TextArea value={value} onChange={(event) => onChange(event.target.value)} className="min-h-24" />
    </Field>
  )
}
