// Who may submit a check: adults with a name, without an open or approved one.
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { maySubmit } from '#server/rules/identity.ts'
import { findOwnInfo } from '#server/store/accounts/own-info.ts'
import { findLatestCheck } from '#server/store/identity/identity.ts'

/** Refuses minors, by the birth date of the account and the server's clock. */
export function requireMinAge(person: { readonly birthDate: string }, now: number): void {
  if (ageOn(person.birthDate, now) < MIN_AGE) throw new ApiError('invalid', { birth_date: 'under_age' })
}

/** Refuses a person whose latest check is open or approved. */
export async function requireNoCurrentCheck({ db }: Deps, userId: string): Promise<void> {
  const latest = await findLatestCheck(db, userId)
  if (!maySubmit(latest?.state)) throw new ApiError('conflict')
}

/** Name and reading, as far as the account has none. A reviewer compares them with the document. */
export async function missingNames(
  { db }: Deps,
  userId: string,
): Promise<('legal_name' | 'legal_name_kana')[]> {
  const info = await findOwnInfo(db, userId)
  return [
    ...(info?.legalName ? [] : ['legal_name' as const]),
    ...(info?.legalNameKana ? [] : ['legal_name_kana' as const]),
  ]
}

/** Refuses a person whose account has no name or no reading. */
export async function requireLegalName(deps: Deps, userId: string): Promise<void> {
  const missing = await missingNames(deps, userId)
  if (missing.length > 0)
    throw new ApiError('invalid', Object.fromEntries(missing.map((it) => [it, 'required'] as const)))
}
