// What staff of a role see of one person.
import { maySee } from '#contract/administration/person-parts.ts'
import type { FoundPerson, PersonPage } from '#contract/administration/people.ts'
import { facePath } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { maskedEmail } from '#server/rules/masked-email.ts'
import { sessionView } from '#server/services/auth/account-views.ts'
import { countPasskeys } from '#server/store/accounts/passkeys.ts'
import { newestRecovery, recoveryState } from '#server/store/accounts/recoveries.ts'
import { countRecoveryCodes, findSecondFactor } from '#server/store/accounts/second-factor.ts'
import { listSessions } from '#server/store/accounts/sessions.ts'
import type { Db } from '#server/store/database.ts'
import { listEntries } from '#server/store/audit/entries.ts'
import { findLatestCheck } from '#server/store/identity/identity.ts'
import { findUser } from '#server/store/people/people.ts'
import { findForStaff, type StaffFound } from '#server/store/staff/find-people.ts'
import { activityOf, moneyOf } from '#server/store/staff/person-facts.ts'
import { entryView, peopleOf } from './audit-views.ts'

/** Audit entries on a person's page. */
const HISTORY = 20

export const foundView = ({
  id,
  name,
  handle,
  avatarId,
  role,
  state,
  createdAt,
}: StaffFound): FoundPerson => ({
  id,
  name,
  handle,
  avatar_url: avatarId && facePath(avatarId),
  role,
  state,
  created_at: createdAt.toISOString(),
})

/** @throws ApiError `not_found` */
export async function personPage(
  deps: Deps,
  viewer: Pick<Viewer, 'id' | 'role'>,
  userId: string,
): Promise<PersonPage> {
  const { db, clock } = deps
  const person = await findForStaff(db, userId)
  if (!person) throw new ApiError('not_found')
  const part = <T>(name: Parameters<typeof maySee>[1], read: () => Promise<T>): Promise<T> | null =>
    maySee(viewer.role, name) ? read() : null
  return {
    ...foundView(person),
    account: await part('account', () => accountOf(deps, userId)),
    sign_in: await part('sign_in', () => signInOf(deps, userId, person.state === 'suspended')),
    activity: await part('activity', () => activityFor(db, viewer.id, userId)),
    money: await part('money', () => moneyOf(db, userId, clock())),
    history: await part('history', () => historyOf(deps, userId)),
  }
}

/** Staff do not learn here whether they were reported themselves. */
async function activityFor(db: Db, viewerId: string, userId: string) {
  const activity = await activityOf(db, userId)
  return viewerId === userId ? { ...activity, reports_about: null } : activity
}

async function accountOf({ db }: Deps, userId: string) {
  const user = await findUser(db, userId)
  const check = await findLatestCheck(db, userId)
  return {
    email: maskedEmail(user?.email ?? ''),
    identity: check ? { id: check.id, state: check.state } : null,
    identified_at: user?.identifiedAt?.toISOString() ?? null,
  }
}

async function signInOf({ db, clock }: Deps, userId: string, isSuspended: boolean) {
  // Tokens of a suspended account open nothing: its sessions ended.
  const sessions = isSuspended ? [] : (await listSessions(db, userId, clock())).map((it) => sessionView(it))
  const since = (await findSecondFactor(db, userId))?.confirmedAt
  const recovery = await newestRecovery(db, userId)
  return {
    sessions,
    passkeys: await countPasskeys(db, userId),
    second_factor: since
      ? { since: since.toISOString(), codes_left: await countRecoveryCodes(db, userId) }
      : null,
    recovery: recovery
      ? { state: recoveryState(recovery, clock()), due_at: recovery.dueAt?.toISOString() ?? null }
      : null,
  }
}

async function historyOf({ db }: Deps, userId: string) {
  const filter = { actorId: undefined, acts: undefined, subjectKind: 'user', subjectId: userId }
  const rows = await listEntries(db, { ...filter, from: undefined, to: undefined }, undefined, HISTORY)
  const people = await peopleOf(db, rows)
  return rows.map((it) => entryView(it, people))
}
