// What the files of an embedded database had at least: less is damage.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import * as v from 'valibot'
import { DatabaseDamaged } from './refusals.ts'

/** In the folder of the database, so that a copy and a backup of it have the file too. */
export const EXTENTS_FILE = 'todoke.extents.json'

const PAGE = 8192
/** Bytes of the header of a page, which are zeros only in a page that was never written. */
const HEADER = 24
/** Pages that are read at once. */
const READ_PAGES = 128
/** Bytes of a file of `pg_xact`, which has two bits for each transaction. */
const STATUS_BYTES = 262_144
const PER_BYTE = 4

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const extents = v.object({
  /** The end of the log, as PostgreSQL writes a place in it. */
  log: v.pipe(v.string(), v.regex(/^[\dA-F]+\/[\dA-F]+$/)),
  /** Transactions before this one have ended, so that their bits in `pg_xact` do not change any more. */
  transaction: count,
  /** Digests of these bits, by the file. */
  ends: v.record(v.string(), v.string()),
  /** Pages of each table and index, by its first file, and how many VACUUM had counted. */
  pages: v.record(v.string(), v.object({ all: count, counted: count })),
  /** Pages that were read of each, and how many of these were zeros. */
  read: v.record(v.string(), v.object({ pages: count, zeros: count })),
})
export type Extents = v.InferOutput<typeof extents>

interface Relation {
  readonly file: string
  /** Pages as VACUUM has counted them, which alone makes a file shorter. */
  readonly counted: number
}

/** Where the database is. */
interface Place {
  /** The data folder. */
  readonly folder: string
  /** The folder of the database in it. */
  readonly data: string
}

/** @returns undefined for a database that no version with extents has opened @throws DatabaseDamaged */
export async function readExtents({ folder, data }: Place): Promise<Extents | undefined> {
  const text = await readFile(path.join(data, EXTENTS_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (text === undefined) return undefined
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), extents), text)
  if (!parsed.success) throw new DatabaseDamaged(folder, `pglite/${EXTENTS_FILE} の中身が違います`)
  return parsed.output
}

/** Durable when it resolves; a crash leaves the old or the new file. */
async function writeExtents(data: string, it: Extents): Promise<void> {
  const file = path.join(data, EXTENTS_FILE)
  const written = await open(`${file}.new`, 'w', 0o600)
  try {
    await written.writeFile(JSON.stringify(it))
    await written.sync()
  } finally {
    await written.close()
  }
  await rename(`${file}.new`, file)
}

async function relationsOf(client: PGlite): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(
    `select pg_relation_filepath(oid) as file, relpages as counted from pg_class
     where pg_relation_filepath(oid) is not null`,
  )
  return rows
}

/**
 * Sizes of the files of a table or an index: PostgreSQL adds `.1` and so on for each GiB. There are hundreds of files, of which each call
 * of the file system takes some microseconds: through the thread pool they took seconds.
 */
function sizesOf(first: string): number[] {
  const sizes: number[] = []
  for (;;) {
    const name = sizes.length === 0 ? first : `${first}.${sizes.length}`
    const found = statSync(name, { throwIfNoEntry: false })
    if (!found) return sizes
    sizes.push(found.size)
  }
}

const pagesIn = (sizes: readonly number[]): number =>
  sizes.reduce((sum, it) => sum + Math.floor(it / PAGE), 0)

const pagesRead = Buffer.alloc(PAGE * READ_PAGES)
const unwritten = Buffer.alloc(HEADER)

/** How many of its first pages were never written. */
function zerosOf(first: string, pages: number): number {
  let [zeros, left] = [0, pages]
  for (let part = 0; left > 0; part++) {
    const opened = openSync(part === 0 ? first : `${first}.${part}`, 'r')
    try {
      for (;;) {
        const read = Math.min(Math.floor(readSync(opened, pagesRead) / PAGE), left)
        for (let at = 0; at < read; at++)
          if (pagesRead.compare(unwritten, 0, HEADER, at * PAGE, at * PAGE + HEADER) === 0) zeros++
        left -= read
        if (read === 0 || left === 0) break
      }
    } finally {
      closeSync(opened)
    }
  }
  return zeros
}

