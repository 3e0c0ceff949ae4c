// Sends a stored object, or lets the proxy send it, with ranges and conditional requests.
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import {
  checkKey,
  type ObjectKey,
  type ObjectStore,
  type SignedRead,
} from '#server/adapters/files/object-store.ts'
import { sendStream } from './send-stream.ts'

interface SendOptions {
  /** Whether the type follows from the name; otherwise the reply has it already. */
  readonly contentType?: boolean
}

/** The parts of the server's dependencies that sending needs. */
interface Senders {
  readonly storage: { readonly objects: Pick<ObjectStore, 'pathOf' | 'signedRead' | 'factsOf' | 'read'> }
  /** `accelPrefix`: where the proxy has its internal locations of files; '' when this server sends them. */
  readonly settings: { readonly accelPrefix: string; readonly accelStore?: boolean }
}

/** Types of the objects that are sent without a type of their own, by the ending of their key. */
const types: Readonly<Record<string, string>> = { '.webp': 'image/webp', '.mp4': 'video/mp4' }

/** Header of a proxy that could not read an object from the store: the statuses of its tries. */
const FAILED_HEADER = 'x-accel-failed'

/** Sends an object; the caller has decided that the reader may have it, and has set the headers of its cache. */
export async function sendObject(
  reply: FastifyReply,
  senders: Senders,
  key: ObjectKey,
  { contentType = true }: SendOptions = {},
): Promise<FastifyReply> {
  const { objects } = senders.storage
  const { accelPrefix } = senders.settings
  const file = objects.pathOf(key)
  if (file !== undefined && accelPrefix === '')
    return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, contentType })
  if (contentType) reply.type(types[path.posix.extname(key)] ?? 'application/octet-stream')
  // The proxy handles ranges and conditions.
  if (file !== undefined) return reply.header('x-accel-redirect', internalAddress(accelPrefix, key)).send()
  const signed = await readByProxy(reply, senders, key)
  if (!signed) return sendStream(reply, objects, key)
  // nginx would keep these two when it asks this server again, beside those of the second reply.
  for (const name of ['cache-control', 'content-disposition']) {
    reply.header(`x-accel-store-${name}`, reply.getHeader(name) ?? '').removeHeader(name)
  }
  // The signature is in headers: proxies and stores write addresses to their logs.
  return reply
    .header('x-accel-redirect', `${accelPrefix}/store${signed.path}`)
    .header('x-accel-store-authorization', signed.authorization)
    .header('x-accel-store-date', signed.date)
    .send()
}

/**
 * The request by which the proxy reads an object from the store.
 * @returns undefined when this server sends the bytes: by its settings, after a failure of the proxy, while objects are moved, or
 * when the reader has a part of another object (`If-Range`, which stores ignore)
 */
async function readByProxy(
  { request }: FastifyReply,
  { storage: { objects }, settings }: Senders,
  key: ObjectKey,
): Promise<SignedRead | undefined> {
  if (settings.accelStore !== true || settings.accelPrefix === '') return undefined
  const failed = request.headers[FAILED_HEADER]
  if (failed !== undefined) {
    request.log.warn({ failed: String(failed).slice(0, 100), key }, 'the proxy could not read from the store')
    return undefined
  }
  const part = request.headers['if-range']
  if (part !== undefined && part !== (await objects.factsOf(key))?.etag) return undefined
  return objects.signedRead(key)
}

/**
 * Address of an object behind the proxy, which no client can request.
 * @param prefix such as `/stored`
 * @throws TypeError for a key that would leave the prefix
 */
export const internalAddress = (prefix: string, key: ObjectKey): string =>
  [prefix, ...checkKey(key).split('/').map(encodeURIComponent)].join('/')
