// Mutations stored on the device until the server has answered, or the person has read why it refused.
import { sequenceNumber, type SequenceNumber } from '#contract/mutations/sequence-number.ts'
import { mutation as mutationSchema, type Mutation } from '#contract/mutations/mutations.ts'
import { newId } from '#contract/ids.ts'
import * as v from 'valibot'
import { byAge, firstOfEach, coalesce } from './coalescing.ts'
import { emitChange } from '#device/database/changes.ts'
import { transact, type Tx } from '#device/database/database.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { noFailures } from '#device/jobs/new-files.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'

/** What is done, and how it is called should it not arrive. */
export interface NewMutation {
  readonly mutation: Mutation
  /** Whose post, comment or profile it is about: a name for the person to read. */
  readonly about: string
  /** The mutation's id; a comment has that of the comment. */
  readonly id?: string
}

/** The row of a mutation that was done now. */
export function newMutationRow(
  ownerId: string,
  { mutation, about, id = newId() }: NewMutation,
  number: SequenceNumber,
  now: number,
): MutationJob {
  const form = { mutation: v.parse(mutationSchema, mutation), about }
  return { kind: 'mutation', id, ownerId, form, number, stage: { is: 'open' }, ...noFailures, createdAt: now }
}

/** The number after the last one, in step with the clock as long as that does not go back. */
export const numberAfter = ({ source, number }: SequenceNumber, now: number): SequenceNumber => ({
  source,
  number: Math.max(now, number + 1),
})

/** The key of this device's last number in the settings. */
const NUMBER = 'acts.number'

async function nextNumberIn(tx: Tx, now: number): Promise<SequenceNumber> {
  const stored = v.safeParse(sequenceNumber, await tx.objectStore('settings').get(NUMBER))
  const last = stored.success ? stored.output : { source: crypto.randomUUID(), number: 0 }
  const next = numberAfter(last, now)
  await tx.objectStore('settings').put(next, NUMBER)
  return next
}

/**
 * Starts a new source of numbers: a copy of this device counts with the old one.
 * @param now milliseconds since 1970
 * @returns the first number of the new source
 */
export function renewMutationSource(now: number): Promise<SequenceNumber> {
  return transact(['settings'], 'readwrite', async (tx) => {
    const next = { source: crypto.randomUUID(), number: now }
    await tx.objectStore('settings').put(next, NUMBER)
    return next
  })
}

/**
 * Keeps a mutation until it is done, in one transaction with what it takes the place of. A mutation that is there already, by
 * its id or because the last one about the same thing says so, changes nothing.
 */
export async function queueMutation(ownerId: string, wanted: NewMutation, now: number): Promise<void> {
  const changed = await transact(['acts', 'settings'], 'readwrite', async (tx) => {
    if (wanted.id !== undefined && (await tx.objectStore('acts').getKey(wanted.id))) return undefined
    const waiting = await ownIn(tx, ownerId)
    const folded = coalesce(waiting, wanted.mutation)
    if (folded.is === 'already') return undefined
    if (folded.is === 'replaces') await tx.objectStore('acts').delete(folded.id)
    const row = newMutationRow(ownerId, wanted, await nextNumberIn(tx, now), now)
    // Two of one moment keep their order.
    const last = waiting.toSorted(byAge).at(-1)
    const createdAt = Math.max(row.createdAt, (last?.createdAt ?? 0) + 1)
    await tx.objectStore('acts').put({ ...row, createdAt })
    return row.id
  })
  if (changed !== undefined) emitChange({ store: 'acts', id: changed })
}

async function ownIn(tx: Tx<IDBTransactionMode>, ownerId: string): Promise<MutationJob[]> {
  return parseRows('acts', await tx.objectStore('acts').index('owner').getAll(ownerId))
}

/** All of this person's mutations that are not done, oldest first; rows of another version of the app are left out. */
export async function listMutations(ownerId: string): Promise<MutationJob[]> {
  const rows = await transact(['acts'], 'readonly', (tx) => ownIn(tx, ownerId))
  return rows.toSorted(byAge)
}

/** Those that may be sent now: of each thing the first. */
export async function readyMutations(ownerId: string): Promise<MutationJob[]> {
  return firstOfEach(await listMutations(ownerId))
}

/** Changes a mutation from what is stored, in one transaction; `undefined` when it is gone. */
export async function changeMutation(
  id: string,
  change: (job: MutationJob) => MutationJob,
): Promise<MutationJob | undefined> {
  let changed = false
  const job = await transact(['acts'], 'readwrite', async (tx) => {
    const stored = parseRow('acts', await tx.objectStore('acts').get(id))
    if (!stored) return undefined
    const next = change(stored)
    if (next === stored) return stored
    changed = true
    await tx.objectStore('acts').put(next)
    return next
  })
  if (changed) emitChange({ store: 'acts', id })
  return job
}

/** It is done, or the person has read why it is not: nothing of it stays. */
export async function dropMutation(id: string): Promise<void> {
  await transact(['acts'], 'readwrite', (tx) => tx.objectStore('acts').delete(id))
  emitChange({ store: 'acts', id })
}
