// Stores objects as files of the data folder; a key is a path in it.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withFile } from './with-file.ts'
import { digestOfFile } from './digest.ts'
import { moveDurably } from './durable.ts'
import { partsFileOf, uploadOfFile } from './parts-file.ts'
import {
  checkKey,
  type ListedName,
  NoObject,
  type ObjectFacts,
  type ObjectKey,
  type ObjectPart,
  type ObjectStore,
  type Prefix,
  type StoredObject,
} from './object-store.ts'

/** Names that are listed at once. */
const PAGE = 500

/** @param root the data folder, which has a folder of each prefix */
export function createDiskObjects(root: string): ObjectStore {
  const pathOf = (key: ObjectKey) => path.join(root, checkKey(key))
  const remove = async (key: ObjectKey) => {
    await rm(pathOf(key), { recursive: true, force: true })
    if (isOfUpload(key)) await rm(partsFileOf(pathOf(key)), { force: true })
  }
  return {
    pathOf,
    signedRead: async () => undefined,
    factsOf: async (key) => factsOf(pathOf(key)),
    sizeOf: async (key) => (await factsOf(pathOf(key)))?.size,
    async *read(key, part) {
      yield* read(key, pathOf(key), part)
    },
    async withLocal(key, work) {
      if ((await factsOf(pathOf(key))) === undefined) throw new NoObject(key)
      return work(pathOf(key))
    },
    async withBytes(key, work) {
      if ((await factsOf(pathOf(key))) === undefined) throw new NoObject(key)
      return withFile(pathOf(key), work)
    },
    digestOf: async (key) => digestOfFile(pathOf(key)),
    put: async (key, file) => moveDurably(file, pathOf(key)),
    async putFolder(key, folder) {
      await remove(key)
      await rename(folder, pathOf(key))
    },
    async addFolder(key, folder, last) {
      const to = pathOf(key)
      await mkdir(to, { recursive: true })
      const names = (await readdir(folder)).filter((it) => it !== last)
      for (const name of [...names, last]) await rename(path.join(folder, name), path.join(to, name))
    },
    remove,
    removeFolder: remove,
    below: (key) => below(key, pathOf(key)),
    list: (prefix) => list(path.join(root, prefix), prefix),
    async probe() {
      const file = path.join(root, 'tmp', randomUUID())
      const written = randomUUID()
      await writeFile(file, written)
      const found = await readFile(file, 'utf8')
      await rm(file)
      if (found !== written) throw new Error('the data folder returns other bytes than were written')
    },
  }
}

/** Undefined when there is no file. Files are never changed, but may be replaced: their tag is of their size and time. */
async function factsOf(file: string): Promise<ObjectFacts | undefined> {
  try {
    const { size, mtimeMs } = await stat(file)
    return { size, etag: `"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`, modifiedAt: mtimeMs }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function* read(key: ObjectKey, file: string, part?: ObjectPart): AsyncGenerator<Buffer, void> {
  if (part && part.end <= part.start) return
  const bytes = part && { start: part.start, ...(part.end < Infinity && { end: part.end - 1 }) }
  try {
    yield* createReadStream(file, { highWaterMark: 256 * 1024, ...bytes }) as AsyncIterable<Buffer>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new NoObject(key)
    throw error
  }
}

async function* below(key: ObjectKey, folder: string): AsyncGenerator<StoredObject, void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
      throw error
    },
  )
  for (const it of entries) {
    if (!it.isFile()) continue
    const file = path.join(it.parentPath, it.name)
    const facts = await factsOf(file)
    const name = path.relative(folder, file).replaceAll(path.sep, '/')
    if (facts) yield { key: `${key}/${name}` as ObjectKey, size: facts.size, etag: facts.etag }
  }
}

const isOfUpload = (key: string) => key === 'uploads' || key.startsWith('uploads/')

async function* list(folder: string, prefix: Prefix): AsyncGenerator<readonly ListedName[], void> {
  let page: ListedName[] = []
  for await (const { name } of await opendir(folder)) {
    page.push({
      name: isOfUpload(prefix) ? uploadOfFile(name) : name,
      modifiedAt: () =>
        stat(path.join(folder, name)).then(
          (it) => it.mtimeMs,
          () => undefined,
        ),
    })
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
