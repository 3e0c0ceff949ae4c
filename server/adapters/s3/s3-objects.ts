// Stores objects in a bucket; keys are names in it, below a root.
import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { compositeDigestOf } from '#server/adapters/files/digest.ts'
import {
  checkKey,
  type ListedName,
  NoObject,
  type ObjectKey,
  type ObjectPart,
  type ObjectStore,
  type SignedRead,
  type StoredObject,
} from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import type { Bucket } from './bucket.ts'
import { putFile } from './put-file.ts'
import { withCopy, withRanges } from './ranges.ts'

/** Files of a folder that are stored at the same time. */
const AT_ONCE = 4

interface S3ObjectsOptions {
  readonly bucket: Bucket
  /** What each name in the bucket begins with: empty, or ends with a slash. */
  readonly root: string
  /** For the local copies of `withLocal`. */
  readonly scratch: Scratch
  /** Signs a read of a name in the bucket; without it, no proxy reads from the bucket. */
  readonly sign?: ((name: string) => Promise<SignedRead>) | undefined
}

export function createS3Objects({ bucket, root, scratch, sign }: S3ObjectsOptions): ObjectStore {
  const nameOf = (key: ObjectKey) => `${root}${checkKey(key)}`
  const read = (key: ObjectKey, part?: ObjectPart) => readObject(bucket, nameOf(key), key, part)
  return {
    pathOf: () => undefined,
    signedRead: async (key) => sign?.(nameOf(key)),
    factsOf: async (key) => bucket.facts(nameOf(key)),
    sizeOf: async (key) => (await bucket.facts(nameOf(key)))?.size,
    async *read(key, part) {
      yield* read(key, part)
    },
    async withLocal(key, work) {
      return withCopy(scratch, read(key), work)
    },
    async withBytes(key, work) {
      const facts = await bucket.facts(nameOf(key))
      if (!facts) throw new NoObject(key)
      return withRanges({ size: facts.size, scratch, read: (part) => read(key, part) }, work)
    },
    digestOf: async (key) => compositeDigestOf(read(key)),
    async put(key, file) {
      await putFile(bucket, nameOf(key), file)
      await rm(file)
    },
    async putFolder(key, folder) {
      const names = await filesOf(folder)
      await putAll(bucket, nameOf(key), folder, names)
      const present = new Set(names.map((it) => `${nameOf(key)}/${it}`))
      for await (const page of bucket.keys(`${nameOf(key)}/`))
        await bucket.remove(page.filter((it) => !present.has(it)))
      await rm(folder, { recursive: true })
    },
    async addFolder(key, folder, last) {
      const names = await filesOf(folder)
      await putAll(
        bucket,
        nameOf(key),
        folder,
        names.filter((it) => it !== last),
      )
      await putAll(bucket, nameOf(key), folder, [last])
      await rm(folder, { recursive: true })
    },
    remove: async (key) => bucket.remove([nameOf(key)]),
    async removeFolder(key) {
      for await (const page of bucket.keys(`${nameOf(key)}/`)) await bucket.remove(page)
      await bucket.remove([nameOf(key)])
    },
    below: (key) => below(bucket, root, `${nameOf(key)}/`),
    list: (prefix) => list(bucket, `${root}${prefix}/`),
    probe: () => probe(bucket, `${root}probe/${randomUUID()}`),
  }
}

async function* below(bucket: Bucket, root: string, start: string): AsyncGenerator<StoredObject, void> {
  for await (const page of bucket.keys(start))
    for (const name of page) {
      const facts = await bucket.facts(name)
      if (facts) yield { key: name.slice(root.length) as ObjectKey, size: facts.size, etag: facts.etag }
    }
}

async function* list(bucket: Bucket, folder: string): AsyncGenerator<readonly ListedName[], void> {
  for await (const page of bucket.entries(folder))
    yield page.map(({ name, modifiedAt }) => ({
      name,
      modifiedAt: async () => modifiedAt ?? bucket.newest(`${folder}${name}/`),
    }))
}

/** Names of all files below a folder, with `/` between folders. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((it) => it.isFile())
    .map((it) => path.relative(folder, path.join(it.parentPath, it.name)).replaceAll(path.sep, '/'))
}

async function putAll(bucket: Bucket, to: string, folder: string, names: readonly string[]): Promise<void> {
  const waiting = [...names]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let it = waiting.pop(); it !== undefined; it = waiting.pop())
        await putFile(bucket, `${to}/${it}`, path.join(folder, it))
    }),
  )
}

/** How often a broken read goes on where it ended, and the pause before it, ms. */
const READS_AGAIN = 5
const READ_PAUSE = 500

/** Reads bytes, and goes on after a lost connection. @throws NoObject */
async function* readObject(
  bucket: Bucket,
  name: string,
  key: ObjectKey,
  { start, end }: ObjectPart = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer, void> {
  if (end <= start) return
  let at = start
  let etag: string | undefined
  for (let again = 0; ; again++) {
    // A range that begins at 0 is refused for an empty object.
    const range = at === 0 && end === Number.POSITIVE_INFINITY ? undefined : rangeOf(at, end)
    const opened = await bucket.open(name, { ...(range && { range }), etag })
    if (opened === 'beyond') return
    if (!opened) throw new NoObject(key)
    etag = opened.etag
    try {
      for await (const bytes of opened.bytes as AsyncIterable<Buffer>) {
        at += bytes.length
        yield bytes
      }
      return
    } catch (error) {
      if (again === READS_AGAIN) throw error
    }
    await pause(READ_PAUSE * (again + 1))
    if (at >= end) return
  }
}

const rangeOf = (start: number, end: number) =>
  `bytes=${start}-${end === Number.POSITIVE_INFINITY ? '' : end - 1}`

async function probe(bucket: Bucket, name: string): Promise<void> {
  const written = Buffer.from(randomUUID())
  await bucket.put(name, written)
  const opened = await bucket.open(name)
  const found = opened && opened !== 'beyond' ? Buffer.concat(await opened.bytes.toArray()) : Buffer.alloc(0)
  await bucket.remove([name])
  if (!found.equals(written)) throw new Error('the object store returns other bytes than were written')
}
