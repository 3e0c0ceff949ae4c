// The live connection of a request's page, which does not receive its own changes.
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { type LiveMessage, personChannel } from '#contract/realtime/channels.ts'
import { SOCKET_HEADER } from '#contract/paths.ts'
import { socketId } from '#contract/realtime/realtime.ts'

/** Id of the live connection, as the client sent it; undefined if missing or invalid. */
export function socketOf({ headers }: FastifyRequest): string | undefined {
  const read = v.safeParse(socketId, headers[SOCKET_HEADER])
  return read.success ? read.output : undefined
}

/** A message that a person's relations have changed, for all their pages except that of the request. */
export function peopleChanged(request: FastifyRequest, userId: string): LiveMessage {
  return { channel: personChannel(userId), event: 'people.changed', data: {}, except: socketOf(request) }
}
