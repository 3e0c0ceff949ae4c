// The page's queue of mutations: each is stored on the device or, without room there, sent from this page.
import { type Mutation, aboutOf } from '#contract/mutations/mutations.ts'
import type { FailureCode } from '#src/domain/api/api.ts'

/** What stands in the line. */
export interface QueuedMutation {
  readonly id: string
  readonly act: Mutation
}

/** How the sending of one ended. `away`: nobody answered; it is tried again. */
export type Sent = { readonly is: 'done' } | { readonly is: 'away' } | Refused
interface Refused {
  readonly is: 'refused'
  readonly code: FailureCode
}

/**
 * How far the first of the line is. `storing`: the device will take it. `sending`, `waiting`: it has no room, so that this
 * page alone has them; it is under way, or is tried again.
 */
export type PageQueueState = 'storing' | 'sending' | 'waiting'

export interface PageQueuePorts<It> {
  /** Stores one, to be sent whatever becomes of this page; false on a device that cannot. */
  readonly keep: (it: It) => Promise<boolean>
  readonly send: (it: It) => Promise<Sent>
  readonly refused: (it: It, code: FailureCode) => void
  /** Does it in a while, once, however often it is said. */
  readonly later: (work: () => void) => void
  readonly changed: () => void
}

/** Mutations one after the other, in the order in which they were done. */
export function createPageQueue<It extends QueuedMutation>(ports: PageQueuePorts<It>) {
  let line: readonly It[] = []
  let state: PageQueueState = 'storing'
  let running: Promise<void> | undefined

  function become(next: PageQueueState): void {
    state = next
    ports.changed()
  }

  /** @returns whether it has left this page */
  async function bring(it: It): Promise<boolean> {
    if (await ports.keep(it)) return true
    // Meanwhile it may be over, or its person gone.
    if (!line.includes(it)) return true
    become('sending')
    const sent = await ports.send(it)
    if (sent.is === 'refused') ports.refused(it, sent.code)
    return sent.is !== 'away'
  }

  async function run(): Promise<void> {
    try {
      for (let it = line[0]; it; it = line[0]) {
        if (!(await bring(it)) && line.includes(it)) {
          become('waiting')
          return ports.later(go)
        }
        line = line.filter((other) => other !== it)
        become(line.length === 0 ? 'storing' : state)
      }
    } finally {
      running = undefined
    }
  }

  function keepOnly(isLeft: (it: It, i: number) => boolean): void {
    line = line.filter(isLeft)
    if (line.length === 0) state = 'storing'
  }

  function go(): void {
    if (line.length > 0) running ??= run()
  }

  return {
    all: () => line,
    state: () => state,
    /** Resolves once it is stored or done, or waits. One that is in the line stays where it is. */
    async add(it: It): Promise<void> {
      if (!line.some((other) => other.id === it.id)) line = [...line, it]
      ports.changed()
      go()
      await running
    },
    /** The network or the room may be back. */
    go,
    /** Those of somebody else are nobody's any more. */
    keepOnly,
    /** Whoever sent it, it has been answered, and with it what was done before about the same thing. */
    over(id: string): void {
      const last = line.findIndex((it) => it.id === id)
      const about = line[last] && aboutOf(line[last].act)
      keepOnly(({ act }, i) => i > last || aboutOf(act) !== about)
    },
  }
}
