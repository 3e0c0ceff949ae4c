// New buckets for benchmarks, in the store that the environment names.
import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'

export interface BenchBuckets {
  /** Variables of the server that name them. */
  readonly env: Record<string, string>
  /** Host and port of the store. */
  readonly host: string
  /** Replaces all objects whose name has this beginning and ending by so many bytes. */
  replace(start: string, ending: string, bytes: number): Promise<void>
}

const openClient = () =>
  new S3Client({
    endpoint: process.env['S3_ENDPOINT'] ?? '',
    region: process.env['S3_REGION'] ?? 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: {
      accessKeyId: process.env['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: process.env['S3_SECRET_ACCESS_KEY'] ?? '',
    },
  })

/** @returns its name */
export async function newBucket(): Promise<string> {
  const client = openClient()
  const name = `bench-${randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket: name }))
  client.destroy()
  return name
}

/** Creates a bucket for media, and one for identity documents. */
export async function openBuckets(): Promise<BenchBuckets> {
  const [Bucket, identity] = [await newBucket(), await newBucket()]
  return {
    env: { S3_BUCKET: Bucket, S3_IDENTITY_BUCKET: identity },
    host: new URL(process.env['S3_ENDPOINT'] ?? '').host,
    async replace(start, ending, bytes) {
      const client = openClient()
      const Body = Buffer.alloc(bytes, 1)
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: start }))
      for (const { Key = '' } of Contents)
        if (Key.endsWith(ending)) await client.send(new PutObjectCommand({ Bucket, Key, Body }))
      client.destroy()
    },
  }
}
