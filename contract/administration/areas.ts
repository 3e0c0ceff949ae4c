// Areas of the administration, and the roles that may use each.
import { type Role, type StaffRole, staffRoles } from './role-names.ts'

/**
 * `desk`: the beginning, for every role. `staff`: who has which role. `audit`: the log of what staff did. `identity`:
 * documents of identity checks. `notices`: notices of the operator. `person`: finding people and opening one, of whom each role sees other parts (`person-parts.ts`).
 * `people`: names, requests about people, and acts on their sign-in. `authority`: whole email addresses, and exports for
 * authorities. `reports`: what was reported. `money`: payments, payouts and fees.
 * `machine`: servers, jobs, settings at runtime and invitations.
 */
export const areas = [
  'desk',
  'staff',
  'audit',
  'identity',
  'notices',
  'person',
  'people',
  'authority',
  'reports',
  'money',
  'machine',
] as const
export type Area = (typeof areas)[number]

const areasOf: Record<StaffRole, readonly Area[]> = {
  admin: areas,
  moderator: ['desk', 'notices', 'person', 'people', 'reports'],
  finance: ['desk', 'person', 'money'],
}

/** Whether people of a role may use an area. Every endpoint of an area is checked by this on the server. */
export const mayUse = (role: Role, area: Area): boolean => role !== 'member' && areasOf[role].includes(area)

/** The roles that may use an area. */
export const rolesOf = (area: Area): readonly StaffRole[] => staffRoles.filter((role) => mayUse(role, area))
