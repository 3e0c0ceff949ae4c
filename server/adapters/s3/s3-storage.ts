// Where objects and uploads are when there is an S3 store beside the data folder.
import {
  checkKey,
  type ListedName,
  type ObjectStore,
  type Prefix,
  type UploadPrefix,
} from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import type { MovePlace } from '#server/adapters/files/moving/place.ts'
import type { PartBytes } from '#server/adapters/files/part-bytes.ts'
import type { UploadBytes } from '#server/adapters/files/upload-bytes.ts'
import { type Metrics, noMetrics } from '#server/adapters/metrics/metrics.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'
import { type Bucket, createBucket } from './bucket.ts'
import { openS3Client, READING_SOCKETS, type S3Settings } from './client.ts'
import { recordRequests, traceObjectRequests } from './recorded.ts'
import { createS3Objects } from './s3-objects.ts'
import { createS3Place } from './s3-place.ts'
import { createReadSigner } from './signed-read.ts'
import { createS3PartBytes } from './s3-part-bytes.ts'
import { createS3UploadBytes } from './s3-upload-bytes.ts'
import type { UploadParts } from '#server/adapters/files/upload-parts.ts'

interface S3Storage {
  readonly objects: Readonly<Record<Prefix, ObjectStore>>
  readonly uploadBytes: UploadBytes
  readonly documentBytes: UploadBytes
  readonly partBytes: PartBytes
}

/** What learns of each request to the store; by default nothing does. */
export interface Observers {
  readonly metrics?: Pick<Metrics, 'objectStore'>
  readonly traces?: Traces | undefined
}

/** Opens the stores of the prefixes. No request is sent before the first object is used. */
export function openS3Storage(
  settings: S3Settings,
  scratch: Scratch,
  partsOf: (prefix: UploadPrefix) => UploadParts,
  { metrics = noMetrics, traces }: Observers = {},
): S3Storage {
  const [client, reading] = [openS3Client(settings), openS3Client(settings, { sockets: READING_SOCKETS })]
  for (const it of [client, reading]) {
    recordRequests(it, metrics)
    traceObjectRequests(it, traces)
  }
  const root = settings.prefix
  const bucketOf = (name: string) => createBucket(client, name, reading)
  const [bucket, identityBucket] = [bucketOf(settings.bucket), bucketOf(settings.identityBucket)]
  const sign = createReadSigner(client, settings)
  const objects = createS3Objects({ bucket, root, scratch, sign })
  // Without `sign`: no proxy reads documents.
  const identity = createS3Objects({ bucket: identityBucket, root, scratch })
  const bytesIn = (of: Bucket, prefix: UploadPrefix) =>
    createS3UploadBytes({ bucket: of, root, prefix, parts: partsOf(prefix) })
  const uploadBytes = bytesIn(bucket, 'uploads')
  const documentBytes = bytesIn(identityBucket, 'identity-uploads')
  const begunIn = (of: Bucket) => (start: string) => of.begun(`${root}${start}`)
  return {
    objects: {
      uploads: uploadsIn(objects, uploadBytes, begunIn(bucket)),
      'identity-uploads': uploadsIn(identity, documentBytes, begunIn(identityBucket)),
      media: objects,
      exports: objects,
      erasures: objects,
      identity,
    },
    uploadBytes,
    documentBytes,
    partBytes: createS3PartBytes({ bucket, root, prefix: 'uploads', parts: partsOf('uploads') }),
  }
}

/**
 * Uploads as objects: removing one removes its parts and its tail too. Listed are also those that are not objects yet,
 * by their tails or their beginning in the store.
 */
function uploadsIn(objects: ObjectStore, bytes: UploadBytes, begun: Bucket['begun']): ObjectStore {
  const idOf = (key: string) => key.slice(key.lastIndexOf('/') + 1).split('.')[0] ?? ''
  return {
    ...objects,
    remove: async (key) => bytes.remove(idOf(checkKey(key))),
    removeFolder: async (key) => bytes.remove(idOf(checkKey(key))),
    async *list(prefix) {
      const seen = new Set<string>()
      for await (const page of objects.list(prefix)) yield unseen(page, seen, ({ name }) => idOf(name))
      for await (const page of begun(`${prefix}/`)) {
        const names = page.map((it) => ({ name: idOf(it.key), modifiedAt: async () => it.begunAt }))
        const others = unseen(names, seen, ({ name }) => name)
        if (others.length > 0) yield others
      }
    },
  }
}

/** Each upload once, named by its id. @param seen those of earlier pages, to which these are added */
function unseen(
  names: readonly ListedName[],
  seen: Set<string>,
  idOf: (it: ListedName) => string,
): readonly ListedName[] {
  const found = names.map((it) => ({ ...it, name: idOf(it) })).filter(({ name }) => !seen.has(name))
  for (const { name } of found) seen.add(name)
  return [...new Map(found.map((it): [string, ListedName] => [it.name, it])).values()]
}

/** The buckets as places of a move. */
export function openS3Places(settings: S3Settings): (prefix: Prefix) => MovePlace {
  const client = openS3Client(settings)
  const { bucket, identityBucket, prefix: root } = settings
  const isForIdentity = (prefix: Prefix) => prefix === 'identity' || prefix === 'identity-uploads'
  return (prefix) => createS3Place({ client, bucket: isForIdentity(prefix) ? identityBucket : bucket, root })
}
