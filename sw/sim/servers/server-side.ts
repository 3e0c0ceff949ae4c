// What a story can read from its server, the real one or its pure core.
import type { MutationServer } from './mutation-server.ts'
import type { Backend } from '#sw/sim/network/exchange.ts'

export interface PostSeen {
  readonly id: string
  readonly author: string
  readonly key: string
  readonly content: string
  /** How often followers were notified. */
  readonly published: number
  /** Digests of its files, in their order. */
  readonly files: string[]
}

export interface CheckSeen {
  readonly key: string
  readonly files: readonly string[]
}

export interface ServerSide extends Backend {
  /** The disk has no room: requests with files are refused for a while. */
  full: boolean
  readonly acts: MutationServer
  readonly posts: readonly PostSeen[]
  checks(): readonly CheckSeen[]
  /** Whether a file of an identity check is part of a post. */
  holdsDocument(): boolean
  /** A new token. */
  signIn(person: string): string
  /** The token is good no longer. */
  revoke(token: string | undefined): void
  /** Whether the token is good. */
  accepts(token: string): boolean
  /** Whose token it is or was. */
  personOf(token: string): string | undefined
  isPublic(postId: string): boolean
  isPublicByKey(author: string, key: string): boolean
  hasCheck(owner: string, key: string): boolean
  /** The story is over: everything it asks for at its end is known after this. */
  settle(): Promise<void>
}
