// Live messages about a conversation: ids and numbers, from which pages read again.
import type { FastifyRequest } from 'fastify'
import { conversationChannel, personChannel } from '#contract/realtime/channels.ts'
import type { Unit } from '#server/deps.ts'
import { socketOf } from '#server/http/live-socket.ts'
import type { Db } from '#server/store/database.ts'
import type { Numbers } from '#server/store/messages/conversations.ts'
import { countUnreadOf } from '#server/store/messages/lists.ts'

/** A conversation that was changed, and by whom. */
export interface Changed {
  readonly conversationId: string
  readonly byId: string
  readonly otherId: string
  /** The request whose page does not get its own change; undefined for a job. */
  readonly request: FastifyRequest | undefined
}

type Publish = Pick<Unit, 'publish'>

/** For the other devices of the person who made a change. */
export function publishToSelf({ publish }: Publish, it: Changed, now: Numbers): void {
  publish({ ...changedFor(it.byId, it.otherId, it, now), except: pageOf(it) })
}

const pageOf = ({ request }: Changed): string | undefined => request && socketOf(request)

/** For both people. */
export function publishToBoth(unit: Publish, it: Changed, now: Numbers): void {
  publishToSelf(unit, it, now)
  publishToOther(unit, it, now)
}

/** For the other person, and for the pages of both that have the conversation open. */
export function publishToOther({ publish }: Publish, it: Changed, now: Numbers): void {
  publish(changedFor(it.otherId, it.byId, it, now))
  publish({
    channel: conversationChannel(it.conversationId),
    event: 'messages.changed',
    data: { conversation_id: it.conversationId, seq: now.lastSeq, change: now.lastChange },
    except: pageOf(it),
  })
}

function changedFor(userId: string, otherId: string, { conversationId }: Changed, now: Numbers) {
  return {
    channel: personChannel(userId),
    event: 'conversation.changed',
    data: { conversation_id: conversationId, user_id: otherId, seq: now.lastSeq, change: now.lastChange },
  } as const
}

/** The number of a person's unread messages, as it is after the commit. */
export function publishUnread({ publish }: Publish, db: Db, userId: string): void {
  publish(async () => ({
    channel: personChannel(userId),
    event: 'messages.unread',
    data: { count: (await countUnreadOf(db, userId)).count },
  }))
}
