// What the machine page reads: sizes by rows, failed media, migrations, and reports of servers.
import { and, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { dataExports } from '#server/store/tables/accounts.ts'
import { authorityExports } from '#server/store/tables/audit.ts'
import { identityFiles } from '#server/store/tables/identity.ts'
import { media, uploads } from '#server/store/tables/media.ts'
import { paymentNotices } from '#server/store/tables/payments.ts'
import { users } from '#server/store/tables/people.ts'
import { serverReports } from '#server/store/tables/settings.ts'
import type { RawSql } from '#server/store/jobs.ts'

/** A number of things and their bytes. */
export interface Used {
  readonly count: number
  readonly bytes: number
}

export interface StorageUse {
  /** Originals, finished or not, by their announced length. */
  readonly uploads: Used
  /** Originals that are held by a post, a message or a profile; they are among the uploads. */
  readonly media: Used
  readonly documents: Used
  /** Data exports of people, and exports for authorities by the size of their encrypted text. */
  readonly exports: Used
}

const count = sql<string>`count(*)`
const usedOf = (row: { count: string; bytes: string } | undefined): Used => ({
  count: Number(row?.count ?? 0),
  bytes: Number(row?.bytes ?? 0),
})

/** Sums sizes by the rows that name the files. It reads every row of an upload. */
export async function storageUse(db: Db): Promise<StorageUse> {
  const length = sql<string>`coalesce(sum(${uploads.length}), 0)`
  const sent = await db.select({ count, bytes: length }).from(uploads).where(isNull(uploads.expiredAt))
  const held = await db
    .select({ count, bytes: length })
    .from(media)
    .innerJoin(uploads, eq(uploads.id, media.id))
    .where(isNull(uploads.expiredAt))
  const documents = await db
    .select({ count, bytes: sql<string>`coalesce(sum(${identityFiles.length}), 0)` })
    .from(identityFiles)
  const zips = await db
    .select({ count, bytes: sql<string>`coalesce(sum(${dataExports.length}), 0)` })
    .from(dataExports)
    .where(eq(dataExports.state, 'ready'))
  const sealed = await db
    .select({ count, bytes: sql<string>`coalesce(sum(octet_length(${authorityExports.sealed})), 0)` })
    .from(authorityExports)
    .where(eq(authorityExports.state, 'ready'))
  const [own, official] = [usedOf(zips[0]), usedOf(sealed[0])]
  return {
    uploads: usedOf(sent[0]),
    media: usedOf(held[0]),
    documents: usedOf(documents[0]),
    exports: { count: own.count + official.count, bytes: own.bytes + official.bytes },
  }
}

export interface FailedMediaRow {
  readonly id: string
  readonly kind: 'image' | 'video'
  readonly ownerId: string
  readonly ownerName: string
  readonly failure: string | null
  readonly begunAt: Date | null
  readonly attempts: number
  readonly bytes: number | null
  readonly createdAt: Date
}

/** Failed media, the newest first. @param after the last one of the page before */
export function listFailedMediaRows(
  db: Db,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<FailedMediaRow[]> {
  const { id, createdAt } = media
  return db
    .select({
      id,
      kind: media.kind,
      ownerId: uploads.ownerId,
      ownerName: users.name,
      failure: media.failure,
      begunAt: media.begunAt,
      attempts: media.attempts,
      bytes: uploads.length,
      createdAt,
    })
    .from(media)
    .innerJoin(uploads, eq(uploads.id, id))
    .innerJoin(users, eq(users.id, uploads.ownerId))
    .where(
      and(
        eq(media.state, 'failed'),
        after && or(lt(createdAt, after.at), and(eq(createdAt, after.at), lt(id, after.id))),
      ),
    )
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)
}

/** The owner of a media file; undefined for an unknown one. */
export async function ownerOfMedia(db: Db, id: string): Promise<string | undefined> {
  const rows = await db
    .select({ ownerId: uploads.ownerId })
    .from(media)
    .innerJoin(uploads, eq(uploads.id, media.id))
    .where(eq(media.id, id))
  return rows[0]?.ownerId
}

/** When the payment provider's last notice came; undefined without one. */
export async function lastPaymentNotice(db: Db): Promise<Date | undefined> {
  const rows = await db
    .select({ at: paymentNotices.receivedAt })
    .from(paymentNotices)
    .where(isNotNull(paymentNotices.receivedAt))
    .orderBy(desc(paymentNotices.receivedAt))
    .limit(1)
  return rows[0]?.at
}

/** Version of the database, and how many migrations it has. */
export async function databaseFacts(
  raw: RawSql,
): Promise<{ readonly version: string; readonly migrations: number }> {
  const { rows } = await raw.executeSql(
    `select current_setting('server_version') as version,
       (select count(*)::int from drizzle.__drizzle_migrations) as migrations`,
  )
  const [row] = rows as { version: string; migrations: number }[]
  return { version: row?.version ?? '', migrations: row?.migrations ?? 0 }
}

export interface ServerReport {
  readonly id: string
  readonly measuredAt: Date
  readonly figures: object
}

/** Stores what a server measured, and removes reports from before a moment. */
export async function writeReport(tx: Db, report: ServerReport, before: Date): Promise<void> {
  const { measuredAt, figures } = report
  await tx
    .insert(serverReports)
    .values(report)
    .onConflictDoUpdate({ target: serverReports.id, set: { measuredAt, figures } })
  await tx.delete(serverReports).where(lt(serverReports.measuredAt, before))
}

export async function removeReport(tx: Db, id: string): Promise<void> {
  await tx.delete(serverReports).where(eq(serverReports.id, id))
}

/** A server whose report is older than this is gone, ms. */
export const REPORT_LIFE = 60_000

/** Reports since a moment. */
export function listReports(db: Db, since: Date): Promise<ServerReport[]> {
  return db.select().from(serverReports).where(gt(serverReports.measuredAt, since)).orderBy(serverReports.id)
}
