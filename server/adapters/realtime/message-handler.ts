// Answers the messages of one live connection.
import { type Hub } from './hub.ts'
import type { Presence } from './presence.ts'
import { code, frame, type Incoming, readFrame } from './protocol.ts'
import { type App, type Granted, readGrant } from './signature.ts'
import type { SocketLimits } from './limits.ts'
import type { LiveSocket } from './socket.ts'

interface HandlerParts {
  readonly app: App
  readonly hub: Hub
  readonly presence: Presence
  readonly clock: () => number
  readonly limits: SocketLimits
  /** To everybody on a channel, on every server. */
  readonly say: (channel: string, bytes: Buffer, except?: string) => void
}

type Subscribe = Extract<Incoming, { event: 'pusher:subscribe' }>['data']

export class MessageHandler {
  readonly #parts: HandlerParts

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  received(socket: LiveSocket, text: string): void {
    const now = this.#parts.clock()
    socket.spoke(now)
    if (!socket.mayAsk(now)) return socket.end('tooFast', 'Too many messages')
    const said = readFrame(text)
    if (!said) return socket.refuse(code.refused, 'Invalid message')
    switch (said.event) {
      case 'pusher:ping':
        return socket.tell('pusher:pong', {})
      case 'pusher:pong':
        return
      case 'pusher:subscribe':
        return void this.#subscribe(socket, said.data)
      case 'pusher:unsubscribe':
        return void this.#leave(socket, said.data.channel)
      case 'client':
        return this.#pass(socket, said, now)
      default:
        said satisfies never
    }
  }

  closed(socket: LiveSocket): void {
    const channels = [...socket.channels.keys()]
    this.#parts.hub.remove(socket)
    for (const channel of channels) void this.#leave(socket, channel)
  }

  /** Says who is still here, and who has gone with a server that ended without a word. */
  async keepPresent(): Promise<void> {
    for (const { channel, userId } of await this.#parts.presence.keep(this.#parts.hub.present()))
      this.#parts.say(channel, frame('pusher_internal:member_removed', { user_id: userId }, channel))
  }

  /** Every channel there is wants a grant. */
  async #subscribe(socket: LiveSocket, shown: Subscribe): Promise<void> {
    const { app, hub, clock, limits } = this.#parts
    const { channel } = shown
    if (socket.channels.has(channel)) return
    if (socket.channels.size >= limits.channels) return turnAway(socket, channel, tooMany)
    const read = readGrant(app, { ...shown, socketId: socket.id }, clock())
    if (read.is === 'wrong') return turnAway(socket, channel, unauthorized)
    if (read.is === 'stale') return socket.end('comeBack', 'Authorize again')
    const { granted } = read
    const standing = hub.standingOf(granted, channel)
    if (standing === 'ended') return socket.end('unauthorized', 'Session ended')
    if (standing === 'stale') return socket.end('comeBack', 'Authorize again')
    if (!this.#take(socket, granted)) return
    await this.#join(socket, channel, granted)
  }

  /** Whose connection it is, is said once. */
  #take(socket: LiveSocket, { userId, sessionId }: Granted): boolean {
    if (socket.whose) {
      if (socket.whose.sessionId === sessionId) return true
      socket.end('unauthorized', 'Another session')
      return false
    }
    socket.whose = { userId, sessionId }
    if (this.#parts.hub.belongs(socket, userId) <= this.#parts.limits.perPerson) return true
    socket.end('overQuota', 'Too many connections')
    return false
  }

  async #join(socket: LiveSocket, channel: string, { userId, name }: Granted): Promise<void> {
    const { hub, presence, say } = this.#parts
    const isPresence = channel.startsWith('presence-')
    const member = isPresence ? { user_id: userId, user_info: { name } } : undefined
    socket.channels.set(channel, member)
    hub.join(socket, channel)
    if (!member) return socket.tell('pusher_internal:subscription_succeeded', {}, channel)
    const { members, first } = await presence.enter(channel, socket.id, member)
    // It left during the check.
    if (!socket.isOpen || !socket.channels.has(channel)) return void presence.leave(channel, socket.id)
    const hash = Object.fromEntries(members.map((it) => [it.user_id, it.user_info]))
    const ids = members.map((it) => it.user_id)
    socket.tell(
      'pusher_internal:subscription_succeeded',
      { presence: { ids, hash, count: ids.length } },
      channel,
    )
    if (first) say(channel, frame('pusher_internal:member_added', member, channel), socket.id)
  }

  async #leave(socket: LiveSocket, channel: string): Promise<void> {
    const { hub, presence, say } = this.#parts
    const member = socket.channels.get(channel)
    if (!socket.channels.delete(channel)) return
    hub.leave(socket, channel)
    if (!member) return
    const last = await presence.leave(channel, socket.id)
    if (last) say(channel, frame('pusher_internal:member_removed', { user_id: member.user_id }, channel))
  }

  /** Members of a presence channel may send each other small events, such as typing. */
  #pass(socket: LiveSocket, said: Extract<Incoming, { event: 'client' }>, now: number): void {
    const member = socket.channels.get(said.channel)
    if (!member) return socket.refuse(code.refused, 'Client event rejected')
    if (!socket.mayTell(now)) return socket.refuse(code.refused, 'Client events come too fast')
    const { name, channel, data } = said
    this.#parts.say(channel, frame(name, data ?? {}, channel, { user_id: member.user_id }), socket.id)
  }
}

const tooMany = { type: 'LimitReached', error: 'Too many channels', status: 429 }
const unauthorized = { type: 'AuthError', error: 'Connection is unauthorized', status: 401 }

function turnAway(socket: LiveSocket, channel: string, why: typeof tooMany): void {
  socket.tell('pusher:subscription_error', why, channel)
}
