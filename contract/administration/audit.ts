// The audit log for admins, in pages and as CSV.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { personView } from '#contract/people/people.ts'
import { auditActs, auditSubjects } from './audit-names.ts'

/** Which entries; each part narrows it. */
const filter = {
  /** Who acted. */
  actor: v.optional(id),
  act: v.optional(v.picklist(auditActs)),
  subject_kind: v.optional(v.picklist(auditSubjects)),
  subject: v.optional(id),
  /** The first moment, and the one after the last. */
  from: v.optional(v.pipe(instant, v.maxLength(40))),
  to: v.optional(v.pipe(instant, v.maxLength(40))),
}

export const auditEntry = v.object({
  /** Its number: 1 is the oldest, and none is missing. */
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  id,
  at: instant,
  /** A name of `auditActs`. */
  act: v.string(),
  actor_id: id,
  /** Null for an account that does not exist any more, and for the server itself. */
  actor: v.nullable(personView),
  /** A name of `auditSubjects`. */
  subject_kind: v.string(),
  subject_id: id,
  /** The person, if the act is about one whose account exists. */
  subject: v.nullable(personView),
  /** Ids, numbers, days and names of codes and fields. */
  detail: v.record(v.string(), v.unknown()),
  /** Address of the request; '' without one. */
  ip: v.string(),
})
export type AuditEntryView = v.InferOutput<typeof auditEntry>

/** Entries, the newest first. Reading the first page is an entry too. */
export const listAudit = endpoint({
  name: 'listAudit',
  method: 'GET',
  path: '/admin/audit',
  audience: 'staff:audit',
  summary: '監査ログ',
  query: v.object({ ...filter, cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ entries: v.array(auditEntry), next: v.nullable(v.string()) }),
  errors: ['unauthenticated', 'not_found'],
})

/** The same entries as CSV (UTF-8 with BOM), the newest first. Each file is an entry too. */
export const AUDIT_CSV_PATH = '/admin/audit.csv'
export const auditCsvQuery = v.object(filter)
export type AuditFilter = v.InferOutput<typeof auditCsvQuery>
