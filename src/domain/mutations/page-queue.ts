// The page queue: stores mutations on the device in order, or holds them in memory.
import { type Mutation, aboutOf } from '#contract/mutations/mutations.ts'

/** An entry of the queue. */
export interface QueuedMutation {
  readonly id: string
  readonly mutation: Mutation
}

export interface PageQueuePorts<It> {
  /** Stores a mutation on the device; false when that is not possible. */
  readonly store: (it: It) => Promise<boolean>
  /** Holds a mutation in memory, to be sent by this page. Rejects when its code cannot be loaded. */
  readonly hold: (it: It) => Promise<void>
  /** Whether mutations are in memory, which later ones must not overtake. */
  readonly isHolding: () => boolean
  /** Runs work later, once for several calls. */
  readonly later: (work: () => void) => void
  readonly changed: () => void
}

/** Creates a queue that passes mutations on in the order of the presses. */
export function createPageQueue<It extends QueuedMutation>(ports: PageQueuePorts<It>) {
  let queue: readonly It[] = []
  let running: Promise<void> | undefined

  function retain(isLeft: (it: It, i: number) => boolean): void {
    queue = queue.filter(isLeft)
  }
  /** Stores or holds a mutation and removes it from the queue. */
  async function pass(it: It): Promise<void> {
    const isStored = !ports.isHolding() && (await ports.store(it))
    // It may be answered by now, or its person signed out.
    if (!isStored && queue.includes(it)) await ports.hold(it)
    retain((other) => other !== it)
    ports.changed()
  }
  async function run(): Promise<void> {
    try {
      for (let it = queue[0]; it; it = queue[0]) await pass(it)
    } catch (error) {
      console.warn('mutations wait in this page', error)
      ports.later(continueQueue)
    } finally {
      running = undefined
    }
  }
  function continueQueue(): void {
    if (queue.length > 0) running ??= run()
  }

  return {
    all: () => queue,
    /** Adds a mutation. Resolves when it is stored or in memory. */
    async add(it: It): Promise<void> {
      if (!queue.some((other) => other.id === it.id)) queue = [...queue, it]
      ports.changed()
      continueQueue()
      await running
    },
    /** Continues, when the network or the room may be back. */
    go: continueQueue,
    /** Drops the mutations for which the function is false. */
    retain: (isLeft: (it: It) => boolean) => retain(isLeft),
    /**
     * Drops an answered mutation and earlier ones of the same target.
     * @returns the target; undefined when the mutation is not in the queue
     */
    dropUpTo(id: string): string | undefined {
      const last = queue.findIndex((it) => it.id === id)
      const about = queue[last] && aboutOf(queue[last].mutation)
      retain(({ mutation }, i) => i > last || aboutOf(mutation) !== about)
      return about
    },
  }
}
