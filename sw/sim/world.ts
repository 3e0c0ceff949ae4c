// The simulated world: the state that all parts of a story share.
import type { MutationRules } from './servers/mutation-server.ts'
import type { Scale, SimFile } from './browser/bytes.ts'
import type { Browser } from './browser/browser.ts'
import type { Inspector } from './inspector.ts'
import type { ForeignReply } from './network/foreign-replies.ts'
import type { Network } from './network/network.ts'
import type { Change } from './browser/program.ts'
import type { Random } from '#contract/testing/random.ts'
import type { ServerRules } from './servers/server.ts'
import type { StoryServer } from './servers/story-server.ts'
import type { Timeline } from './browser/timeline.ts'

/** Faults that a test plants, to check that the simulation detects them. */
export interface Faults {
  rules?: Partial<ServerRules>
  /** Texts of the product that are replaced. */
  changes?: readonly Change[]
  /** Every runner is granted the lock. */
  noLock?: boolean
  /** Every job counts as a job of the signed-in person. */
  noOwner?: boolean
  /** The server's offset is ignored. */
  ignoresOffset?: boolean
  /** The upload continues at the device's offset, whatever the server has. */
  ownOffset?: boolean
  /** Each try has a new idempotency key, and each message a new id. */
  freshKeys?: boolean
  mutationRules?: Partial<MutationRules>
  /** Every add of a post is repeated late, and half of the posts are withdrawn; not a fault of the product. */
  lateDuplicates?: boolean
  /** The releases of half of the posts are refused, and half are withdrawn; not a fault of the product. */
  refusedReleases?: boolean
  /** A newer build starts in every story, and the person signs out right after that; not a fault of the product. */
  signOutAfterUpgrade?: boolean
  /** Foreign replies of the story, for a fault that only one of them reveals; not a fault of the product. */
  foreignReplies?: readonly ForeignReply[]
  /** Probability that the disk pauses, at each of its tasks; not a fault of the product. */
  slowDisk?: number
  /** Mutations are sent at once, also while an earlier mutation of the same target waits. */
  anyOrder?: boolean
}

export interface FilePrefixes {
  readonly image: Uint8Array
  readonly video: Uint8Array
}

/** The real server of a story, in place of the pure core. */
export interface RealServerSource {
  open(now: () => number): Promise<StoryServer & { readonly people: readonly { id: string }[] }>
  readonly filePrefixes: FilePrefixes
}

export interface World {
  seed: number
  random: Random
  timeline: Timeline
  server: StoryServer
  people: readonly { id: string }[]
  scale: Scale
  /** First bytes of the files of each kind; undefined for the pure core, which does not read them. */
  filePrefixes: FilePrefixes | undefined
  browser: Browser
  network: Network
  inspector: Inspector
  faults: Faults
  /** Probability that a page is killed at each of its transactions and requests. */
  killRate: number
  /** Whether the fault phase is over: then every open job must end. */
  isStable: boolean
  /** Digests of picked files, by the text of their post. */
  picked: Map<string, string[]>
  /** Digests of all picked files. */
  digests: Set<string>
  /** Ids of media whose bytes the device has reported as stored. */
  copied: Set<string>
  /** Number of intended ends of the session that are in progress. */
  signOutsInProgress: number
  /** Picked files for which the device has no room, by media id. */
  pageHeldFiles: Map<string, SimFile>
}
