// Admins are named by the operator's settings alone; each change of a role stands in the audit log.
import type { Deps } from '#server/deps.ts'
import { setAdmins } from '#server/store/accounts/admins.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'

/**
 * At each start: whoever has an account with one of these addresses is an admin, and nobody else is.
 * @returns how many roles changed
 */
export function applyAdmins({ db, clock }: Deps, emails: readonly string[]): Promise<number> {
  return db.transaction(async (tx) => {
    const changed = await setAdmins(tx, emails)
    for (const { id, role } of changed) {
      // Nobody signed in did this: the person stands for both sides, and the settings are named.
      const entry = { actorId: id, act: 'role.set', subjectKind: 'user', subjectId: id, ip: '' } as const
      await writeAudit(tx, { ...entry, detail: { role, by: 'ADMIN_EMAILS' } }, clock())
    }
    return changed.length
  })
}
