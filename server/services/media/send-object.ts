// Sends a stored object, or lets the proxy send it, with ranges and conditional requests.
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { checkKey, type ObjectKey, type ObjectStore } from '#server/adapters/files/object-store.ts'
import { sendStream } from './send-stream.ts'

interface SendOptions {
  /** Whether the type follows from the name; otherwise the reply has it already. */
  readonly contentType?: boolean
}

/** The parts of the server's dependencies that sending needs. */
interface Senders {
  readonly storage: { readonly objects: Pick<ObjectStore, 'pathOf' | 'factsOf' | 'read'> }
  /** `accelPrefix`: where the proxy has its internal locations of files; '' when this server sends them. */
  readonly settings: { readonly accelPrefix: string }
}

/** Types of the objects that are sent without a type of their own, by the ending of their key. */
const types: Readonly<Record<string, string>> = { '.webp': 'image/webp', '.mp4': 'video/mp4' }

/** Sends an object; the caller has decided that the reader may have it, and has set the headers of its cache. */
export async function sendObject(
  reply: FastifyReply,
  { storage: { objects }, settings }: Senders,
  key: ObjectKey,
  { contentType = true }: SendOptions = {},
): Promise<FastifyReply> {
  const file = objects.pathOf(key)
  if (file !== undefined && settings.accelPrefix === '')
    return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, contentType })
  if (contentType) reply.type(types[path.posix.extname(key)] ?? 'application/octet-stream')
  if (file === undefined) return sendStream(reply, objects, key)
  // The proxy handles ranges and conditions.
  return reply.header('x-accel-redirect', internalAddress(settings.accelPrefix, key)).send()
}

/**
 * Address of an object behind the proxy, which no client can request.
 * @param prefix such as `/stored`
 * @throws TypeError for a key that would leave the prefix
 */
export const internalAddress = (prefix: string, key: ObjectKey): string =>
  [prefix, ...checkKey(key).split('/').map(encodeURIComponent)].join('/')
