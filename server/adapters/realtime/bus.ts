// Sends messages between servers over one channel of a Redis.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

const TOPIC = 'todoke:realtime'

/** Sends a message to every other server. */
export interface Bus {
  send(message: string): void
  close(): void
}

export interface BusListener {
  received(message: string): void
  /** Called after a lost connection, during which messages may have been lost. */
  recovered(): void
  /** Called once when the connection is lost, and once when it is back. */
  connectionChanged(isConnected: boolean, why?: unknown): void
}

/**
 * @param publisher the connection that is used for everything else too
 * @param subscriber its own connection: a subscribed connection accepts no other commands
 */
export function openBus(publisher: Redis, subscriber: Redis, listener: BusListener): Bus {
  const self = randomUUID()
  let wasConnected = false
  let isConnected = true
  const report = (now: boolean, why?: unknown) => {
    if (isConnected !== now) listener.connectionChanged(now, why)
    isConnected = now
  }
  const subscribe = () =>
    subscriber.subscribe(TOPIC).then(
      () => {
        report(true)
        if (wasConnected) listener.recovered()
        wasConnected = true
      },
      (error: unknown) => report(false, error),
    )
  subscriber.on('ready', () => void subscribe())
  subscriber.on('close', () => report(false))
  if (subscriber.status === 'ready') void subscribe()
  subscriber.on('message', (_topic, text: string) => {
    const cut = text.indexOf(' ')
    if (text.slice(0, cut) !== self) listener.received(text.slice(cut + 1))
  })
  return {
    send: (message) =>
      void publisher.publish(TOPIC, `${self} ${message}`).catch((error: unknown) => report(false, error)),
    close: () => subscriber.disconnect(),
  }
}
