// Entries of the audit log by person, act, subject and time.
import { and, eq, gt, gte, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'
import { auditLog } from '#server/store/tables/audit.ts'
import type { StoredEntry } from './chain.ts'

export interface AuditFilter {
  readonly actorId: string | undefined
  /** One of these. */
  readonly acts: readonly string[] | undefined
  /** Of entries with one of the acts. */
  readonly subjectKind: string | undefined
  readonly subjectId: string | undefined
  /** The first moment. */
  readonly from: Date | undefined
  /** The moment after the last. */
  readonly to: Date | undefined
}

/** The place of an entry in the list. */
export interface AuditPlace {
  readonly at: Date
  readonly seq: number
}

/** The order of the list, as the index has it that PostgreSQL is to use (`server/store/tables/audit.ts`). */
const orders = {
  all: sql`at desc, seq desc`,
  filter: sql`at desc nulls last, seq desc nulls last`,
  pair: sql`at desc nulls last, seq desc nulls first`,
} as const

function orderFor({ actorId, acts, subjectId }: AuditFilter): SQL {
  const isOfPerson = (actorId ?? subjectId) !== undefined
  if (acts === undefined) return isOfPerson ? orders.filter : orders.all
  return isOfPerson ? orders.pair : orders.filter
}

type Row = Omit<StoredEntry, 'at'> & { readonly at: string | Date }

/** Entries of a filter, the newest first. @param after the place of the last entry of the page before */
export async function listEntries(
  db: Db,
  filter: AuditFilter,
  after: AuditPlace | undefined,
  limit: number,
): Promise<StoredEntry[]> {
  const { actorId, acts, subjectKind, subjectId, from, to } = filter
  const conditions = [
    sql`seq is not null`,
    actorId === undefined ? undefined : sql`actor_id = ${actorId}::uuid`,
    subjectKind === undefined ? undefined : sql`subject_kind = ${subjectKind}`,
    subjectId === undefined ? undefined : sql`subject_id = ${subjectId}::uuid`,
    from && sql`at >= ${momentOf(from)}::timestamptz`,
    to && sql`at < ${momentOf(to)}::timestamptz`,
    after && sql`(at, seq) < (${momentOf(after.at)}::timestamptz, ${after.seq}::bigint)`,
  ].filter((it) => it !== undefined)
  const order = orderFor(filter)
  const end = sql.raw(`limit ${limit}`)
  const of = (more: readonly SQL[]) =>
    sql`select * from ${auditLog} where ${sql.join([...conditions, ...more], sql` and `)} order by ${order} ${end}`
  // A page of each act, then the newest of all of them: an index has the order within one act only.
  const wanted =
    acts === undefined
      ? of([])
      : sql`select page.* from unnest(${sql.param([...acts])}::text[]) as wanted(name)
          cross join lateral (${of([sql`act = wanted.name`])}) as page`
  const { rows } = (await db.execute(sql`select id, actor_id as "actorId", act, subject_kind as "subjectKind",
      subject_id as "subjectId", detail, ip, at, seq::float8 as seq, hash from (${wanted}) as page
    order by page.at desc, page.seq desc ${end}`)) as { rows: Row[] }
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

/** Whether the log has an entry of the same act by the same person from the same address, after a moment. */
export async function hasEntry(
  db: Db,
  same: Pick<StoredEntry, 'actorId' | 'act' | 'subjectKind' | 'subjectId' | 'ip'>,
  after: number,
): Promise<boolean> {
  const conditions = and(
    eq(auditLog.subjectKind, same.subjectKind),
    eq(auditLog.subjectId, same.subjectId),
    eq(auditLog.actorId, same.actorId),
    eq(auditLog.act, same.act),
    eq(auditLog.ip, same.ip),
    gt(auditLog.at, new Date(after)),
  )
  return (await db.select({ id: auditLog.id }).from(auditLog).where(conditions).limit(1)).length > 0
}

/** An act of one person since a moment. */
interface Acted extends Pick<StoredEntry, 'actorId' | 'act'> {
  /** Any moment by default. */
  readonly since?: Date
}

const isActed = ({ actorId, act, since }: Acted): SQL | undefined =>
  and(
    eq(auditLog.actorId, actorId),
    eq(auditLog.act, act),
    since === undefined ? undefined : gte(auditLog.at, since),
  )

/** Which of these subjects the log says that a person did an act about. */
export async function subjectsOf(db: Db, acted: Acted, subjectIds: readonly string[]): Promise<Set<string>> {
  if (subjectIds.length === 0) return new Set()
  const rows = await db
    .selectDistinct({ id: auditLog.subjectId })
    .from(auditLog)
    .where(and(isActed(acted), inArray(auditLog.subjectId, [...subjectIds])))
  return new Set(rows.map((it) => it.id))
}

/** Whether a list that the log says was shown to a person had a thing. @param list the field of the entry's detail */
export async function wasListed(
  db: Db,
  acted: Acted,
  { list, thing }: { readonly list: string; readonly thing: string | number },
): Promise<boolean> {
  const has = sql`${auditLog.detail} -> ${list}::text @> ${JSON.stringify(thing)}::jsonb`
  const rows = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(isActed(acted), has))
    // As the index has it: the newest list is usually the one.
    .orderBy(sql`${auditLog.at} desc nulls last`)
    .limit(1)
  return rows.length > 0
}