/** Digests of the bits of transactions that have ended, by the files of `pg_xact` that there are. */
async function endsOf(data: string, transaction: number): Promise<Record<string, string>> {
  const bytes = Math.floor(transaction / PER_BYTE)
  const ends: Record<string, string> = {}
  for (let file = 0; file * STATUS_BYTES < bytes; file++) {
    const name = file.toString(16).toUpperCase().padStart(4, '0')
    const content = await readFile(path.join(data, 'pg_xact', name)).catch(() => undefined)
    // PostgreSQL removes old ones, and reports a missing one that it needs.
    if (!content) continue
    const bits = content.subarray(0, Math.min(STATUS_BYTES, bytes - file * STATUS_BYTES))
    ends[name] = createHash('sha256').update(bits).digest('base64url')
  }
  return ends
}

const logEnd = 'select pg_current_wal_flush_lsn()::text as log'

/** Reads all pages of a database that no statement changes meanwhile. */
async function measure(client: PGlite, data: string, relations: readonly Relation[]): Promise<Extents> {
  const { rows } = await client.query<{ log: string; next: string }>(
    `${logEnd}, pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  )
  const { log, next } = rows[0] ?? { log: '0/0', next: '0' }
  const [pages, read]: [Extents['pages'], Extents['read']] = [{}, {}]
  for (const { file, counted } of relations) {
    const all = pagesIn(sizesOf(path.join(data, file)))
    pages[file] = { all, counted }
    read[file] = { pages: all, zeros: zerosOf(path.join(data, file), all) }
  }
  // The first 32 bits of the number count how often the others began again.
  const transaction = Number(BigInt(next) & 0xff_ff_ff_ffn)
  return { log, transaction, ends: await endsOf(data, transaction), pages, read }
}

const placeOf = (log: string): bigint => {
  const [high = '0', low = '0'] = log.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * Compares an opened database with what it had. PostgreSQL takes a shorter table, a page of zeros, a shorter log and zeros in `pg_xact` for what
 * was never written: rows would be missing without an error.
 * @throws DatabaseDamaged
 */
async function mustReach(
  { folder, data }: Place,
  had: Extents,
  { has, relations }: { readonly has: Extents; readonly relations: readonly Relation[] },
): Promise<void> {
  const damaged = (what: string) => new DatabaseDamaged(folder, what)
  if (placeOf(has.log) < placeOf(had.log)) throw damaged('pglite/pg_wal の終わりの部分がありません')
  const ends = await endsOf(data, had.transaction)
  for (const [name, digest] of Object.entries(ends))
    if (had.ends[name] !== undefined && had.ends[name] !== digest)
      throw damaged(`pglite/pg_xact/${name} の中身が違います`)
  for (const { file, counted } of relations) {
    const [pages, before] = [has.pages[file]?.all ?? 0, had.pages[file] ?? { all: 0, counted: 0 }]
    const isVacuumed = pages === counted && counted !== before.counted
    if (pages < before.all && !isVacuumed) throw damaged(`pglite/${file} が短くなっています`)
    const read = had.read[file]
    if (!read) continue
    const present = has.read[file]
    const zeros =
      present?.pages === read.pages
        ? present.zeros
        : zerosOf(path.join(data, file), Math.min(read.pages, pages))
    if (zeros > read.zeros) throw damaged(`pglite/${file} のページが消えています`)
  }
}

/**
 * Compares a database that was just opened with its extents, and stores the present ones.
 * @throws DatabaseDamaged
 */
export async function examineExtents(client: PGlite, place: Place): Promise<void> {
  const had = await readExtents(place)
  const relations = await relationsOf(client)
  const has = await measure(client, place.data, relations)
  if (had) await mustReach(place, had, { has, relations })
  await writeExtents(place.data, has)
}

/** Stores the extents of a database that is about to be closed. */
export async function completeExtents(client: PGlite, data: string): Promise<void> {
  // Only what is in the files counts.
  await client.query('checkpoint')
  await writeExtents(data, await measure(client, data, await relationsOf(client)))
}

/** Stores the end of the log and the lengths of files, of a database in use. */
export async function advanceExtents(client: PGlite, place: Place): Promise<void> {
  const had = await readExtents(place)
  const { rows } = await client.query<{ log: string }>(logEnd)
  const log = rows[0]?.log
  if (!had || log === undefined || log === had.log) return
  const pages: Extents['pages'] = {}
  for (const { file, counted } of await relationsOf(client))
    pages[file] = { all: pagesIn(sizesOf(path.join(place.data, file))), counted }
  await writeExtents(place.data, { ...had, log, pages })
}
