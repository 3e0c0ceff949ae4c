// Sends a stored object, or lets the proxy send it, with ranges and conditional requests.
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import type { DiskObjects } from '#server/adapters/files/disk-objects.ts'
import type { ObjectKey } from '#server/adapters/files/object-store.ts'

interface SendOptions {
  /** Whether the type follows from the name; otherwise the reply has it already. */
  readonly contentType?: boolean
}

/** The parts of the server's dependencies that sending needs. */
interface Senders {
  readonly storage: { readonly objects: Pick<DiskObjects, 'pathOf'> }
  /** `accelPrefix`: where the proxy has its internal locations of objects; '' when this server sends them. */
  readonly settings: { readonly accelPrefix: string }
}

/** Types of the objects that are sent without a type of their own, by the ending of their key. */
const types: Readonly<Record<string, string>> = { '.webp': 'image/webp', '.mp4': 'video/mp4' }

/** Sends an object; the caller has decided that the reader may have it, and has set the headers of its cache. */
export function sendObject(
  reply: FastifyReply,
  { storage, settings }: Senders,
  key: ObjectKey,
  options: SendOptions = {},
): FastifyReply {
  if (settings.accelPrefix !== '') return letProxySend(reply, settings.accelPrefix, key)
  const file = storage.objects.pathOf(key)
  return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, ...options })
}

/** Replies with the internal address of an object, and without a body. The proxy handles ranges and conditions. */
function letProxySend(reply: FastifyReply, prefix: string, key: ObjectKey): FastifyReply {
  if (reply.getHeader('content-type') === undefined)
    reply.type(types[path.posix.extname(key)] ?? 'application/octet-stream')
  return reply.header('x-accel-redirect', internalAddress(prefix, key)).send()
}

/**
 * Address of an object behind the proxy, which no client can request.
 * @param prefix such as `/stored`
 * @throws TypeError for a key that would leave the prefix
 */
export function internalAddress(prefix: string, key: ObjectKey): string {
  const parts = key.split('/')
  if (parts.some((it) => it === '' || it === '.' || it === '..'))
    throw new TypeError(`not a key of an object: ${key}`)
  return [prefix, ...parts.map(encodeURIComponent)].join('/')
}
