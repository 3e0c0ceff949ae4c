// Limits of connections, channels and messages of one client.

export interface SocketLimits {
  /** Connections to this process. */
  readonly sockets: number
  /** Connections of one network without an authorized channel. Many people share an address, but few connect at once. */
  readonly unauthorized: number
  readonly perPerson: number
  readonly channels: number
  /** A connection without a channel is closed after this time, ms. */
  readonly joinWithin: number
  /** After lost messages, connections are closed within this time, ms, so that not all clients reconnect at once. */
  readonly missedWithin: number
}

export const usualLimits: SocketLimits = {
  sockets: 20_000,
  unauthorized: 100,
  perPerson: 20,
  channels: 100,
  joinWithin: 30_000,
  missedWithin: 5000,
}

/** Largest frame of a client, bytes. */
export const MAX_FRAME_BYTES = 16 * 1024
