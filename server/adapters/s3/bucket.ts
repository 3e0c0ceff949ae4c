// A bucket of an S3-compatible object store.
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { ObjectFacts } from '#server/adapters/files/object-store.ts'
import { sha256Of, withDigest } from './digests.ts'

/** A name directly below a folder. */
export interface BucketEntry {
  readonly name: string
  /** Milliseconds since 1970; undefined for a folder, which the store knows only by its objects. */
  readonly modifiedAt: number | undefined
}

/** A part that the store has; `etag` in quotes. */
export interface StoredPart {
  /** From 1. */
  readonly no: number
  readonly etag: string
}

/** An object in parts that is not complete. */
export interface BegunObject {
  readonly key: string
  /** By which the store knows it. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly begunAt: number
}

/** Keys are full names in the bucket. All failures but a missing object throw the SDK's `S3ServiceException` or a network error. */
export interface Bucket {
  /** Undefined when there is no object. */
  facts(key: string): Promise<ObjectFacts | undefined>
  /**
   * Opens the bytes of an object.
   * @param range of the header `Range`
   * @returns undefined when there is no object, `beyond` when it ends before the range
   */
  open(
    key: string,
    options?: { readonly range?: string; readonly etag?: string | undefined },
  ): Promise<{ readonly bytes: Readable; readonly etag: string } | 'beyond' | undefined>
  put(key: string, bytes: Buffer): Promise<void>
  /** Removes objects, if they exist. */
  remove(keys: readonly string[]): Promise<void>
  /** All keys that begin with a text, some hundred at once. */
  keys(start: string): AsyncGenerator<readonly string[], void>
  /** Names directly below a folder, whose key ends with a slash. */
  entries(folder: string): AsyncGenerator<readonly BucketEntry[], void>
  /** The newest of the first thousand objects below a folder, milliseconds since 1970. */
  newest(folder: string): Promise<number | undefined>
  /** Begins an object in parts. @returns the id by which the store knows it */
  begin(key: string): Promise<string>
  /** Objects in parts that are not complete and whose keys begin with a text, some hundred at once. */
  begun(start: string): AsyncGenerator<readonly BegunObject[], void>
  /**
   * Stores a part, in place of an earlier one with its number. All but the last have at least 5 MiB.
   * @param sha256 of its bytes, which the store compares
   * @returns undefined when the store does not know the id any more
   */
  putPart(key: string, id: string, no: number, bytes: Buffer, sha256: Buffer): Promise<StoredPart | undefined>
  /** Makes the object of its parts. @returns false when the store does not know the id any more, or has another part */
  complete(key: string, id: string, parts: readonly StoredPart[]): Promise<boolean>
  /** Forgets the parts of an object that is not complete, if the store still has them. */
  abort(key: string, id: string): Promise<void>
}

/** Keys that are removed at once: the limit of the protocol. */
const REMOVED_AT_ONCE = 1000

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** Whether the error says that there is no object, and not that there is no bucket. */
const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'

const isGone = (error: unknown): boolean => (error as Error).name === 'NoSuchUpload'

/**
 * Objects of a bucket, one by one.
 * @param name of the bucket, which exists
 * @param reading the client with which bytes are read, so that slow readers take no connection from uploads
 */
export function createBucket(client: S3Client, name: string, reading = client): Bucket {
  return { ...objectsOf(client, name, reading), ...listsOf(client, name), ...partsOf(client, name) }
}

function objectsOf(
  client: S3Client,
  name: string,
  reading: S3Client,
): Pick<Bucket, 'facts' | 'open' | 'put' | 'remove'> {
  return {
    async facts(key) {
      try {
        const it = await client.send(new HeadObjectCommand({ Bucket: name, Key: key }))
        return {
          size: it.ContentLength ?? 0,
          etag: it.ETag ?? '',
          modifiedAt: it.LastModified?.getTime() ?? 0,
        }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async open(key, { range, etag } = {}) {
      try {
        const request = {
          Bucket: name,
          Key: key,
          ...(range && { Range: range }),
          ...(etag && { IfMatch: etag }),
        }
        const it = await reading.send(new GetObjectCommand(request))
        return { bytes: it.Body as Readable, etag: it.ETag ?? '' }
      } catch (error) {
        if (isMissing(error)) return undefined
        if (statusOf(error) === 416) return 'beyond'
        throw error
      }
    },
    async put(key, bytes) {
      const command = new PutObjectCommand({ Bucket: name, Key: key, Body: bytes })
      await client.send(withDigest(command, sha256Of(bytes)))
    },
    async remove(keys) {
      for (let i = 0; i < keys.length; i += REMOVED_AT_ONCE) {
        const Objects = keys.slice(i, i + REMOVED_AT_ONCE).map((Key) => ({ Key }))
        const { Errors } = await client.send(
          new DeleteObjectsCommand({ Bucket: name, Delete: { Objects, Quiet: true } }),
        )
        const [first] = Errors ?? []
        if (first) throw new Error(`${first.Key} could not be removed: ${first.Code}`)
      }
    },
  }
}

function listsOf(client: S3Client, name: string): Pick<Bucket, 'keys' | 'entries' | 'newest'> {
  async function* pages(start: string, delimiter?: string) {
    let token: string | undefined
    do {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket: name,
          Prefix: start,
          ...(delimiter && { Delimiter: delimiter }),
          ...(token && { ContinuationToken: token }),
        }),
      )
      yield page
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }
  return {
    async *keys(start) {
      for await (const { Contents = [] } of pages(start)) yield Contents.flatMap(({ Key }) => Key ?? [])
    },
    async *entries(folder) {
      const below = (key = '') => key.slice(folder.length)
      for await (const { Contents = [], CommonPrefixes = [] } of pages(folder, '/'))
        yield [
          ...Contents.map((it) => ({ name: below(it.Key), modifiedAt: it.LastModified?.getTime() ?? 0 })),
          ...CommonPrefixes.map((it) => ({
            name: below(it.Prefix).replace(/\/$/, ''),
            modifiedAt: undefined,
          })),
        ]
    },
    async newest(folder) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name, Prefix: folder }))
      const times = Contents.map((it) => it.LastModified?.getTime() ?? 0)
      return times.length === 0 ? undefined : Math.max(...times)
    },
  }
}

