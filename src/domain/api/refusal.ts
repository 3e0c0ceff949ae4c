// Sentences for a form's invalid values and for refusals of the server.
import { fieldCodes, type FieldCode } from '#contract/errors.ts'
import { ApiFailure, type FailureCode } from './api.ts'
import { errorText, fieldSentence, fieldText, unexpectedErrorText } from './errors-text.ts'

const isFieldCode = (message: unknown): message is FieldCode => fieldCodes.some((code) => code === message)

/** The sentence for a validation issue. An issue without a field code is reported as malformed. */
export function issueText(issue: unknown): string | undefined {
  if (issue === undefined || issue === null) return undefined
  const { input, message, requirement } = issue as Partial<
    Record<'input' | 'message' | 'requirement', unknown>
  >
  if (message === 'account_name' && typeof input === 'string' && requirement instanceof RegExp) {
    // A line break or another sign that is not seen cannot be named.
    const wrong = Array.from(input).find((it) => !requirement.test(it) && /[^\s\p{C}]/u.test(it))
    return wrong === undefined ? fieldText[message] : `「${wrong}」は使えません。${fieldText[message]}`
  }
  const bound = typeof requirement === 'number' ? requirement : undefined
  return fieldSentence(isFieldCode(message) ? message : 'malformed', bound)
}

/** Sentences about a refused form: by field, and one for the whole form. */
export interface Refusal {
  readonly fields: Readonly<Record<string, string>>
  readonly whole?: string
}

export const noRefusal: Refusal = { fields: {} }

/** The field of a code for which the server names no field. */
export type FieldsByCode = Partial<Record<FailureCode, string>>

/**
 * Splits a failed call into sentences by field and one for the whole form.
 * @param names the form's fields; a refusal of any other field is shown for the whole form
 */
export function refusalOf(
  failure: unknown,
  names: readonly string[],
  fieldsByCode: FieldsByCode = {},
): Refusal {
  if (!(failure instanceof ApiFailure)) return { fields: {}, whole: unexpectedErrorText }
  const fieldName = fieldsByCode[failure.code]
  if (fieldName !== undefined) return { fields: { [fieldName]: errorText[failure.code] } }
  const fields = Object.entries(failure.fields).filter(([name]) => names.includes(name))
  if (fields.length === 0) return { fields: {}, whole: errorText[failure.code] }
  return { fields: Object.fromEntries(fields.map(([name, code]) => [name, fieldText[code]])) }
}

/** The refusal without the sentence of a field, which is being changed. */
export function withoutField(refusal: Refusal, name: string): Refusal {
  if (!(name in refusal.fields)) return refusal
  const { [name]: _, ...fields } = refusal.fields
  return { ...refusal, fields }
}
