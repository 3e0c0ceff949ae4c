// Mutations stored until the server has answered, or the person has read the refusal.
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

/** A mutation to queue, with the name to show if it fails. */
export interface NewMutation {
  readonly mutation: Mutation
  /** The name of the person whose post, comment or profile it changes. */
  readonly about: string
  /** The mutation's id; that of the comment for a comment. */
  readonly id?: string
}

/** Makes the row of a new mutation. */
export function newMutationRow(
  ownerId: string,
  { mutation, about, id = newId() }: NewMutation,
  number: SequenceNumber,
  now: number,
): MutationJob {
  const form = { mutation: v.parse(mutationSchema, mutation), about }
  return { kind: 'mutation', id, ownerId, form, number, stage: { is: 'open' }, ...noFailures, createdAt: now }
}

/** The number after the last one: the time, or one more where the clock went back. */
export const numberAfter = ({ source, number }: SequenceNumber, now: number): SequenceNumber => ({
  source,
  number: Math.max(now, number + 1),
})

/** The key of this device's last number in the settings. */
const NUMBER_KEY = 'acts.number'

async function nextNumberIn(tx: Tx, now: number): Promise<SequenceNumber> {
  const stored = v.safeParse(sequenceNumber, await tx.objectStore('settings').get(NUMBER_KEY))
  const last = stored.success ? stored.output : { source: crypto.randomUUID(), number: 0 }
  const next = numberAfter(last, now)
  await tx.objectStore('settings').put(next, NUMBER_KEY)
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
    await tx.objectStore('settings').put(next, NUMBER_KEY)
    return next
  })
}

/**
 * Stores a mutation and deletes the one that it replaces, in one transaction. One that is queued already, by its id or
 * because the last one of its target has the same effect, changes nothing.
 */
export async function queueMutation(ownerId: string, wanted: NewMutation, now: number): Promise<void> {
  const changed = await transact(['acts', 'settings'], 'readwrite', async (tx) => {
    if (wanted.id !== undefined && (await tx.objectStore('acts').getKey(wanted.id))) return undefined
    const waiting = await ownIn(tx, ownerId)
    const coalesced = coalesce(waiting, wanted.mutation)
    if (coalesced.is === 'already') return undefined
    if (coalesced.is === 'replaces') await tx.objectStore('acts').delete(coalesced.id)
    const row = newMutationRow(ownerId, wanted, await nextNumberIn(tx, now), now)
    // Two mutations of one millisecond stay in order.
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

/** Lists this person's mutations, oldest first; rows of another version of the app are left out. */
export async function listMutations(ownerId: string): Promise<MutationJob[]> {
  const rows = await transact(['acts'], 'readonly', (tx) => ownIn(tx, ownerId))
  return rows.toSorted(byAge)
}

/** Lists the mutations that may be sent now: the first of each target. */
export async function readyMutations(ownerId: string): Promise<MutationJob[]> {
  return firstOfEach(await listMutations(ownerId))
}

/** Changes a mutation from what is stored, in one transaction; `undefined` when it was deleted. */
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

/** Deletes a mutation that the server has acknowledged, or whose refusal the person has read. */
export async function dropMutation(id: string): Promise<void> {
  await transact(['acts'], 'readwrite', (tx) => tx.objectStore('acts').delete(id))
  emitChange({ store: 'acts', id })
}
