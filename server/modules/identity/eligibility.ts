// Who may submit an identity check: adults without an open or approved check.
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { maySubmit } from '#server/rules/identity.ts'
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
