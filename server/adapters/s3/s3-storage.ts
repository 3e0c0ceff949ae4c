// Where objects are when there is an S3 store beside the data folder.
import type { ObjectStore, Prefix } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import { type Metrics, noMetrics } from '#server/adapters/metrics/metrics.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'
import { createBucket } from './bucket.ts'
import { openS3Client, type S3Settings } from './client.ts'
import { recordRequests, traceObjectRequests } from './recorded.ts'
import { createS3Objects } from './s3-objects.ts'

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
