// The live connection of a request's page, which must not be sent its own change.
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { type LiveMessage, personChannel } from '#contract/realtime/channels.ts'
import { SOCKET_HEADER } from '#contract/paths.ts'
import { socketId } from '#contract/realtime/realtime.ts'

/** What the client says of itself; what is no id of a connection counts as nothing. */
export function socketOf({ headers }: FastifyRequest): string | undefined {
  const read = v.safeParse(socketId, headers[SOCKET_HEADER])
  return read.success ? read.output : undefined
}

/** Whom a person sees has changed: all their pages read again, but the one that sent the request. */
export function peopleChanged(request: FastifyRequest, userId: string): LiveMessage {
  return { channel: personChannel(userId), event: 'people.changed', data: {}, except: socketOf(request) }
}
