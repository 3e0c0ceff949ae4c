// The data folder: uploads, made media and temporary files, and writing them durably.
import { createHash, randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { type DiskRoom, createDiskRoom } from './disk-room.ts'
import { writeZip, type ZipEntry } from './zip.ts'

export interface Files {
  /** Folder of the resumable uploads; an upload's file has its id as name. */
  readonly uploads: string
  /** Folder of files made from uploads, one folder per media. */
  readonly media: string
  /** Folder of encrypted documents, separate from everything that is served. */
  readonly identity: string
  /** Folder of the exports' zips. */
  readonly exports: string
  readonly temporary: string
  uploadPath(id: string): string
  mediaFolder(id: string): string
  sealedPath(id: string): string
  exportPath(id: string): string
  newTemporary(): string
  /** Writes a zip of any size that only this process's user may read. */
  writeZip(to: string, entries: readonly ZipEntry[], now: number): Promise<void>
  /** Size in bytes, or undefined when there is no such file. */
  sizeOf(file: string): Promise<number | undefined>
  /** Moves a written file to its place; durable when it returns. */
  moveDurably(from: string, to: string): Promise<void>
  /** Free disk space of the folder. */
  readonly room: DiskRoom
  /** Truncates a file to so many bytes. */
  cutAt(file: string, length: number): Promise<void>
  /** Writes a file's bytes at an offset of another, which then ends with them; durable when it returns. */
  placeDurably(from: string, to: string, offset: number): Promise<void>
  remove(file: string): Promise<void>
  compositeDigestOf(file: string): Promise<string>
  /** Writes, reads and removes a small file, or throws. */
  probe(): Promise<void>
}

/** Temporary files unchanged for this long are of a process that died, ms. */
const ABANDONED = 24 * 3600 * 1000

/** Only the user of this process may enter. */
const PRIVATE = 0o700

interface FilesOptions {
  /** Whether other processes may use the folder too; their temporary files stay. */
  readonly shared?: boolean
  readonly room?: DiskRoom
}

export async function createFiles(root: string, options: FilesOptions = {}): Promise<Files> {
  const { shared = false, room = createDiskRoom(root, 0) } = options
  const folder = (name: string) => path.join(root, name)
  const [uploads, media, temporaries] = [folder('uploads'), folder('media'), folder('tmp')]
  const [identity, zips] = [folder('identity'), folder('exports')]
  await clear(temporaries, shared ? Date.now() - ABANDONED : Number.POSITIVE_INFINITY)
  const temporary = path.join(temporaries, randomUUID())
  for (const it of [uploads, media, temporaries, temporary, identity, zips]) {
    await mkdir(it, { recursive: true, mode: PRIVATE })
    // Folders of earlier versions were open to other users of the machine.
    await chmod(it, PRIVATE)
  }
  const newTemporary = () => path.join(temporary, randomUUID())
  return {
    uploads,
    media,
    identity,
    exports: zips,
    temporary,
    room,
    uploadPath: (id) => path.join(uploads, id),
    mediaFolder: (id) => path.join(media, id),
    sealedPath: (id) => path.join(identity, id),
    exportPath: (id) => path.join(zips, `${id}.zip`),
    newTemporary,
    writeZip,
    sizeOf,
    moveDurably,
    placeDurably,
    cutAt: (file, length) => truncate(file, length),
    remove: (file) => rm(file, { recursive: true, force: true }),
    compositeDigestOf,
    async probe() {
      const file = newTemporary()
      const written = randomUUID()
      await writeFile(file, written)
      const read = await readFile(file, 'utf8')
      await rm(file)
      if (read !== written) throw new Error('the data folder returns other bytes than were written')
    },
  }
}

async function clear(folder: string, before: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    const it = path.join(folder, name)
    const about = await stat(it).catch(() => undefined)
    if (about && about.mtimeMs < before) await rm(it, { recursive: true, force: true })
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Syncs a file, then its folder: both are needed for the file to survive a power cut. */
export async function syncFile(file: string): Promise<void> {
  for (const it of [file, path.dirname(file)]) {
    const handle = await open(it, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFile(to)
}

async function placeDurably(from: string, to: string, offset: number): Promise<void> {
  const target = await open(to, constants.O_RDWR | constants.O_CREAT)
  try {
    await target.truncate(offset)
    let end = offset
    for await (const part of createReadStream(from, {
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
      for (let rest = part; rest.length > 0;) {
        const { bytesWritten } = await target.write(rest, 0, rest.length, end)
        end += bytesWritten
        rest = rest.subarray(bytesWritten)
      }
    }
  } finally {
    await target.close()
  }
  await syncFile(to)
}

async function compositeDigestOf(file: string): Promise<string> {
  const leaves: Uint8Array[] = []
  let leaf = createHash('sha256')
  let room = DIGEST_LEAF
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let rest = chunk
    while (rest.length > 0) {
      const part = rest.subarray(0, room)
      leaf.update(part)
      rest = rest.subarray(part.length)
      room -= part.length
      if (room > 0) continue
      leaves.push(leaf.digest())
      leaf = createHash('sha256')
      room = DIGEST_LEAF
    }
  }
  if (room < DIGEST_LEAF) leaves.push(leaf.digest())
  return compositeDigest(leaves)
}
