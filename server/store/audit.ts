// The audit log: what admins did and looked at. It is only ever added to.
import { newId } from '#contract/ids.ts'
import type { Db } from './database.ts'
import { auditLog } from './tables/identity.ts'

export interface AuditEntry {
  readonly actorId: string
  readonly act: string
  readonly subjectKind: 'identity_check' | 'identity_file' | 'user'
  readonly subjectId: string
  readonly detail?: Record<string, unknown>
  /** Where it was done from; '' for what the server's own settings did. */
  readonly ip: string
}

export async function writeAudit(db: Db, entry: AuditEntry, now: number): Promise<void> {
  await db.insert(auditLog).values({ id: newId(), detail: {}, ...entry, at: new Date(now) })
}
