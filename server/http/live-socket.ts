// The live connection of a request's page, which must not be sent its own change.
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { personChannel } from '#contract/realtime/channels.ts'
import { SOCKET_HEADER } from '#contract/paths.ts'
import { socketId } from '#contract/realtime/realtime.ts'
import type { Realtime } from '#server/adapters/realtime/realtime.ts'

/** What the client says of itself; what is no id of a connection counts as nothing. */
export function socketOf({ headers }: FastifyRequest): string | undefined {
  const read = v.safeParse(socketId, headers[SOCKET_HEADER])
  return read.success ? read.output : undefined
}

/** Whom these people see is another choice from now on: all their pages read again, but the one that did it. */
export function sayPeopleChanged(
  realtime: Pick<Realtime, 'publish'>,
  request: FastifyRequest,
  ...userIds: string[]
): void {
  const told = { event: 'people.changed', data: {}, except: socketOf(request) } as const
  realtime.publish(userIds.map((id) => ({ ...told, channel: personChannel(id) })))
}
