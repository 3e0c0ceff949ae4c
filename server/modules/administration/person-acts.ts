// Acts of staff on a person's sign-in, each audited and announced by email.
import { mayUse } from '#contract/administration/areas.ts'
import { mayActOn } from '#contract/administration/person-parts.ts'
import type { PersonActReason } from '#contract/administration/person-acts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Email } from '#server/rules/email.ts'
import { endSessions } from '#server/services/auth/end-sessions.ts'
import { removePasskeysOf } from '#server/store/accounts/passkeys.ts'
import { removeFactor } from '#server/store/accounts/second-factor.ts'
import { type Acting, lockActing } from '#server/store/staff/staff.ts'

export interface PersonAct {
  readonly by: string
  readonly person: string
  readonly reason: PersonActReason
  readonly ip: string
}

type Unit = Parameters<Parameters<Deps['transaction']>[0]>[0]

/**
 * Locks caller and person, and reads their roles again: the caller may have lost theirs since the request began.
 * @throws ApiError `not_found` for a caller without the area and for a person who does not exist; `forbidden` for the caller
 * themselves and for a person of an equal or higher role
 */
export async function lockPersonFor(unit: Pick<Unit, 'tx'>, by: string, person: string): Promise<Acting> {
  const found = await lockActing(unit.tx, [by, person])
  const [caller, subject] = [found.get(by), found.get(person)]
  if (!caller?.active || !mayUse(caller.role, 'people') || !subject || subject.deleted)
    throw new ApiError('not_found')
  if (by === person || !mayActOn(caller.role, subject.role)) throw new ApiError('forbidden')
  return subject
}

/** What an act does inside its unit of work. @returns how many were ended or removed */
type Work = (unit: Unit) => Promise<number>

async function act(
  { transaction, clock }: Deps,
  { by, person, reason, ip }: PersonAct,
  is: 'end_sessions' | 'remove_passkeys' | 'remove_totp',
  work: Work,
): Promise<{ count: number }> {
  return transaction(async (unit) => {
    const { email, name } = await lockPersonFor(unit, by, person)
    const count = await work(unit)
    const subject = { subjectKind: 'user', subjectId: person } as const
    unit.audit({ actorId: by, act: `person.${is}`, ...subject, detail: { reason, count }, ip })
    const message: Email = { is: 'staff_act', act: is, reason, at: clock() }
    if (count > 0) await unit.email({ email, name }, message)
    return { count }
  })
}

/** Ends every session, closes live connections and forgets devices. */
export const endSessionsOf = (deps: Deps, it: PersonAct): Promise<{ count: number }> =>
  act(deps, it, 'end_sessions', (unit) => endAllSessions(unit, it.person))

export const endAllSessions = (unit: Unit, person: string): Promise<number> =>
  endSessions({ transaction: (work) => work(unit) }, person, { exceptDevice: null })

export const removePasskeysOfPerson = (deps: Deps, it: PersonAct): Promise<{ count: number }> =>
  act(deps, it, 'remove_passkeys', ({ tx }) => removePasskeysOf(tx, it.person))

export const removeFactorOfPerson = (deps: Deps, it: PersonAct): Promise<{ count: number }> =>
  act(deps, it, 'remove_totp', ({ tx }) => removeFactor(tx, it.person))
