// Mutations in memory: the rows of a page whose device has no room for them.
import { aboutOf } from '#contract/mutations/mutations.ts'
import type { SequenceNumber } from '#contract/mutations/sequence-number.ts'
import type { Session } from '#device/database/schema.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { byAge, coalesce, firstOfEach } from './coalescing.ts'
import { newMutationRow, numberAfter, type NewMutation } from './mutations.ts'

/** The same rows as in the database, with the same rules; they end with their page. */
export interface MemoryRows {
  /** Oldest first, with those that were refused. */
  all(): readonly MutationJob[]
  /** Those of a person that may be sent now: of each target the first. */
  ready(ownerId: string): MutationJob[]
  /** Adds a mutation as `queueMutation` does. One that is there already, by its id or its meaning, changes nothing. */
  add(ownerId: string, wanted: NewMutation, now: number): void
  /** Changes a row; undefined when it is gone. */
  change(id: string, change: (job: MutationJob) => MutationJob): MutationJob | undefined
  drop(id: string): void
  /** The server has answered this one: removes it, and earlier ones about the same target. */
  dropUpTo(id: string): void
  /** Removes all about this target (`aboutOf`). */
  dropAbout(about: string): void
  /** Removes the mutations of every other person. */
  retain(ownerId: string | undefined): void
  /** Starts a new source of numbers, and gives its first. */
  renewSource(now: number): SequenceNumber
}

/** What a page gives to the runner of its rows. */
export interface MemoryPage {
  /** Stores one on the device, to be sent from there; false on a device that cannot. */
  store: (job: MutationJob) => Promise<boolean>
  /** The person of this page, with the token that the page uses. */
  session: () => Session | undefined
  /** The server refused this token. */
  refused: (token: string) => Promise<void>
  /** Called with the server's reply to a mutation. */
  onReply: (job: MutationJob, reply: unknown) => void
}

/** @param changed called after each change of the rows */
export function createMemoryRows(changed: () => void): MemoryRows {
  let rows: readonly MutationJob[] = []
  let last: SequenceNumber = { source: crypto.randomUUID(), number: 0 }

  function become(next: readonly MutationJob[]): void {
    rows = next.toSorted(byAge)
    changed()
  }
  return {
    all: () => rows,
    ready: (ownerId) => firstOfEach(rows.filter((row) => row.ownerId === ownerId)),
    add(ownerId, wanted, now) {
      const own = rows.filter((row) => row.ownerId === ownerId)
      if (own.some((row) => row.id === wanted.id)) return
      const coalesced = coalesce(own, wanted.mutation)
      if (coalesced.is === 'already') return
      last = numberAfter(last, now)
      const row = newMutationRow(ownerId, wanted, last, now)
      // Two mutations of the same millisecond keep their order.
      const createdAt = Math.max(now, (own.at(-1)?.createdAt ?? 0) + 1)
      const left = coalesced.is === 'replaces' ? rows.filter((it) => it.id !== coalesced.id) : rows
      become([...left, { ...row, createdAt }])
    },
    change(id, change) {
      const stored = rows.find((row) => row.id === id)
      if (!stored) return undefined
      const next = change(stored)
      if (next !== stored) become(rows.map((row) => (row === stored ? next : row)))
      return next
    },
    drop: (id) => become(rows.filter((row) => row.id !== id)),
    dropUpTo(id) {
      const answered = rows.find((row) => row.id === id)
      if (!answered) return
      const about = aboutOf(answered.form.mutation)
      const isOver = (row: MutationJob) =>
        aboutOf(row.form.mutation) === about && row.createdAt <= answered.createdAt
      become(rows.filter((row) => !isOver(row)))
    },
    dropAbout: (about) => become(rows.filter((row) => aboutOf(row.form.mutation) !== about)),
    retain(ownerId) {
      if (rows.some((row) => row.ownerId !== ownerId)) become(rows.filter((row) => row.ownerId === ownerId))
    },
    renewSource: (now) => (last = { source: crypto.randomUUID(), number: now }),
  }
}
