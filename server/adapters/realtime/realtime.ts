// Publishes live messages, after the commit that caused them (`server/services/transaction/unit-of-work.ts`).
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import type { SignedCall } from './signature.ts'

/** A subscription of a person to a channel. */
export interface JoinRequest {
  readonly socketId: string
  readonly channel: string
  readonly sessionId: string
  readonly person: { readonly id: string; readonly name: string }
  /** When it began to be decided, ms since 1970: what changed since then may not be in the decision. */
  readonly at: number
}

/** What a client shows when it joins a channel. */
export interface Grant {
  readonly auth: string
  readonly channel_data?: string
}

/** Where browsers connect; null is the page's own. */
export interface RealtimeAddress {
  readonly key: string
  readonly host: string | null
  readonly port: number | null
  readonly scheme: 'http' | 'https' | null
  readonly path: string
}

/** A message as it comes from another process: its event and data are that process's own. */
export interface RawMessage {
  readonly channels: readonly string[]
  readonly event: string
  readonly data: string
  readonly except?: string | undefined
}

/** A connection of this process with its channels. */
export interface OpenConnection {
  readonly userId: string
  readonly sessionId: string
  readonly channels: readonly string[]
}

/** The server of the sockets, where it is this process. */
export interface SocketServer {
  /** Whether a call of the HTTP API was signed by who has our secret. */
  isSigned(appId: string, call: SignedCall): boolean
  /** Takes over an upgrade whose path is ours. @param network where it comes from, as limits count it */
  admit(request: IncomingMessage, socket: Duplex, head: Buffer, key: string, network: string): void
  publishRaw(messages: readonly RawMessage[]): void
  /** Everybody who listens here, connection by connection. */
  connections(): OpenConnection[]
  /** Asks every connection to come back, to another server or after the restart. */
  drain(): Promise<void>
}

export interface Realtime {
  /**
   * Sends messages to the current subscribers. It never throws: a client that misses one requests data when it
   * reconnects.
   */
  publish(messages: readonly LiveMessage[]): void
  end(endings: readonly Ending[]): void
  grant(joining: JoinRequest): Grant
  readonly address: RealtimeAddress
  readonly sockets?: SocketServer
  close(): Promise<void>
}

const nowhere = {
  grant: () => ({ auth: '' }),
  address: { key: 'none', host: null, port: null, scheme: null, path: '/ws' },
  close: async () => undefined,
} as const

/** A double without subscribers that records messages, for tests. */
export function recordingRealtime(): Realtime & { readonly said: LiveMessage[]; readonly ended: Ending[] } {
  const said: LiveMessage[] = []
  const ended: Ending[] = []
  return {
    ...nowhere,
    said,
    ended,
    publish: (messages) => void said.push(...messages),
    end: (endings) => void ended.push(...endings),
  }
}
