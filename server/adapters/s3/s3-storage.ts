// Where objects are when there is an S3 store beside the data folder.
import type { ObjectStore, Prefix } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import { type Metrics, noMetrics } from '#server/adapters/metrics/metrics.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'
import type { MovePlace } from '#server/adapters/files/moving/place.ts'
import { createBucket } from './bucket.ts'
import { openS3Client, type S3Settings } from './client.ts'
import { recordRequests, traceObjectRequests } from './recorded.ts'
import { createS3Objects } from './s3-objects.ts'
import { createS3Place } from './s3-place.ts'

/** What learns of each request to the store; by default nothing does. */
export interface Observers {
  readonly metrics?: Pick<Metrics, 'objectStore'>
  readonly traces?: Traces | undefined
}

/** Opens the stores of the prefixes. No request is sent before the first object is used. */
export function openS3Storage(
  settings: S3Settings,
  scratch: Scratch,
  { metrics = noMetrics, traces }: Observers = {},
): Readonly<Record<Prefix, ObjectStore>> {
  const client = openS3Client(settings)
  recordRequests(client, metrics)
  traceObjectRequests(client, traces)
  const storeOf = (bucket: string) =>
    createS3Objects({ bucket: createBucket(client, bucket), root: settings.prefix, scratch })
  const objects = storeOf(settings.bucket)
  return { uploads: objects, media: objects, exports: objects, identity: storeOf(settings.identityBucket) }
}

/** The buckets as places of a move. */
export function openS3Places(settings: S3Settings): (prefix: Prefix) => MovePlace {
  const client = openS3Client(settings)
  const { bucket, identityBucket, prefix: root } = settings
  return (prefix) => createS3Place({ client, bucket: prefix === 'identity' ? identityBucket : bucket, root })
}
