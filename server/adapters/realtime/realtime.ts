// Interface for publishing live messages, and the double of it for tests.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import type { SignedCall } from './signature.ts'

/** A request to authorize a person's subscription to a channel. */
export interface JoinRequest {
  readonly socketId: string
  readonly channel: string
  readonly sessionId: string
  readonly person: { readonly id: string; readonly name: string }
  /** When the authorization began, ms since 1970: it may not include later changes. */
  readonly at: number
}

/** The signed proof with which a client subscribes to a channel. */
export interface Grant {
  readonly auth: string
  readonly channel_data?: string
}

/** The address to which browsers connect; null for that of the page. */
export interface RealtimeAddress {
  readonly key: string
  readonly host: string | null
  readonly port: number | null
  readonly scheme: 'http' | 'https' | null
  readonly path: string
}

/** A message of another process, whose event and data are not parsed. */
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

/** The server of live connections, if it is this process. */
export interface SocketServer {
  /** Whether a call of the HTTP API was signed with the app's secret. */
  isSigned(appId: string, call: SignedCall): boolean
  /** Handles an upgrade request. @param network of the client, as limits count it */
  admit(request: IncomingMessage, socket: Duplex, head: Buffer, key: string, network: string): void
  publishRaw(messages: readonly RawMessage[]): void
  /** All open connections of identified people. */
  connections(): OpenConnection[]
  /** Numbers of open connections, with a known person and without. */
  counts(): { readonly known: number; readonly unknown: number }
  /** Whether a page of this person is connected; undefined where only another server may know. */
  isConnected(userId: string): boolean | undefined
  /**
   * Requests each client, one after the other, to reconnect to another server.
   * @param within ms until the last one, also of those that connect meanwhile
   */
  leave(within: number): void
  /** Requests all clients to reconnect, to another server or after the restart. */
  drain(): Promise<void>
}

export interface Realtime {
  /**
   * Sends messages to the current subscribers, after the commit that caused them. It never throws: a client that misses a
   * message requests the data when it reconnects.
   */
  publish(messages: readonly LiveMessage[]): void
  end(endings: readonly Ending[]): void
  grant(request: JoinRequest): Grant
  readonly address: RealtimeAddress
  readonly sockets?: SocketServer
  close(): Promise<void>
}

const withoutSockets = {
  grant: () => ({ auth: '' }),
  address: { key: 'none', host: null, port: null, scheme: null, path: '/ws' },
  close: async () => undefined,
} as const

/** A double without subscribers that records messages, for tests. */
export function recordingRealtime(): Realtime & {
  readonly published: LiveMessage[]
  readonly ended: Ending[]
} {
  const published: LiveMessage[] = []
  const ended: Ending[] = []
  return {
    ...withoutSockets,
    published,
    ended,
    publish: (messages) => void published.push(...messages),
    end: (endings) => void ended.push(...endings),
  }
}
