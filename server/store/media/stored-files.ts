// Rows that have files in the data folder, page by page, for comparing the two.
import { and, asc, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { dataExports } from '#server/store/tables/accounts.ts'
import { identityChecks, identityFiles } from '#server/store/tables/identity.ts'
import { type MadeVariants, media, uploads } from '#server/store/tables/media.ts'
import { isBelow } from './upload-keys.ts'

/** Rows that are read at once. */
const PAGE = 500

/** Before the first id. */
export const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Finished uploads whose bytes are stored.
 * @param after the last id that was read
 * @param which `without_documents`: without those for identity checks, which are not encrypted yet
 */
export async function listFinishedUploads(db: Db, after: string, which: 'all' | 'without_documents' = 'all') {
  return db
    .select({ id: uploads.id, length: uploads.length, ownerId: uploads.ownerId, metadata: uploads.metadata })
    .from(uploads)
    .where(
      and(
        gt(uploads.id, after),
        isNotNull(uploads.finishedAt),
        isNull(uploads.expiredAt),
        which === 'without_documents' ? isBelow('uploads') : undefined,
      ),
    )
    .orderBy(asc(uploads.id))
    .limit(PAGE)
}

/** Media that are shown. */
export async function listReadyMedia(db: Db, after: string) {
  return db
    .select({ id: media.id, kind: media.kind, made: media.made, ownerId: uploads.ownerId })
    .from(media)
    .innerJoin(uploads, eq(uploads.id, media.id))
    .where(and(gt(media.id, after), eq(media.state, 'ready')))
    .orderBy(asc(media.id))
    .limit(PAGE)
}

/** Files that a media of a kind has, in its folder. */
export function filesOfMedia(kind: 'image' | 'video', made: MadeVariants): string[] {
  return [
    ...made.widths.map((it) => `w${it}.webp`),
    ...(made.poster ? ['poster.webp'] : []),
    ...(made.blurred ? ['blurred.webp'] : []),
    ...(made.parts?.heights ?? []).map((_, i) => `p${i}.webp`),
    ...(made.still === true ? ['still.webp'] : []),
    ...(kind === 'video' ? ['play.mp4'] : []),
    ...(made.hls === true ? ['hls/main.m3u8'] : []),
  ]
}

export async function listIdentityFiles(db: Db, after: string) {
  return db
    .select({ id: identityFiles.id, sealedKey: identityFiles.sealedKey, ownerId: identityChecks.userId })
    .from(identityFiles)
    .innerJoin(identityChecks, eq(identityChecks.id, identityFiles.checkId))
    .where(gt(identityFiles.id, after))
    .orderBy(asc(identityFiles.id))
    .limit(PAGE)
}

export async function listReadyExports(db: Db, after: string) {
  return db
    .select({ id: dataExports.id, ownerId: dataExports.userId })
    .from(dataExports)
    .where(and(gt(dataExports.id, after), eq(dataExports.state, 'ready')))
    .orderBy(asc(dataExports.id))
    .limit(PAGE)
}

const tables = {
  uploads,
  'identity-uploads': uploads,
  media,
  identity: identityFiles,
  exports: dataExports,
} as const
export type StoredFolder = keyof typeof tables

/** Which of these ids have a row whose files may be in this folder. */
export async function idsWithRow(
  db: Db,
  folder: StoredFolder,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const table = tables[folder]
  const isStored =
    folder === 'uploads' || folder === 'identity-uploads'
      ? and(isNull(uploads.expiredAt), isBelow(folder))
      : undefined
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(inArray(table.id, [...ids]), isStored))
  return new Set(rows.map((it) => it.id))
}

/** Lets a shown media be made again. @returns its kind, or undefined when it is not shown any more */
export async function remakeMedia(db: Db, id: string): Promise<'image' | 'video' | undefined> {
  const rows = await db
    .update(media)
    .set({ state: 'processing', attempts: 0, failure: null })
    .where(and(eq(media.id, id), eq(media.state, 'ready')))
    .returning({ kind: media.kind })
  return rows[0]?.kind
}

/** Fails a ready export without a file, so that its owner can request another one. */
export async function failLostExport(db: Db, id: string): Promise<void> {
  await db
    .update(dataExports)
    .set({ state: 'failed', tokenHash: null })
    .where(and(eq(dataExports.id, id), eq(dataExports.state, 'ready')))
}
