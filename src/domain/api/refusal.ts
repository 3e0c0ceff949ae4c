// What was refused about a form, as sentences: by a rule while typing, or by the server after sending.
import { fieldCodes, type FieldCode } from '#contract/errors.ts'
import { ApiFailure, type FailureCode } from './api.ts'
import { errorText, fieldSentence, fieldText, surpriseText } from './errors-text.ts'

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
  readonly fields: Readonly<Record<string, string>>
  readonly whole?: string
}

export const nothingRefused: Refusal = { fields: {} }

/** Which field a code is about, where the server names none. */
export type Places = Partial<Record<FailureCode, string>>

/**
 * Splits a failed call into sentences by field and one for the whole form.
 * @param names the fields the form has: what is said about another one is said about the whole
 */
export function refusalOf(failure: unknown, names: readonly string[], places: Places = {}): Refusal {
  if (!(failure instanceof ApiFailure)) return { fields: {}, whole: surpriseText }
  const place = places[failure.code]
  if (place !== undefined) return { fields: { [place]: errorText[failure.code] } }
  const fields = Object.entries(failure.fields).filter(([name]) => names.includes(name))
  if (fields.length === 0) return { fields: {}, whole: errorText[failure.code] }
  return { fields: Object.fromEntries(fields.map(([name, code]) => [name, fieldText[code]])) }
}

/** The same without what was said about one field: it is being changed. */
export function withoutField(refusal: Refusal, name: string): Refusal {
  if (!(name in refusal.fields)) return refusal
  const { [name]: _, ...fields } = refusal.fields
  return { ...refusal, fields }
}
