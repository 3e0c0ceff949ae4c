// The simulated world: what all its parts share.
import type { ActRules } from './act-server.ts'
import type { Machine, Runner } from '#sw/upload/drain.ts'
import type { SimDevice } from './device.ts'
import type { Inspector } from './inspector.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { ServerRules, SimServer } from './server.ts'
import type { Timeline } from './timeline.ts'

export interface Life {
  alive: boolean
  die?: () => void
}

export interface Locks {
  holder: Life | undefined
  queue: { life: Life; enter: () => void }[]
}

/** What a test may break on purpose, to see that the simulation notices. */
export interface Faults {
  rules?: Partial<ServerRules>
  machine?: Machine
  /** Every runner thinks it holds the lock. */
  noLock?: boolean
  /** Every job counts as the signed-in person's own. */
  noOwner?: boolean
  /** The server's offset is not heard. */
  deaf?: boolean
  /** The upload goes on where the device left off, whatever the server has. */
  ownOffset?: boolean
  /** The idempotency key is made anew at each try. */
  freshKeys?: boolean
  actRules?: Partial<ActRules>
  /** Acts are sent as they come, whatever waits before them. */
  anyOrder?: boolean
  /** The device gives every act the same number. */
  countsAnew?: boolean
}

export interface World {
  seed: number
  random: Random
  timeline: Timeline
  server: SimServer
  device: SimDevice
  network: Network
  inspector: Inspector
  locks: Locks
  faults: Faults
  /** Bytes that left the device, by the upload's address. */
  sent: Map<string, number>
  /** Probability of a kill at each await. */
  killRate: number
  contexts: { life: Life; runner: Runner }[]
}

/** The lock goes to the next living context in line. */
export function release(world: World): void {
  world.locks.holder = undefined
  const next = world.locks.queue.shift()
  if (!next) return
  world.locks.holder = next.life
  next.enter()
}
