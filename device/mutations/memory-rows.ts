// Mutations in memory: the rows of a page whose device has no room for them.
import { aboutOf } from '#contract/mutations/mutations.ts'
import type { SequenceNumber } from '#contract/mutations/sequence-number.ts'
import type { Session } from '#device/database/schema.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { byAge, coalesce, firstOfEach } from './coalescing.ts'
import { newMutationRow, numberAfter, type NewMutation } from './mutations.ts'

/** Rows with the same rules as those of the database; they end with their page. */
export interface MemoryRows {
  /** Oldest first, with those that were refused. */
  all(): readonly MutationJob[]
  /** Those of a person that may be sent now: of each target the first. */
  ready(ownerId: string): MutationJob[]
  /** Adds a mutation as `queueMutation` does. One that is queued already, by its id or its meaning, changes nothing. */
  add(ownerId: string, wanted: NewMutation, now: number): void
  /** Changes a row; undefined when it was deleted. */
  change(id: string, change: (job: MutationJob) => MutationJob): MutationJob | undefined
  drop(id: string): void
  /** Removes a mutation that the server has answered, and earlier ones of the same target. */
  dropUpTo(id: string): void
  /** Removes all mutations of this target (`aboutOf`). */
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

  function replaceRows(next: readonly MutationJob[]): void {
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
      // Two mutations of the same millisecond stay in order.
      const createdAt = Math.max(now, (own.at(-1)?.createdAt ?? 0) + 1)
      const others = coalesced.is === 'replaces' ? rows.filter((it) => it.id !== coalesced.id) : rows
      replaceRows([...others, { ...row, createdAt }])
    },
    change(id, change) {
      const stored = rows.find((row) => row.id === id)
      if (!stored) return undefined
      const next = change(stored)
      if (next !== stored) replaceRows(rows.map((row) => (row === stored ? next : row)))
      return next
    },
    drop: (id) => replaceRows(rows.filter((row) => row.id !== id)),
    dropUpTo(id) {
      const acknowledged = rows.find((row) => row.id === id)
      if (!acknowledged) return
      const about = aboutOf(acknowledged.form.mutation)
      const isOver = (row: MutationJob) =>
        aboutOf(row.form.mutation) === about && row.createdAt <= acknowledged.createdAt
      replaceRows(rows.filter((row) => !isOver(row)))
    },
    dropAbout: (about) => replaceRows(rows.filter((row) => aboutOf(row.form.mutation) !== about)),
    retain(ownerId) {
      if (rows.some((row) => row.ownerId !== ownerId))
        replaceRows(rows.filter((row) => row.ownerId === ownerId))
    },
    renewSource: (now) => (last = { source: crypto.randomUUID(), number: now }),
  }
}
