// Carries messages between servers over one channel of a Redis.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

const TOPIC = 'todoke:realtime'

/** Hands a line to every other server. */
export interface Bus {
  send(line: string): void
  close(): void
}

export interface BusListener {
  received(line: string): void
  /** Lines may have been lost: the connection was away for a while. */
  recovered(): void
  /** Once when it is gone, once when it is back. */
  connectionChanged(isThere: boolean, why?: unknown): void
}

/**
 * @param speaking the connection that is used for everything else too
 * @param listening one of its own: a connection that listens can do nothing else
 */
export function openBus(speaking: Redis, listening: Redis, listener: BusListener): Bus {
  const self = randomUUID()
  let wasThere = false
  let isThere = true
  const report = (now: boolean, why?: unknown) => {
    if (isThere !== now) listener.connectionChanged(now, why)
    isThere = now
  }
  const listen = () =>
    listening.subscribe(TOPIC).then(
      () => {
        report(true)
        if (wasThere) listener.recovered()
        wasThere = true
      },
      (error: unknown) => report(false, error),
    )
  listening.on('ready', () => void listen())
  listening.on('close', () => report(false))
  if (listening.status === 'ready') void listen()
  listening.on('message', (_topic, text: string) => {
    const cut = text.indexOf(' ')
    if (text.slice(0, cut) !== self) listener.received(text.slice(cut + 1))
  })
  return {
    send: (line) =>
      void speaking.publish(TOPIC, `${self} ${line}`).catch((error: unknown) => report(false, error)),
    close: () => listening.disconnect(),
  }
}
