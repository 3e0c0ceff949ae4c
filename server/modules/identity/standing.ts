// Who may send an identity check: adults, whose last check, if any, was rejected.
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { maySubmit } from '#server/rules/identity.ts'
import { findLatestCheck } from '#server/store/identity/identity.ts'

/** By the birth date of the account and the server's clock. */
export function mustBeOfAge(person: { readonly birthDate: string }, now: number): void {
  if (ageOn(person.birthDate, now) < MIN_AGE) throw new ApiError('invalid', { birth_date: 'under_age' })
}

export async function mustBeFree({ db }: Deps, userId: string): Promise<void> {
  const latest = await findLatestCheck(db, userId)
  if (!maySubmit(latest?.state)) throw new ApiError('conflict')
}
