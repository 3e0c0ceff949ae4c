// Parts of a person's page in the administration, and which role sees each.
import type { Role, StaffRole } from './role-names.ts'

/**
 * `account`: identity state and email address with most letters hidden. `sign_in`: sessions, passkeys, second factor. `activity`:
 * numbers of posts, comments and reports. `money`: sums of purchases, sales and payouts. `history`: audit entries about the person.
 */
export const personParts = ['account', 'sign_in', 'activity', 'money', 'history'] as const
export type PersonPart = (typeof personParts)[number]

const partsOf: Record<StaffRole, readonly PersonPart[]> = {
  admin: personParts,
  moderator: ['account', 'sign_in', 'activity'],
  finance: ['account', 'money'],
}

/** Whether people of a role see a part. The server leaves every other part out of the reply. */
export const maySee = (role: Role, part: PersonPart): boolean =>
  role !== 'member' && partsOf[role].includes(part)

const ranks: Record<Role, number> = { member: 0, finance: 1, moderator: 1, admin: 2 }

/** Whether staff may act on a person of a role: admins on everyone, others on people of a lower rank. Never on themselves. */
export const mayActOn = (by: Role, on: Role): boolean => by === 'admin' || ranks[by] > ranks[on]
