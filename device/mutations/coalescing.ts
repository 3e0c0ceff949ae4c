// Coalescing of mutations: which replace which, and which may be sent now. Pure.
import { aboutOf, oppositeOf, type Mutation } from '#contract/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'

/** How a new mutation combines with those that wait. */
export type Coalesced =
  | { is: 'add' }
  /** The last of them has the same effect. */
  | { is: 'already' }
  /** It replaces one that it reverses, sent or not. */
  | { is: 'replaces'; id: string }

const isOpen = ({ stage }: MutationJob) => stage.is === 'open' || stage.is === 'requested'

/** Selects the open mutations of one target, oldest first. */
export function openAbout(jobs: readonly MutationJob[], about: string): MutationJob[] {
  return jobs.filter((it) => isOpen(it) && aboutOf(it.form.mutation) === about).toSorted(byAge)
}

/**
 * Combines a mutation with those that wait. Of opposite mutations only the last is sent, in any state of the server.
 * One that was sent already may arrive at any time: the greater number of its replacement supersedes it.
 * @param jobs all of the person's, in any order
 */
export function coalesce(jobs: readonly MutationJob[], mutation: Mutation): Coalesced {
  const last = openAbout(jobs, aboutOf(mutation)).at(-1)
  if (!last || oppositeOf(mutation) === null) return { is: 'add' }
  if (last.form.mutation.name === mutation.name) return { is: 'already' }
  return { is: 'replaces', id: last.id }
}

/** Selects the first open mutation of each target; later ones wait for it. */
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

/** Orders mutations oldest first; those of one moment by their ids, which increase. */
export function byAge(a: MutationJob, b: MutationJob): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
}
