// Finds whether a sandbox works, and looks again while none does.
import type { MediaSandbox } from './command.ts'
import { isConclusive, trySandbox } from './try-sandbox.ts'

/** `unknown`: not tested yet, or the test was late, as on a busy machine. */
export type SandboxState = MediaSandbox | 'unknown'

export interface FoundSandbox {
  readonly state: SandboxState
  /** Why it is not `bubblewrap`; '' if it is. */
  readonly reason: string
}

/** A sandbox that does not work is tested again after this, ms. */
export const TEST_AGAIN = 30_000
/** Where the operator accepts the risk, so many tests in a row that say nothing count as `none`. */
export const LATE_TESTS = 3

interface FinderOptions {
  /** @throws when no sandbox works */
  readonly test?: () => Promise<void>
  /** Milliseconds, which go on by themselves. */
  readonly clock?: () => number
  /** Whether the operator accepts decoding without a sandbox. */
  readonly acceptsRisk?: boolean
}

export interface SandboxFinder {
  /** What the newest test found. */
  found(): FoundSandbox
  /** Tests, unless a sandbox works or the last test is recent; simultaneous callers share one test. */
  find(): Promise<SandboxState>
  /** Calls the listener after each change of the state. */
  onChange(listener: (found: FoundSandbox) => void): void
}

export function createSandboxFinder({
  test = () => trySandbox(process.env['PATH'] ?? ''),
  clock = () => performance.now(),
  acceptsRisk = false,
}: FinderOptions = {}): SandboxFinder {
  let last: FoundSandbox = { state: 'unknown', reason: 'not tested' }
  let testedAt: number | undefined
  let inconclusive = 0
  let running: Promise<SandboxState> | undefined
  const listeners: ((found: FoundSandbox) => void)[] = []

  const resultOf = (error: unknown): FoundSandbox => {
    const reason = error instanceof Error ? error.message : String(error)
    inconclusive = isConclusive(error) ? 0 : inconclusive + 1
    const isNone = inconclusive === 0 || (acceptsRisk && inconclusive >= LATE_TESTS)
    return { state: isNone ? 'none' : 'unknown', reason }
  }
  const run = async (): Promise<SandboxState> => {
    const before = last.state
    last = await test().then((): FoundSandbox => ({ state: 'bubblewrap', reason: '' }), resultOf)
    testedAt = clock()
    running = undefined
    if (last.state !== before) for (const it of listeners) it(last)
    return last.state
  }
  return {
    found: () => last,
    async find() {
      const isRecent = testedAt !== undefined && clock() - testedAt < TEST_AGAIN
      if (!running && (last.state === 'bubblewrap' || isRecent)) return last.state
      return (running ??= run())
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** It is not known now whether a sandbox works: the work may be retried. */
export class SandboxUnknown extends Error {}

/** @throws SandboxUnknown */
export function knownOf(state: SandboxState): MediaSandbox {
  if (state === 'unknown') throw new SandboxUnknown('it is not known whether a sandbox works here')
  return state
}

/** The finder of this process. */
export const sandboxHere: SandboxFinder = createSandboxFinder()