/** Pages of the objects in parts that are not complete. */
async function* listBegun(
  client: S3Client,
  name: string,
  start: string,
): AsyncGenerator<readonly BegunObject[], void> {
  let marker: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {}
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: start, ...marker }),
    )
    yield (page.Uploads ?? []).map((it) => ({
      key: it.Key ?? '',
      id: it.UploadId ?? '',
      begunAt: it.Initiated?.getTime() ?? 0,
    }))
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    marker = page.IsTruncated && KeyMarker && UploadIdMarker ? { KeyMarker, UploadIdMarker } : undefined
  }
}

async function isBegun(client: S3Client, name: string, key: string, id: string): Promise<boolean> {
  for await (const page of listBegun(client, name, key))
    if (page.some((it) => it.key === key && it.id === id)) return true
  return false
}

function partsOf(
  client: S3Client,
  name: string,
): Pick<Bucket, 'begin' | 'begun' | 'putPart' | 'complete' | 'abort'> {
  const begun = (start: string) => listBegun(client, name, start)
  return {
    begun,
    async begin(key) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: name, Key: key }))
      if (UploadId === undefined) throw new Error('the object store gave no id of an upload')
      return UploadId
    },
    async putPart(key, id, no, bytes, sha256) {
      const request = { Bucket: name, Key: key, UploadId: id, PartNumber: no, Body: bytes }
      try {
        const { ETag } = await client.send(withDigest(new UploadPartCommand(request), sha256))
        return { no, etag: ETag ?? '' }
      } catch (error) {
        if (isGone(error)) return undefined
        throw error
      }
    },
    async complete(key, id, parts) {
      const Parts = parts.map(({ no, etag }) => ({ PartNumber: no, ETag: etag }))
      const request = { Bucket: name, Key: key, UploadId: id, MultipartUpload: { Parts } }
      try {
        await client.send(new CompleteMultipartUploadCommand(request))
        return true
      } catch (error) {
        if (isGone(error) || (error as Error).name === 'InvalidPart') return false
        // Ceph answers an id that it does not know with the error of a completion that is in progress.
        if (!(await isBegun(client, name, key, id))) return false
        throw error
      }
    },
    async abort(key, id) {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: id }))
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
  }
}
