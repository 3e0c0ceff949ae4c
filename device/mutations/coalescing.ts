// Coalescing of mutations: which replace which, and which may be sent now. Pure.
import { aboutOf, oppositeOf, type Mutation } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/database/schema.ts'

/** What becomes of a mutation that is done while others wait. */
export type Coalesced =
  | { is: 'add' }
  /** The last of them says so already. */
  | { is: 'already' }
  /** It takes the place of one that it takes back, sent or not. */
  | { is: 'replaces'; id: string }

const isOpen = ({ facts }: MutationJob) => facts.ending.is === 'open'

/** The mutations about the same thing that are not over, oldest first. */
export function openAbout(acts: readonly MutationJob[], about: string): MutationJob[] {
  return acts.filter((it) => isOpen(it) && aboutOf(it.form.act) === about).toSorted(byAge)
}

/**
 * Lays a mutation over those that wait. Of a switch the last wish alone is sent, whatever this device takes the server to
 * have. One that was sent already may arrive at any time: the greater number of what takes its place outdoes it.
 * @param mutations all of the person's, in any order
 */
export function coalesce(acts: readonly MutationJob[], act: Mutation): Coalesced {
  const last = openAbout(acts, aboutOf(act)).at(-1)
  if (!last || oppositeOf(act) === null) return { is: 'add' }
  if (last.form.act.name === act.name) return { is: 'already' }
  return { is: 'replaces', id: last.id }
}

/** Of each thing the first mutation that is not over; what came after it waits for it. */
export function firstOfEach(acts: readonly MutationJob[]): MutationJob[] {
  const seen = new Set<string>()
  return acts.toSorted(byAge).filter((it) => {
    if (it.facts.ending.is === 'failed') return false
    const about = aboutOf(it.form.act)
    if (seen.has(about)) return false
    seen.add(about)
    return true
  })
}

/** Oldest first; of one moment by their ids, which count up. */
export function byAge(a: MutationJob, b: MutationJob): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}
