// Admins by ADMIN_EMAILS: at each start, and when such an address registers.
import { giveAdminRole } from '#server/store/staff/staff.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'

/** Makes the accounts of these addresses admins. @returns how many roles changed */
export async function giveAdmins(
  { tx, audit }: Pick<UnitOfWork, 'tx' | 'audit'>,
  emails: readonly string[],
): Promise<number> {
  const changed = await giveAdminRole(tx, emails)
  for (const id of changed) {
    // No signed-in person did this: actor and subject are the same person, and the detail names the settings.
    const entry = { actorId: id, act: 'role.set', subjectKind: 'user', subjectId: id, ip: '' } as const
    audit({ ...entry, detail: { role: 'admin', by: 'ADMIN_EMAILS' } })
  }
  return changed.length
}
