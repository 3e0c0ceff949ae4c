// Sends a stored object, with ranges and conditional requests.
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import type { DiskObjects } from '#server/adapters/files/disk-objects.ts'
import type { ObjectKey } from '#server/adapters/files/object-store.ts'

interface SendOptions {
  /** Whether the type follows from the name; otherwise the reply has it already. */
  readonly contentType?: boolean
}

/** Sends an object; the caller has set the headers of its cache. */
export function sendObject(
  reply: FastifyReply,
  objects: Pick<DiskObjects, 'pathOf'>,
  key: ObjectKey,
  options: SendOptions = {},
): FastifyReply {
  const file = objects.pathOf(key)
  return reply.sendFile(path.basename(file), path.dirname(file), { cacheControl: false, ...options })
}
