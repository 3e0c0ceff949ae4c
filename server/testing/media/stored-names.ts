// Names that a store has of one upload, by their place.
import { readdir } from 'node:fs/promises'
import { prefixes } from '#server/adapters/files/object-store.ts'
import { begunIn, keysIn, newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { onS3, openWorld, storedAt, type World } from '#server/testing/world.ts'

export interface WorldWithStore {
  readonly world: World
  /** Names of objects, tails and unfinished parts that contain an id, by the place in which they are. */
  readonly namesOf: (id: string) => Promise<{ readonly media: string[]; readonly identity: string[] }>
}

const isForIdentity = (name: string) => name.startsWith('identity')

/** A test server whose bytes are on the disk, or in the project `unit-s3` in two buckets. */
export async function openWorldWithStore(): Promise<WorldWithStore> {
  const s3 = onS3 ? await newBuckets() : undefined
  const world = await openWorld(s3 && { parts: { s3 } })
  const names = s3 ? () => namesInBuckets(s3) : () => namesOnDisk(world)
  return {
    world,
    async namesOf(id) {
      const { media, identity } = await names()
      const of = (all: readonly string[]) => all.filter((it) => it.includes(id)).toSorted()
      return { media: of(media), identity: of(identity) }
    },
  }
}

async function namesInBuckets(s3: S3Settings) {
  const namesIn = async (bucket: string) => [...(await keysIn(s3, bucket)), ...(await begunIn(s3, bucket))]
  return { media: await namesIn(s3.bucket), identity: await namesIn(s3.identityBucket) }
}

async function namesOnDisk(world: World) {
  const inFolder = async (prefix: string) =>
    (await readdir(storedAt(world, prefix), { recursive: true })).map((it) => `${prefix}/${it}`)
  const all = (await Promise.all(prefixes.map(inFolder))).flat()
  return { media: all.filter((it) => !isForIdentity(it)), identity: all.filter(isForIdentity) }
}
