// A bucket as a place from which, or to which, objects are moved.
import { randomUUID } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { checkKey, type ObjectKey } from '#server/adapters/files/object-store.ts'
import type { MovePlace } from '#server/adapters/files/moving/place.ts'
import { createBucket } from './bucket.ts'
import { sha256Of, withDigest } from './digests.ts'

/** Bytes of a part, and of the largest file that is stored at once. */
const PART = 32 * 1024 * 1024

interface Where {
  readonly client: S3Client
  readonly bucket: string
  /** What each name in the bucket begins with. */
  readonly root: string
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** Bytes of an upload that is not an object yet. */
const isTail = (key: ObjectKey): boolean =>
  (key.startsWith('uploads/') || key.startsWith('identity-uploads/')) && key.includes('.tail.')

export function createS3Place({ client, bucket, root }: Where): MovePlace {
  const objects = createBucket(client, bucket)
  const nameOf = (key: ObjectKey) => `${root}${checkKey(key)}`
  const marked = async (Key: string): Promise<string | undefined> => {
    try {
      const { Metadata = {} } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key }))
      return Metadata['moved'] ?? ''
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }
  return {
    async *keys(prefix) {
      for await (const page of objects.keys(`${root}${prefix}/`))
        yield page.map((name) => name.slice(root.length) as ObjectKey).filter((it) => !isTail(it))
    },
    async putOnce(key, file) {
      const put: Put = { client, Bucket: bucket, Key: nameOf(key), mark: randomUUID(), file }
      const { size } = await stat(file)
      if (size > PART) {
        // Not every store knows the condition of the last request: the object is looked for right before it.
        const isMissing = async () => (await marked(put.Key)) === undefined
        return (await putParts(put, size, isMissing)) ? put.mark : undefined
      }
      try {
        await putWhole(put)
        return put.mark
      } catch (error) {
        if (statusOf(error) !== 412) throw error
        // A repeated request finds the object of the first one.
        return (await marked(put.Key)) === put.mark ? put.mark : undefined
      }
    },
    isMarked: async (key, mark) => (await marked(nameOf(key))) === mark,
    removeMoved: (key) => objects.remove([nameOf(key)]),
  }
}

interface Put {
  readonly client: S3Client
  readonly Bucket: string
  readonly Key: string
  readonly mark: string
  readonly file: string
}

async function putWhole({ client, Bucket, Key, mark, file }: Put): Promise<void> {
  const Body = await readFile(file)
  const command = new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: '*', Metadata: { moved: mark } })
  await client.send(withDigest(command, sha256Of(Body)))
}

/** @returns whether the object was made */
async function putParts(put: Put, size: number, isMissing: () => Promise<boolean>): Promise<boolean> {
  const { client, mark, file, ...where } = put
  const objects = createBucket(client, where.Bucket)
  const { UploadId = '' } = await client.send(
    new CreateMultipartUploadCommand({ ...where, Metadata: { moved: mark } }),
  )
  const handle = await open(file)
  try {
    const Parts: { PartNumber: number; ETag: string }[] = []
    for (let start = 0; start < size; start += PART) {
      const Body = Buffer.alloc(Math.min(PART, size - start))
      const { bytesRead } = await handle.read(Body, 0, Body.length, start)
      if (bytesRead < Body.length) throw new Error(`${file} became shorter while it was moved`)
      const PartNumber = Parts.length + 1
      const command = new UploadPartCommand({ ...where, UploadId, PartNumber, Body })
      const { ETag = '' } = await client.send(withDigest(command, sha256Of(Body)))
      Parts.push({ PartNumber, ETag })
    }
    const isNew = await isMissing()
    if (isNew)
      await client.send(
        new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload: { Parts } }),
      )
    else await objects.abort(where.Key, UploadId)
    return isNew
  } catch (error) {
    await objects.abort(where.Key, UploadId).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}
