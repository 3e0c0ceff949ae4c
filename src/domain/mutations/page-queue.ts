// The page's queue of mutations: each is stored on the device in its turn or, without room there, held in memory.
import { type Mutation, aboutOf } from '#contract/mutations/mutations.ts'

/** An entry of the queue. */
export interface QueuedMutation {
  readonly id: string
  readonly mutation: Mutation
}

export interface PageQueuePorts<It> {
  /** Stores one, to be sent whatever becomes of this page; false on a device that cannot. */
  readonly store: (it: It) => Promise<boolean>
  /** Holds one in memory, to be sent from this page. Rejects when its code cannot be loaded. */
  readonly hold: (it: It) => Promise<void>
  /** Whether mutations are in memory: later ones do not overtake them. */
  readonly isHolding: () => boolean
  /** Does it in a while, once, however often it is called. */
  readonly later: (work: () => void) => void
  readonly changed: () => void
}

/** Mutations one after the other, in the order in which they were done. */
export function createPageQueue<It extends QueuedMutation>(ports: PageQueuePorts<It>) {
  let queue: readonly It[] = []
  let running: Promise<void> | undefined

  function retain(isLeft: (it: It, i: number) => boolean): void {
    queue = queue.filter(isLeft)
  }
  /** Afterwards it has left the queue. */
  async function pass(it: It): Promise<void> {
    const isStored = !ports.isHolding() && (await ports.store(it))
    // By now it may be answered, or its person signed out.
    if (!isStored && queue.includes(it)) await ports.hold(it)
    retain((other) => other !== it)
    ports.changed()
  }
  async function run(): Promise<void> {
    try {
      for (let it = queue[0]; it; it = queue[0]) await pass(it)
    } catch (error) {
      console.warn('mutations wait in this page', error)
      ports.later(go)
    } finally {
      running = undefined
    }
  }
  function go(): void {
    if (queue.length > 0) running ??= run()
  }

  return {
    all: () => queue,
    /** Resolves once it is stored or in memory. One that is in the queue stays where it is. */
    async add(it: It): Promise<void> {
      if (!queue.some((other) => other.id === it.id)) queue = [...queue, it]
      ports.changed()
      go()
      await running
    },
    /** The network or the room may be back. */
    go,
    /** Those of another person are dropped. */
    retain: (isLeft: (it: It) => boolean) => retain(isLeft),
    /**
     * The server has answered it, whichever page sent it, and with it earlier mutations of the same target.
     * @returns the target; undefined when it is not in the queue
     */
    dropUpTo(id: string): string | undefined {
      const last = queue.findIndex((it) => it.id === id)
      const about = queue[last] && aboutOf(queue[last].mutation)
      retain(({ mutation }, i) => i > last || aboutOf(mutation) !== about)
      return about
    },
  }
}
