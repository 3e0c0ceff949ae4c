// Finders of a sandbox whose tests end as a list says.
import { Killed, TimedOut } from '#server/adapters/media/media-process.ts'
import {
  createSandboxFinder,
  type SandboxFinder,
  type SandboxState,
  TEST_AGAIN,
} from '#server/adapters/media/sandbox/finder.ts'

export type { SandboxState }

/** How a test of the sandbox ends, by the state that it finds. */
const errors: Readonly<Record<SandboxState, Error | undefined>> = {
  bubblewrap: undefined,
  none: Object.assign(new Error('spawn bwrap ENOENT'), { code: 'ENOENT' }),
  unknown: new TimedOut('media child ended with SIGKILL:'),
}

/** Errors of tests that say nothing about the sandbox. */
export const inconclusive: readonly (readonly [string, Error])[] = [
  ['is late', new TimedOut('media child ended with SIGKILL:')],
  ['is killed', new Killed('media child ended with 137:')],
  ['has no process', Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })],
  ['has no memory', new Error('media child ended with 1: bwrap: fork: Cannot allocate memory')],
  ['has a full disk', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
]

interface ListedFinder extends SandboxFinder {
  /** Lets the time pass after which a test is repeated. */
  later(): void
  /** How many tests there were. */
  tests(): number
}

/** A finder whose tests end as `results` says, in their order; the last one is repeated. */
export function finderOf(results: readonly (SandboxState | Error)[], acceptsRisk = false): ListedFinder {
  const clock = { now: 0 }
  let tests = 0
  const finder = createSandboxFinder({
    test: async () => {
      const result = results[Math.min(tests++, results.length - 1)] ?? 'none'
      const error = typeof result === 'string' ? errors[result] : result
      if (error) throw error
    },
    clock: () => clock.now,
    acceptsRisk,
  })
  return { ...finder, later: () => void (clock.now += TEST_AGAIN), tests: () => tests }
}
