// The files of an embedded database: examined before it is opened, and once it is.
import { closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs'
import { access, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  DatabaseDamaged,
  DatabaseMissing,
  DatabaseVersionDiffers,
  folderSentence,
  FolderUnusable,
  MemoryShort,
} from './refusals.ts'

/** The format of PGlite's PostgreSQL. */
export const FORMAT = '18'
/** Bytes of `pg_control`, and of a page. */
const PAGE = 8192
/** Free bytes without which PostgreSQL may not make a file of its log. */
const FREE = 32 * 1024 * 1024

/** Without `pg_wal` and `base` PostgreSQL ends without a word. */
const needed = ['global/pg_control', 'pg_wal', 'base']

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? ''

async function found(file: string): Promise<Stats | undefined> {
  return stat(file).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  })
}

/**
 * Examines the files without which PGlite ends with no reason, or begins an empty database over another one.
 * @param folder the data folder @param data the folder of the database in it
 * @returns whether there is a database
 * @throws DatabaseDamaged, DatabaseVersionDiffers, FolderUnusable
 */
export async function hasDatabase(folder: string, data: string): Promise<boolean> {
  const names = await namesOf(folder, data)
  if (names.length === 0) return false
  // PGlite takes a folder without this file for a new one, and writes its own files over those in it.
  if (!names.includes('PG_VERSION')) throw new DatabaseDamaged(folder, 'pglite/PG_VERSION がありません')
  const version = (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim()
  if (!/^\d{1,3}$/.test(version)) throw new DatabaseDamaged(folder, 'pglite/PG_VERSION の中身が違います')
  if (version !== FORMAT) throw new DatabaseVersionDiffers(folder, version, FORMAT)
  for (const name of needed)
    if (!(await found(path.join(data, name))))
      throw new DatabaseDamaged(folder, `pglite/${name} がありません`)
  const control = await found(path.join(data, 'global/pg_control'))
  if (control?.size !== PAGE) throw new DatabaseDamaged(folder, 'pglite/global/pg_control の長さが違います')
  return true
}

async function namesOf(folder: string, data: string): Promise<string[]> {
  try {
    const names = await readdir(data)
    for (const name of ['', ...names.filter((it) => it === 'PG_VERSION' || needed.includes(it))])
      await access(path.join(data, name), constants.R_OK | constants.W_OK)
    return names
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw unusable(folder, error) ?? error
  }
}

function unusable(folder: string, cause: unknown, code = codeOf(cause)): FolderUnusable | undefined {
  const sentence = folderSentence(folder, code)
  return sentence === undefined ? undefined : new FolderUnusable(sentence, { cause })
}

/** Folders of the files of people. */
const filesOfPeople = ['uploads', 'media']

/**
 * A new database in a folder that had one would be taken for a site without people.
 * @throws DatabaseMissing
 */
export async function mustBeNew(folder: string): Promise<void> {
  for (const name of filesOfPeople) {
    const names = await readdir(path.join(folder, name)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw unusable(folder, error) ?? error
    })
    if (names.length > 0) throw new DatabaseMissing(folder)
  }
}

/** How PostgreSQL names errors of the file system. */
const words: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded|Quota exceeded/i, 'ENOSPC'],
  [/Permission denied|Operation not permitted/i, 'EACCES'],
  [/Read-only file system/i, 'EROFS'],
  [/Input\/output error|I\/O error/i, 'EIO'],
  [/Too many open files|No file descriptors available/i, 'EMFILE'],
]
/** Numbers of errors in WebAssembly, which PGlite throws as they are. */
const numbers: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  33: 'EMFILE',
  41: 'ENFILE',
  48: 'ENOMEM',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
}
const noMemory = /out of memory|could not allocate|cannot allocate memory/i

/**
 * The reason why PGlite could not open a database, which its own error does not tell.
 * @param error what PGlite has thrown @param said what PostgreSQL said when it ended, the last first
 */
export async function reasonOf(folder: string, error: unknown, said: readonly string[] = []): Promise<Error> {
  const { errno } = error as { errno?: number }
  const code = codeOf(error) || (numbers[errno ?? 0] ?? '')
  const text = error instanceof Error ? error.message : `errno ${errno ?? 0}`
  const all = [...said, text]
  if (code === 'ENOMEM' || all.some((it) => noMemory.test(it))) return new MemoryShort({ cause: error })
  const spoken = words.find(([pattern]) => all.some((it) => pattern.test(it)))?.[1] ?? ''
  const reason = await whyUnusable(folder).catch((cause: unknown) => cause)
  const known = unusable(folder, error, code) ?? unusable(folder, error, spoken) ?? unusable(folder, reason)
  if (known) return known
  const last = said[0] ?? text.split('\n')[0] ?? ''
  return new DatabaseDamaged(folder, `PostgreSQL が起動しません: ${last}`, { cause: error })
}

/** @throws the error of the file system that a database in this data folder meets */
async function whyUnusable(folder: string): Promise<void> {
  const probe = path.join(folder, 'todoke.probe')
  await writeFile(probe, '')
  await rm(probe)
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < FREE) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
}

/**
 * Compares the length of each table and index with its pages. PostgreSQL ignores the rest of a page at the end of a file, so that the
 * rows of a page that was cut would be missing without an error. The rest of zeros is that of a file that a full disk kept from
 * growing, which has never had a row.
 * @param files paths in the folder of the database, after its log was replayed
 * @throws DatabaseDamaged
 */
export function mustHaveWholePages(folder: string, data: string, files: readonly string[]): void {
  for (const file of files) mustBeWhole(folder, data, file)
}

/** @param file its first file: PostgreSQL adds `.1` and so on for each GiB */
function mustBeWhole(folder: string, data: string, file: string): void {
  for (let part = 0; ; part++) {
    const name = part === 0 ? file : `${file}.${part}`
    const about = statSync(path.join(data, name), { throwIfNoEntry: false })
    if (!about && part > 0) return
    if (!about) throw new DatabaseDamaged(folder, `pglite/${name} がありません`)
    const rest = about.size % PAGE
    if (rest !== 0 && hasContent(path.join(data, name), about.size - rest))
      throw new DatabaseDamaged(folder, `pglite/${name} が途中で切れています`)
  }
}

/** Whether a file has a byte other than zero after a place. */
function hasContent(file: string, from: number): boolean {
  const opened = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(PAGE)
    return buffer.subarray(0, readSync(opened, buffer, 0, PAGE, from)).some((it) => it !== 0)
  } finally {
    closeSync(opened)
  }
}
