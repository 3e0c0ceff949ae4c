// The folder of a backup, which is called `.partial` until it is complete.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from './durable.ts'
import type { ObjectKey } from './object-store.ts'

/** What a folder that is not complete is called. */
const PARTIAL = '.partial'
export const isPartial = (folder: string): boolean => path.basename(folder).endsWith(PARTIAL)

/**
 * Why a file has no second name: it is on another file system, has as many names as it may, belongs to another user, was removed
 * meanwhile, or its file system has no such names.
 */
const unlinkable: ReadonlySet<string | undefined> = new Set([
  'EXDEV',
  'EMLINK',
  'EPERM',
  'EACCES',
  'ENOENT',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
])

/** The folder cannot be used; the message is for the operator. */
export class FolderRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FolderRefused'
  }
}

export interface FileFacts {
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly sha256: string
}

export interface NewBackup {
  /** A path in the folder. */
  pathOf(name: string): string
  /** Writes a file with these bytes; durable when it returns. */
  write(name: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<FileFacts>
  /** Writes a copy of an object. */
  writeObject(key: ObjectKey, bytes: AsyncIterable<Buffer>): Promise<FileFacts>
  /**
   * Makes the copy of an object a hard link to a copy of the same bytes, also where one was written already.
   * @returns false where the file cannot be linked
   */
  linkObject(key: ObjectKey, file: string): Promise<boolean>
  /** Gives the folder its name. */
  finish(): Promise<void>
  /** Removes what was written, after an error. */
  abandon(): Promise<void>
}

/** The path of an object's copy. */
export const copyIn = (folder: string, key: ObjectKey): string => path.join(folder, 'objects', key)

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })

/**
 * @param makeLink another one only in tests
 * @throws FolderRefused unless the folder is missing or empty
 */
export async function beginBackup(folder: string, makeLink: typeof link = link): Promise<NewBackup> {
  if ((await namesIn(folder)).length > 0) throw new FolderRefused(`フォルダー ${folder} は空ではありません。`)
  const partial = `${folder}${PARTIAL}`
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 })
  await mkdir(partial, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new FolderRefused(
      `途中で終わったバックアップ ${partial} があります。ほかに実行中でないことを確認し、削除してから実行してください。`,
    )
  })
  const write = async (file: string, bytes: AsyncIterable<Buffer> | Iterable<Buffer>) => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    return writeHashed(file, bytes)
  }
  return {
    pathOf: (name) => path.join(partial, name),
    write: (name, bytes) => write(path.join(partial, name), bytes),
    writeObject: (key, bytes) => write(copyIn(partial, key), bytes),
    async linkObject(key, file) {
      const copy = copyIn(partial, key)
      const linked = `${copy}.link`
      await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 })
      try {
        await makeLink(file, linked)
      } catch (error) {
        if (unlinkable.has((error as NodeJS.ErrnoException).code)) return false
        throw error
      }
      await rename(linked, copy)
      return true
    },
    async finish() {
      for (const it of await readdir(partial, { recursive: true, withFileTypes: true }))
        if (it.isDirectory()) await syncFolder(path.join(it.parentPath, it.name))
      await syncFolder(partial)
      await rmdir(folder).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      await rename(partial, folder)
      await syncFolder(path.dirname(folder))
    },
    abandon: () => rm(partial, { recursive: true, force: true }),
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a new private file, and computes its digest on the way; durable when it returns. */
async function writeHashed(
  file: string,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<FileFacts> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const piece of bytes) {
      hash.update(piece)
      size += piece.length
      await handle.writeFile(piece)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** Undefined when there is no file. @param quick without the digest, which is then '' */
export async function factsOfFile(file: string, quick = false): Promise<FileFacts | undefined> {
  try {
    const { size } = await stat(file)
    if (quick) return { size, sha256: '' }
    const hash = createHash('sha256')
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>)
      hash.update(piece)
    return { size, sha256: hash.digest('hex') }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Makes a file of another program durable. */
export async function settleFile(file: string): Promise<FileFacts> {
  await syncFile(file)
  const facts = await factsOfFile(file)
  if (!facts) throw new Error(`${file} was not written`)
  return facts
}

/** @throws FolderRefused for a backup that is not complete, or no folder of one */
export async function readBackupFile(folder: string, name: string): Promise<string> {
  if (isPartial(folder)) throw new FolderRefused(`${folder} は、途中で終わったバックアップです。使えません。`)
  try {
    return await readFile(path.join(folder, name), 'utf8')
  } catch (error) {
    if (isMissing(error))
      throw new FolderRefused(`${folder} はバックアップのフォルダーではありません（${name} がありません）。`)
    throw error
  }
}
