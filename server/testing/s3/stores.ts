// Buckets of the test run's object store.
import { randomUUID } from 'node:crypto'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { openS3Client, type S3Settings } from '#server/adapters/s3/client.ts'
import { createBucket } from '#server/adapters/s3/bucket.ts'
import { cephOfRun } from './ceph.ts'

export type { S3Settings } from '#server/adapters/s3/client.ts'

/** Settings of two new buckets, one of them for identity documents. */
export async function newBuckets(prefix = ''): Promise<S3Settings> {
  const access = await cephOfRun()
  const name = `test-${randomUUID()}`
  const settings: S3Settings = {
    ...access,
    region: 'us-east-1',
    pathStyle: true,
    bucket: name,
    identityBucket: `${name}-identity`,
    prefix,
  }
  const client = openS3Client(settings)
  for (const Bucket of [settings.bucket, settings.identityBucket])
    await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
  return settings
}

/** Environment of a server with these buckets. */
export const s3Environment = (settings: S3Settings): Record<string, string> => ({
  S3_ENDPOINT: settings.endpoint,
  S3_BUCKET: settings.bucket,
  S3_IDENTITY_BUCKET: settings.identityBucket,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  S3_PATH_STYLE: '1',
})

/** All keys of a bucket. */
export async function keysIn(settings: S3Settings, bucket: string): Promise<string[]> {
  const client = openS3Client(settings)
  const keys: string[] = []
  for await (const page of createBucket(client, bucket).keys('')) keys.push(...page)
  client.destroy()
  return keys
}

/** Keys of the objects of a bucket that are begun in parts and not complete. */
export async function begunIn(settings: S3Settings, bucket: string): Promise<string[]> {
  const client = openS3Client(settings)
  const keys: string[] = []
  for await (const page of createBucket(client, bucket).begun('')) keys.push(...page.map((it) => it.key))
  client.destroy()
  return keys
}
