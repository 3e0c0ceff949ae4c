// The server of a story, the real one or its pure core.
import type { MessageServer } from './message-server.ts'
import type { MutationServer } from './mutation-server.ts'
import type { Backend } from '#sw/sim/network/exchange.ts'

export interface ServerPost {
  readonly id: string
  readonly author: string
  readonly key: string
  readonly content: string
  /** How often followers were notified. */
  readonly published: number
  /** Digests of its files, in their order. */
  readonly files: string[]
}

export interface ServerCheck {
  readonly key: string
  readonly files: readonly string[]
}

export interface StoryServer extends Backend {
  /** Whether the disk is full: then requests with files are refused. */
  full: boolean
  readonly mutations: MutationServer
  readonly messages: MessageServer
  readonly posts: readonly ServerPost[]
  checks(): readonly ServerCheck[]
  /** Whether a file of an identity check is part of a post. */
  holdsDocument(): boolean
  /** Creates a session. Returns its token. */
  signIn(person: string): string
  /** Ends the session of a token. */
  revoke(token: string | undefined): void
  /** Whether the token is valid. */
  accepts(token: string): boolean
  /** The owner of a token, also after its end. */
  personOf(token: string): string | undefined
  isPublic(postId: string): boolean
  isPublicByKey(author: string, key: string): boolean
  hasCheck(owner: string, key: string): boolean
  /** Loads the final state of posts and files, which the story checks at its end. */
  loadFinalState(): Promise<void>
}
