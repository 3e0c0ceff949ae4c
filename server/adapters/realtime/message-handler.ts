// Handles the messages of live connections.
import { TYPING } from '#contract/realtime/channels.ts'
import { type Hub } from './hub.ts'
import type { Presence } from './presence.ts'
import { code, frame, type Incoming, readFrame } from './protocol.ts'
import { type App, type Granted, readGrant } from './signature.ts'
import type { SocketLimits } from './limits.ts'
import type { LiveSocket, Subscription } from './socket.ts'

interface HandlerParts {
  readonly app: App
  readonly hub: Hub
  readonly presence: Presence
  readonly clock: () => number
  readonly limits: SocketLimits
  /** Sends to all subscribers of a channel, on every server. */
  readonly send: (channel: string, bytes: Buffer, except?: string) => void
  /** Resolves when messages of other servers on a joined channel arrive; undefined if there is nothing to wait for. */
  readonly ready: (channel: string) => Promise<void> | undefined
}

type Subscribe = Extract<Incoming, { event: 'pusher:subscribe' }>['data']

export class MessageHandler {
  readonly #parts: HandlerParts

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  received(socket: LiveSocket, text: string): void {
    const now = this.#parts.clock()
    socket.touch(now)
    if (!socket.mayReceive(now)) return socket.end('tooFast', 'Too many messages')
    const message = readFrame(text)
    if (!message) return socket.refuse(code.refused, 'Invalid message')
    switch (message.event) {
      case 'pusher:ping':
        return socket.emit('pusher:pong', {})
      case 'pusher:pong':
        return
      case 'pusher:subscribe':
        return void this.#subscribe(socket, message.data)
      case 'pusher:unsubscribe':
        return void this.#leave(socket, message.data.channel)
      case TYPING:
        return this.#forwardTyping(socket, message.channel, now)
      default:
        message satisfies never
    }
  }

  closed(socket: LiveSocket): void {
    const channels = [...socket.channels.keys()]
    this.#parts.hub.remove(socket)
    for (const channel of channels) void this.#leave(socket, channel)
  }

  /** Refreshes the presence of this server's connections, and announces members that a dead server had. */
  async refreshPresence(): Promise<void> {
    for (const { channel, userId } of await this.#parts.presence.refresh(this.#parts.hub.present()))
      this.#parts.send(channel, frame('pusher_internal:member_removed', { user_id: userId }, channel))
  }

  /** Subscribes to a channel; every channel requires a grant. */
  async #subscribe(socket: LiveSocket, data: Subscribe): Promise<void> {
    const { app, hub, clock, limits } = this.#parts
    const { channel } = data
    if (socket.channels.has(channel)) return
    if (socket.channels.size >= limits.channels) return refuseSubscription(socket, channel, tooMany)
    const read = readGrant(app, { ...data, socketId: socket.id }, clock())
    if (read.is === 'wrong') return refuseSubscription(socket, channel, unauthorized)
    if (read.is === 'stale') return socket.end('comeBack', 'Authorize again')
    const { granted } = read
    const validity = hub.validityOf(granted, channel)
    if (validity === 'ended') return socket.end('unauthorized', 'Session ended')
    if (validity === 'stale') return socket.end('comeBack', 'Authorize again')
    if (!this.#identify(socket, granted)) return
    await this.#join(socket, channel, granted)
  }

  /** Records the person of the connection at its first grant; later grants must be of the same session. */
  #identify(socket: LiveSocket, { userId, sessionId }: Granted): boolean {
    if (socket.owner) {
      if (socket.owner.sessionId === sessionId) return true
      socket.end('unauthorized', 'Another session')
      return false
    }
    socket.owner = { userId, sessionId }
    if (this.#parts.hub.identify(socket, userId) <= this.#parts.limits.perPerson) return true
    socket.end('overQuota', 'Too many connections')
    return false
  }

  async #join(socket: LiveSocket, channel: string, { userId, name }: Granted): Promise<void> {
    const { hub, presence, send, ready } = this.#parts
    const isPresence = channel.startsWith('presence-')
    const member = isPresence ? { user_id: userId, user_info: { name } } : undefined
    const subscription: Subscription = { member, hasEntered: false }
    socket.channels.set(channel, subscription)
    hub.join(socket, channel)
    const isCurrent = () => socket.isOpen && socket.channels.get(channel) === subscription
    // After the reply the client reads data, and would miss what is published until then.
    const pending = ready(channel)
    if (pending) await pending
    if (!isCurrent()) return
    if (!member) return socket.emit('pusher_internal:subscription_succeeded', {}, channel)
    subscription.hasEntered = true
    const { members, first } = await presence.enter(channel, socket.id, member)
    // The connection left the channel during the call, and may have joined it again.
    if (!isCurrent())
      return socket.channels.has(channel) ? undefined : void presence.leave(channel, socket.id)
    const hash = Object.fromEntries(members.map((it) => [it.user_id, it.user_info]))
    const ids = members.map((it) => it.user_id)
    socket.emit(
      'pusher_internal:subscription_succeeded',
      { presence: { ids, hash, count: ids.length } },
      channel,
    )
    if (first) send(channel, frame('pusher_internal:member_added', member, channel), socket.id)
  }

  async #leave(socket: LiveSocket, channel: string): Promise<void> {
    const { hub, presence, send } = this.#parts
    const { member, hasEntered } = socket.channels.get(channel) ?? {}
    if (!socket.channels.delete(channel)) return
    socket.typedAt.delete(channel)
    hub.leave(socket, channel)
    if (!member || hasEntered !== true) return
    const last = await presence.leave(channel, socket.id)
    if (last) send(channel, frame('pusher_internal:member_removed', { user_id: member.user_id }, channel))
  }

  /** Sends to the other members of a presence channel that this one writes, with the id that the server has of them. */
  #forwardTyping(socket: LiveSocket, channel: string, now: number): void {
    const member = socket.channels.get(channel)?.member
    if (!member) return socket.refuse(code.refused, 'Client event rejected')
    if (!socket.maySendTyping(channel, now)) return socket.refuse(code.refused, 'Client events come too fast')
    this.#parts.send(channel, frame(TYPING, {}, channel, { user_id: member.user_id }), socket.id)
  }
}

const tooMany = { type: 'LimitReached', error: 'Too many channels', status: 429 }
const unauthorized = { type: 'AuthError', error: 'Connection is unauthorized', status: 401 }

function refuseSubscription(socket: LiveSocket, channel: string, why: typeof tooMany): void {
  socket.emit('pusher:subscription_error', why, channel)
}
