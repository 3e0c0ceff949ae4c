// Gives and takes roles: from the operator's settings at a start, and by admins.
import * as v from 'valibot'
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { Role } from '#contract/administration/role-names.ts'
import { id as idSchema } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { giveAdmins } from '#server/services/people/admins.ts'
import { publishRights } from '#server/services/people/publish-rights.ts'
import { lockNamed, lockStaff, updateRole } from '#server/store/staff/staff.ts'

/**
 * At each start, accounts with one of these addresses become admins. No role is taken: admins do that in the app.
 * @returns how many roles changed
 */
export function applyAdmins({ transaction }: Deps, emails: readonly string[]): Promise<number> {
  return transaction((unit) => giveAdmins(unit, emails))
}

/**
 * Makes an account an admin, by the operator's command line. It is for an operator who cannot sign in as one.
 * @returns `admin` when the account is one already, `unknown` when there is no such account
 */
export function addAdmin({ transaction }: Deps, email: string): Promise<'added' | 'admin' | 'unknown'> {
  return transaction(async ({ tx, audit }) => {
    const found = await lockNamed(tx, email.trim().toLowerCase(), undefined)
    if (!found) return 'unknown'
    if (found.role === 'admin') return 'admin'
    await updateRole(tx, found.id, 'admin')
    const entry = {
      actorId: NO_ID,
      act: 'role.set',
      subjectKind: 'user',
      subjectId: found.id,
      ip: '',
    } as const
    audit({ ...entry, detail: { from: found.role, role: 'admin', by: 'command_line' } })
    return 'added'
  })
}

interface RoleChange {
  readonly by: string
  /** Handle, email address or id of the person. */
  readonly person: string
  readonly role: Role
  readonly ip: string
}

/**
 * Gives a person a role, or takes it.
 * @throws ApiError `invalid` for a person who does not exist or cannot act; `not_found` when the caller is no longer an admin;
 * `conflict` when no admin who can act would be left
 */
export function changeRole(
  { transaction }: Deps,
  { by, person, role, ip }: RoleChange,
): Promise<{ id: string; role: Role }> {
  return transaction(async (unit) => {
    const { tx, audit } = unit
    const staff = await lockStaff(tx)
    if (!staff.some((it) => it.id === by && it.role === 'admin' && it.active)) throw new ApiError('not_found')
    const wanted = person.replace(/^@/, '').toLowerCase()
    const parsed = v.safeParse(idSchema, wanted)
    const found = await lockNamed(tx, wanted, parsed.success ? parsed.output : undefined)
    if (!found || (role !== 'member' && !found.active))
      throw new ApiError('invalid', { person: 'unknown_person' })
    if (found.role === role) return { id: found.id, role }
    const left = staff.filter((it) => it.id !== found.id && it.role === 'admin' && it.active)
    if (found.role === 'admin' && left.length === 0) throw new ApiError('conflict')
    await updateRole(tx, found.id, role)
    const detail = { from: found.role, role }
    audit({ actorId: by, act: 'role.set', subjectKind: 'user', subjectId: found.id, detail, ip })
    publishRights(unit, found.id)
    return { id: found.id, role }
  })
}
