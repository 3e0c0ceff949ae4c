// Forms: checks run on every change and on submit; a refusal of the server lands on its field.
import { useState, type ChangeEvent } from 'react'
import { fieldCodes, type FieldCode } from '#contract/errors.ts'
import { ApiFailure } from './api.ts'
import { errorText, fieldSentence, fieldText } from './text-errors.ts'

const isFieldCode = (message: unknown): message is FieldCode => fieldCodes.some((code) => code === message)

/** The sentence for a schema's complaint. Complaints without a code of ours are about the form of the value. */
export function complaint(issue: unknown): string | undefined {
  if (issue === undefined || issue === null) return undefined
  const { message, requirement } = issue as { message?: unknown; requirement?: unknown }
  const bound = typeof requirement === 'number' ? requirement : undefined
  return fieldSentence(isFieldCode(message) ? message : 'malformed', bound)
}

/** What was refused about a submission: sentences by field, and one for the whole form. */
export interface Refusal {
  fields: Readonly<Record<string, string>>
  whole?: string
}

/** Splits a failed call into sentences by field and one for the whole. A surprise is thrown on. */
export function refusalOf(failure: unknown): Refusal {
  if (!(failure instanceof ApiFailure)) throw failure
  const fields = Object.entries(failure.fields).map(([name, code]) => [name, fieldText[code]] as const)
  return fields.length > 0
    ? { fields: Object.fromEntries(fields) }
    : { fields: {}, whole: errorText[failure.code] }
}

/** What the server said about the last submission, until the field it was said about is changed. */
export function useRefusal() {
  const [said, setSaid] = useState<Refusal>({ fields: {} })
  return {
    whole: said.whole,
    of: (field: string) => said.fields[field],
    take: (failure: unknown) => setSaid(refusalOf(failure)),
    say: (whole: string) => setSaid({ fields: {}, whole }),
    clear: () => setSaid({ fields: {} }),
    changed: (field: string) =>
      setSaid(({ fields }) => ({
        fields: Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field)),
      })),
  }
}

interface AnyField {
  name: string
  state: { meta: { errors: readonly unknown[]; isBlurred: boolean } }
  form: { state: { submissionAttempts: number } }
}

interface TextField extends AnyField {
  state: AnyField['state'] & { value: string }
  handleBlur: () => void
  handleChange: (value: string) => void
}

type UsedRefusal = ReturnType<typeof useRefusal>

/** A field's first complaint, shown once the person has left the field or pressed the button. */
export function errorOf(field: AnyField, refusal: UsedRefusal): string | undefined {
  const { errors, isBlurred } = field.state.meta
  const shown = isBlurred || field.form.state.submissionAttempts > 0
  return refusal.of(field.name) ?? (shown ? complaint(errors[0]) : undefined)
}

/** Ties a text control to its field. */
export function inputOf(field: TextField, refusal: UsedRefusal) {
  return {
    name: field.name,
    value: field.state.value,
    onBlur: field.handleBlur,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      refusal.changed(field.name)
      field.handleChange(event.target.value)
    },
  }
}

/** Submits, and puts the caret where something is wrong. */
export async function submit(form: { handleSubmit: () => Promise<void> }, element: HTMLFormElement) {
  await form.handleSubmit()
  requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
