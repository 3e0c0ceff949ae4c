// Routes of admins for the audit log: pages and CSV. Each opening is an entry too.
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  AUDIT_CSV_PATH,
  auditCsvQuery,
  type AuditFilter as AskedFilter,
  listAudit,
} from '#contract/administration/audit.ts'
import { API_BASE } from '#contract/paths.ts'
import { CSV_BOM, csvLine } from '#contract/text/csv.ts'
import type { Deps } from '#server/deps.ts'
import { createCursor } from '#server/http/cursor.ts'
import { ApiError, fieldsOf } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { staffOf } from '#server/http/viewer.ts'
import { actsAbout } from '#contract/administration/audit-acts.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import { auditCsvHead, auditCsvRow } from '#server/rules/audit/audit-csv.ts'
import { type AuditFilter, type AuditPlace, listEntries } from '#server/store/audit/entries.ts'
import type { Db } from '#server/store/database.ts'
import { instant } from '#contract/ids.ts'
import { entryView, peopleOf, subjectOf } from './audit-views.ts'

/** Entries of one page. */
const PAGE = 50
/** Entries of a file that are read, and sent, at once. */
const BATCH = 1000

const seq = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
/** The order is by time, and by number among entries of one millisecond. */
const auditCursor = createCursor<readonly [string, number], AuditPlace>(
  v.tuple([instant, seq]),
  (place) => [place.at.toISOString(), place.seq],
  ([at, number]) => ({ at: new Date(at), seq: number }),
)

/** Names of the filters that are used, for the entry of the opening. */
const usedFields = ({ actor, act, subject_kind, subject, from, to }: AskedFilter) => {
  const given = { actor, act, subject_kind, subject, from, to }
  const names = ['actor', 'act', 'subject_kind', 'subject', 'from', 'to'] as const
  return { fields: names.filter((it) => given[it] !== undefined) }
}

/** A kind of subject is the acts about it, which have indexes. */
function filterOf({ actor, act, subject_kind: kind, subject, from, to }: AskedFilter): AuditFilter {
  const about = kind === undefined ? undefined : actsAbout(kind)
  return {
    actorId: actor,
    acts: act === undefined ? about : [act].filter((it) => about?.includes(it) ?? true),
    subjectKind: kind,
    subjectId: subject,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
}

export function auditRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit } = deps
  const subject = { subjectKind: 'audit_log', subjectId: NO_ID } as const
  memberRoute(app, listAudit, async ({ viewer, query, request }) => {
    const after = auditCursor.read(query.cursor)
    if (after === undefined) {
      const detail = usedFields(query)
      await audit({ actorId: viewer.id, act: 'audit.list', ...subject, detail, ip: request.ip })
    }
    const rows = await listEntries(db, filterOf(query), after, PAGE + 1)
    const { shown, next } = auditCursor.pageOf(rows, PAGE, ({ at, seq: number }) => ({ at, seq: number }))
    const people = await peopleOf(db, shown)
    return { entries: shown.map((it) => entryView(it, people)), next }
  })

  const rateLimit = perPerson(deps.settings.limits.salesFiles)
  app.get(API_BASE + AUDIT_CSV_PATH, { config: { rateLimit } }, async (request, reply) => {
    const admin = staffOf(request, 'audit')
    const parsed = v.safeParse(auditCsvQuery, request.query)
    if (!parsed.success) throw new ApiError('invalid', fieldsOf(parsed.issues))
    const detail = usedFields(parsed.output)
    await audit({ actorId: admin.id, act: 'audit.export', ...subject, detail, ip: request.ip })
    return reply
      .header('content-disposition', 'attachment; filename="todoke-audit.csv"')
      .header('cache-control', 'private, no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(linesOf(db, filterOf(parsed.output))))
  })
}

/** Parts of the file: its head, then up to 1,000 entries at a time. */
async function* linesOf(db: Db, filter: AuditFilter): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_BOM + csvLine(auditCsvHead))
  let after: AuditPlace | undefined
  for (;;) {
    const rows = await listEntries(db, filter, after, BATCH)
    const people = await peopleOf(db, rows)
    const nameOf = (id: string) => people.get(id)?.name ?? ''
    const lines = rows.map((row) =>
      csvLine(
        auditCsvRow({ ...row, actorName: nameOf(row.actorId), subjectName: nameOf(subjectOf(row) ?? '') }),
      ),
    )
    if (lines.length > 0) yield Buffer.from(lines.join(''))
    if (rows.length < BATCH) return
    after = rows.at(-1)
  }
}
