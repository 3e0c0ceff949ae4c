// Coalescing of mutations: which replace which, and which may be sent now. Pure.
import { aboutOf, oppositeOf, type Mutation } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'

/** What becomes of a mutation that is done while others wait. */
export type Coalesced =
  | { is: 'add' }
  /** The last of them says so already. */
  | { is: 'already' }
  /** It takes the place of one that it takes back, sent or not. */
  | { is: 'replaces'; id: string }

const isOpen = ({ stage }: MutationJob) => stage.is === 'open' || stage.is === 'requested'

/** The mutations about the same thing that are not over, oldest first. */
export function openAbout(jobs: readonly MutationJob[], about: string): MutationJob[] {
  return jobs.filter((it) => isOpen(it) && aboutOf(it.form.mutation) === about).toSorted(byAge)
}

/**
 * Lays a mutation over those that wait. Of a switch the last wish alone is sent, whatever this device takes the server to
 * have. One that was sent already may arrive at any time: the greater number of what takes its place outdoes it.
 * @param jobs all of the person's, in any order
 */
export function coalesce(jobs: readonly MutationJob[], mutation: Mutation): Coalesced {
  const last = openAbout(jobs, aboutOf(mutation)).at(-1)
  if (!last || oppositeOf(mutation) === null) return { is: 'add' }
  if (last.form.mutation.name === mutation.name) return { is: 'already' }
  return { is: 'replaces', id: last.id }
}

/** Of each thing the first mutation that is not over; what came after it waits for it. */
export function firstOfEach(jobs: readonly MutationJob[]): MutationJob[] {
  const seen = new Set<string>()
  return jobs.toSorted(byAge).filter((it) => {
    if (it.stage.is === 'failed') return false
    const about = aboutOf(it.form.mutation)
    if (seen.has(about)) return false
    seen.add(about)
    return true
  })
}

/** Oldest first; of one moment by their ids, which count up. */
export function byAge(a: MutationJob, b: MutationJob): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}
