// Runs the checks of the machine page together, each within a time.
import type { Check, CheckName, CheckReason } from '#contract/administration/machine.ts'
import { Late, withTimeLimit } from '#server/services/runtime/time-limit.ts'
import { causeOf, detailOf } from './cause.ts'

/** What one check found. `ms` is null where it only reads what is known. */
export interface Outcome {
  readonly state: Check['state']
  readonly reason: CheckReason | null
  readonly detail?: string
  readonly reads?: true
}

/** A check that returns is right, one that throws has failed. */
export type CheckWork = () => Promise<Outcome | void>

/** A result this recent is returned again, ms: a dependency is checked no more often, for any number of callers. */
export const FRESH = 10_000
/** A check that takes longer has failed, ms. */
export const CHECK_TIME = 3000
/** A check that takes longer than this is slow, ms. */
export const SLOW = 500

interface Ports {
  readonly works: Readonly<Record<CheckName, CheckWork>>
  /** Milliseconds since 1970, which go on by themselves. */
  readonly clock: () => number
}

interface Found extends Required<Pick<Outcome, 'state' | 'reason'>> {
  readonly detail: string
  readonly ms: number | null
}

/** @returns a function that returns a recent result, or that of one run, which simultaneous callers share */
export function createChecks({ works, clock }: Ports): () => Promise<Check[]> {
  const names = Object.keys(works) as CheckName[]
  const since = new Map<CheckName, { readonly state: Check['state']; readonly at: number }>()
  const pending = new Set<CheckName>()
  let last: { readonly at: number; readonly checks: Check[] } | undefined
  let running: Promise<Check[]> | undefined

  async function attempt(name: CheckName): Promise<Found> {
    const begun = clock()
    // A check that hangs is not begun again until it ends.
    if (pending.has(name))
      return { state: 'failing', reason: 'late', detail: new Late(CHECK_TIME).message, ms: null }
    pending.add(name)
    const work = works[name]()
    const end = () => pending.delete(name)
    void work.then(end, end)
    try {
      const found = await withTimeLimit(work, CHECK_TIME)
      const ms = found?.reads ? null : Math.round(clock() - begun)
      const isSlow = ms !== null && ms > SLOW && (found?.state ?? 'ok') === 'ok'
      if (isSlow) return { state: 'slow', reason: 'slow', detail: '', ms }
      return { state: found?.state ?? 'ok', reason: found?.reason ?? null, detail: found?.detail ?? '', ms }
    } catch (error) {
      return {
        state: 'failing',
        reason: causeOf(error),
        detail: detailOf(error),
        ms: Math.round(clock() - begun),
      }
    }
  }

  async function run(): Promise<Check[]> {
    const found = await Promise.all(names.map(attempt))
    const at = clock()
    const checks = found.map((it, i): Check => {
      const name = names[i] ?? 'database'
      const before = since.get(name)
      if (before?.state !== it.state) since.set(name, { state: it.state, at })
      const began = since.get(name)?.at ?? at
      return { name, ...it, since: iso(began), checked_at: iso(at) }
    })
    last = { at, checks }
    return checks
  }

  return async () => {
    if (last && clock() - last.at < FRESH) return last.checks
    running ??= run().finally(() => (running = undefined))
    return running
  }
}

const iso = (at: number): string => new Date(at).toISOString()
