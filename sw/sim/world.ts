// The simulated world: what all its parts share.
import type { MutationRules } from './servers/mutation-server.ts'
import type { Scale, SimFile } from './browser/bytes.ts'
import type { Browser } from './browser/browser.ts'
import type { Inspector } from './inspector.ts'
import type { Lie } from './network/lies.ts'
import type { Network } from './network/network.ts'
import type { Change } from './browser/program.ts'
import type { Random } from '#contract/testing/random.ts'
import type { ServerRules } from './servers/server.ts'
import type { ServerSide } from './servers/server-side.ts'
import type { Timeline } from './browser/timeline.ts'

/** What a test may break on purpose, to see that the simulation notices. */
export interface Faults {
  rules?: Partial<ServerRules>
  /** Texts of the product that are replaced. */
  changes?: readonly Change[]
  /** Every runner thinks it holds the lock. */
  noLock?: boolean
  /** Every job counts as the signed-in person's own. */
  noOwner?: boolean
  /** The server's offset is ignored. */
  ignoresOffset?: boolean
  /** The upload continues at the device's offset, whatever the server has. */
  ownOffset?: boolean
  /** Each try has a new idempotency key. */
  freshKeys?: boolean
  mutationRules?: Partial<MutationRules>
  /** Every add of a post is sent twice, the second time late, and half of the posts are withdrawn; not a fault in itself. */
  lateTwins?: boolean
  /** What proxies do, where a fault shows by one lie alone; not a fault in itself. */
  lies?: readonly Lie[]
  /** Probability that the disk pauses, at each of its tasks; not a fault in itself. */
  slowDisk?: number
  /** Acts are sent as they come, whatever waits before them. */
  anyOrder?: boolean
}

export interface FileHeads {
  readonly image: Uint8Array
  readonly video: Uint8Array
}

/** The server of a story that does not use the pure core. */
export interface OtherServer {
  open(now: () => number): Promise<ServerSide & { readonly people: readonly { id: string }[] }>
  readonly heads: FileHeads
}

export interface World {
  seed: number
  random: Random
  timeline: Timeline
  server: ServerSide
  people: readonly { id: string }[]
  scale: Scale
  /** How files of each kind begin, where the server looks at that. */
  heads: FileHeads | undefined
  browser: Browser
  network: Network
  inspector: Inspector
  faults: Faults
  /** Probability that a page is killed at each of its effects. */
  killRate: number
  /** The trouble is over: what is still open must end. */
  calm: boolean
  /** Digests of picked files, by the text of their post. */
  picked: Map<string, string[]>
  /** Digests of all picked files. */
  digests: Set<string>
  /** Media whose bytes the device has said to have stored. */
  copied: Set<string>
  /** Ends of a session on purpose that are under way. */
  leaving: number
  /** Picked files for which there was no room, by their media. */
  pageFiles: Map<string, SimFile>
}
