// Carries messages between servers over one channel of a Redis.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'

const TOPIC = 'todoke:realtime'

/** Hands a line to every other server. */
export interface Bus {
  send(line: string): void
  close(): void
}

export interface BusEars {
  heard(line: string): void
  /** Lines may have been lost: the connection was away for a while. */
  back(): void
  /** Once when it is gone, once when it is back. */
  told(isThere: boolean, why?: unknown): void
}

/**
 * @param speaking the connection that is used for everything else too
 * @param listening one of its own: a connection that listens can do nothing else
 */
export function redisBus(speaking: Redis, listening: Redis, ears: BusEars): Bus {
  const self = randomUUID()
  let wasThere = false
  let isThere = true
  const tell = (now: boolean, why?: unknown) => {
    if (isThere !== now) ears.told(now, why)
    isThere = now
  }
  const listen = () =>
    listening.subscribe(TOPIC).then(
      () => {
        tell(true)
        if (wasThere) ears.back()
        wasThere = true
      },
      (error: unknown) => tell(false, error),
    )
  listening.on('ready', () => void listen())
  listening.on('close', () => tell(false))
  if (listening.status === 'ready') void listen()
  listening.on('message', (_topic, text: string) => {
    const cut = text.indexOf(' ')
    if (text.slice(0, cut) !== self) ears.heard(text.slice(cut + 1))
  })
  return {
    send: (line) =>
      void speaking.publish(TOPIC, `${self} ${line}`).catch((error: unknown) => tell(false, error)),
    close: () => listening.disconnect(),
  }
}
