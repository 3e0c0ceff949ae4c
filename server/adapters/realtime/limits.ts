// Limits of connections, channels and messages of one client.

export interface SocketLimits {
  /** Connections of this process. */
  readonly sockets: number
  /** Of one network, that have not said yet whose they are: many people share one address, few arrive at one moment. */
  readonly strangers: number
  readonly perPerson: number
  readonly channels: number
  /** A connection without a channel is closed after this time, ms. */
  readonly joinWithin: number
}

export const usualLimits: SocketLimits = {
  sockets: 20_000,
  strangers: 100,
  perPerson: 20,
  channels: 100,
  joinWithin: 30_000,
}

/** A frame; ours are smaller, and a client says little. */
export const MOST_BYTES = 16 * 1024
