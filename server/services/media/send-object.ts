// Sends a stored object, with ranges and conditional requests.
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import { sendStream } from './send-stream.ts'

interface SendOptions {
  /** Whether the type follows from the name; otherwise the reply has it already. */
  readonly contentType?: boolean
}

/** Sends an object; the caller has set the headers of its cache. */
export async function sendObject(
  reply: FastifyReply,
  objects: Pick<ObjectStore, 'pathOf' | 'factsOf' | 'read'>,
  key: ObjectKey,
  options: SendOptions = {},
): Promise<FastifyReply> {
  const file = objects.pathOf(key)
  if (file === undefined) return sendStream(reply, objects, key, options)
  return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, ...options })
}
