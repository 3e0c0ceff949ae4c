// Sets the admins from the operator's settings, and audits each change of a role.
import type { Deps } from '#server/deps.ts'
import { setAdmins } from '#server/store/accounts/admins.ts'

/**
 * At each start: accounts with one of these addresses become admins, all others lose the role.
 * @returns how many roles changed
 */
export function applyAdmins({ transaction }: Deps, emails: readonly string[]): Promise<number> {
  return transaction(async ({ tx, audit }) => {
    const changed = await setAdmins(tx, emails)
    for (const { id, role } of changed) {
      // No signed-in person did this: actor and subject are the same person, and the detail names the settings.
      const entry = { actorId: id, act: 'role.set', subjectKind: 'user', subjectId: id, ip: '' } as const
      audit({ ...entry, detail: { role, by: 'ADMIN_EMAILS' } })
    }
    return changed.length
  })
}
