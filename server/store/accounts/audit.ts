// The audit log of what admins did and read. Rows are only added, never changed.
import { and, eq, gt } from 'drizzle-orm'
import { newId } from '#contract/ids.ts'
import type { Db } from '#server/store/database.ts'
import { auditLog } from '#server/store/tables/identity.ts'

export interface AuditEntry {
  readonly actorId: string
  readonly act: string
  readonly subjectKind:
    | 'identity_check'
    | 'identity_file'
    | 'identity_list'
    | 'user'
    | 'payment'
    | 'operator_task'
    | 'payout'
    | 'payout_export'
    | 'complimentary'
    | 'seller_request'
    | 'settlement'
    | 'report'
  readonly subjectId: string
  readonly detail?: Record<string, unknown>
  /** Address of the admin's request; '' for a change by the server's settings. */
  readonly ip: string
}

export async function writeAudit(db: Db, entry: AuditEntry, now: number): Promise<void> {
  await db.insert(auditLog).values({ id: newId(), detail: {}, ...entry, at: new Date(now) })
}

/** Whether the log has the same entry after a moment. */
export async function hasAudit(
  db: Db,
  { actorId, act, subjectKind, subjectId, ip }: AuditEntry,
  after: number,
): Promise<boolean> {
  const same = and(
    eq(auditLog.subjectKind, subjectKind),
    eq(auditLog.subjectId, subjectId),
    eq(auditLog.actorId, actorId),
    eq(auditLog.act, act),
    eq(auditLog.ip, ip),
    gt(auditLog.at, new Date(after)),
  )
  return (await db.select({ id: auditLog.id }).from(auditLog).where(same).limit(1)).length > 0
}
