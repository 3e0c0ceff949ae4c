// Signing out: deletes a person's data, except submitted posts that are not published.
import { evictResponsesIn } from '#device/cache/eviction.ts'
import { emitChange } from '#device/database/changes.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import { transact, type StoreName, type Tx } from '#device/database/database.ts'
import { isBlank } from '#device/drafts/drafts.ts'
import { eraseNotesIn } from '#device/drafts/notes.ts'
import { recordSignOutIn, readSignedOutIn, writeSignedOutIn } from './signed-out.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Job, JobKind } from '#device/jobs/job-rows.ts'
import type { Draft, Session } from '#device/database/schema.ts'

const everything: StoreName[] = [
  'session',
  'settings',
  'drafts',
  'identity',
  'messageDrafts',
  'media',
  'chunks',
  'early',
  'jobs',
  'receipts',
  'shared',
  'broken',
  'answers',
  'pictures',
  'acts',
]

/** How many submissions have not arrived yet, by kind. */
export type Unsent = Readonly<Record<JobKind, number>>

export const noneUnsent: Unsent = { post: 0, identity: 0, message: 0 }

export function unsentOf(jobs: readonly Job[]): Unsent {
  const counts = { ...noneUnsent }
  for (const { kind } of jobs) counts[kind] += 1
  return counts
}

/** What a sign-out of a person would delete and leave. */
export interface Belongings {
  /** Drafts with content: they are deleted. */
  drafts: number
  /** Files picked for unsent messages: they are deleted. */
  files: number
  /** Submitted posts, checks and messages: they stay. */
  unsent: Unsent
  /** Likes, follows and comments the server has not answered: they stay. */
  acts: number
}

/** Counts what a sign-out of this person deletes and leaves. */
export function countBelongings(ownerId: string): Promise<Belongings> {
  return transact(['drafts', 'messageDrafts', 'jobs', 'acts'], 'readonly', async (tx) => {
    const raws = await tx.objectStore('jobs').index('owner').getAll(ownerId)
    const drafts = await tx.objectStore('drafts').index('owner').getAll(ownerId)
    const acts = await tx.objectStore('acts').index('owner').count(ownerId)
    // A row of another version counts too: it may have content.
    const isFilled = (raw: Draft) => {
      const draft = parseRow('drafts', raw)
      return !draft || !isBlank(draft)
    }
    const open = drafts.filter((draft) => isFilled(draft) && !raws.some((job) => job.id === draft.id))
    const messageDrafts = await tx.objectStore('messageDrafts').index('owner').getAll(ownerId)
    const picked = parseRows('messageDrafts', messageDrafts).flatMap((it) => it.mediaIds)
    const jobs = parseRows('jobs', raws)
    const unsent = unsentOf(jobs)
    return {
      drafts: open.length,
      files: picked.length,
      unsent: { ...unsent, post: unsent.post + raws.length - jobs.length },
      acts,
    }
  })
}

/**
 * Ends this person's session here and deletes the person's data, in one transaction: drafts, files, preuploads,
 * receipts, cached responses and pictures, quarantined rows. Jobs stay with their drafts and files, parked under the
 * owner's id and hidden from other people. The next `sweepSignedOut` deletes what another tab writes for them afterwards.
 */
export async function purgePerson(user: Session['user']): Promise<void> {
  await transact(everything, 'readwrite', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get('current'))
    if (session?.user.id === user.id) await tx.objectStore('session').delete('current')
    await eraseIn(tx, user.id)
    const parked = await tx.objectStore('jobs').index('owner').count(user.id)
    // The name is stored only if there is something to show it for.
    await recordSignOutIn(tx, parked > 0 ? user : { ...user, name: '' }, true)
  })
  emitChange({ store: 'session' })
}

/**
 * Deletes rows written for people after they signed out, and the names of people without parked jobs. That an account was closed stays
 * until it was read.
 */
export async function sweepSignedOut(): Promise<void> {
  await transact(everything, 'readwrite', async (tx) => {
    const note = await readSignedOutIn(tx)
    for (const [ownerId, { chose, closed }] of Object.entries(note)) {
      if (chose) await eraseIn(tx, ownerId)
      const owned = await Promise.all(
        (['jobs', 'drafts'] as const).map((store) => tx.objectStore(store).index('owner').count(ownerId)),
      )
      if (owned.some((count) => count > 0)) continue
      if (closed) note[ownerId] = { name: '', chose, closed }
      else delete note[ownerId]
    }
    await writeSignedOutIn(tx, note)
  })
}

/** Submissions that wait on this device for one person's sign-in; `name` is unknown when the note was lost. */
export interface Parked {
  ownerId: string
  name: string | undefined
  unsent: Unsent
}

/** Lists the unsent submissions of people who are not signed in, by person. */
export function listParked(): Promise<Parked[]> {
  return transact(['session', 'settings', 'jobs'], 'readonly', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get('current'))
    const note = await readSignedOutIn(tx)
    const jobs = parseRows('jobs', await tx.objectStore('jobs').getAll())
    const owners = new Set(jobs.map((job) => job.ownerId))
    if (session) owners.delete(session.user.id)
    return [...owners].map((ownerId) => ({
      ownerId,
      name: note[ownerId]?.name || undefined,
      unsent: unsentOf(jobs.filter((job) => job.ownerId === ownerId)),
    }))
  })
}

/**
 * Deletes the parked jobs of a person who is not signed in, with their files. The server removes its uploads by itself.
 * Does nothing for a signed-in person.
 * @param what `all` deletes the drafts too: of an account that is closed
 */
export async function discardParked(ownerId: string, what: 'submitted' | 'all' = 'submitted'): Promise<void> {
  const deleted = await transact(everything, 'readwrite', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get('current'))
    if (session?.user.id === ownerId) return undefined
    const ids = await tx.objectStore('jobs').index('owner').getAllKeys(ownerId)
    for (const id of ids) {
      await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(id))
      await tx.objectStore('drafts').delete(id)
      await tx.objectStore('jobs').delete(id)
    }
    if (what === 'all') {
      await eraseIn(tx, ownerId)
      const { [ownerId]: _, ...note } = await readSignedOutIn(tx)
      await writeSignedOutIn(tx, note)
    }
    await tx.objectStore('identity').delete(ownerId)
    for (const id of await tx.objectStore('acts').index('owner').getAllKeys(ownerId))
      await tx.objectStore('acts').delete(id)
    return ids
  })
  for (const id of deleted ?? []) emitChange({ store: 'jobs', id })
  if (what === 'all' && deleted) emitChange({ store: 'session' })
}

async function eraseIn(tx: Tx, ownerId: string): Promise<void> {
  await evictResponsesIn(tx, (it) => it === ownerId)
  await eraseNotesIn(tx, ownerId)
  const jobs = new Set(await tx.objectStore('jobs').index('owner').getAllKeys(ownerId))
  for (const store of ['drafts', 'early', 'receipts'] as const) {
    const keys = await tx.objectStore(store).index('owner').getAllKeys(ownerId)
    for (const key of keys) if (!jobs.has(key)) await tx.objectStore(store).delete(key)
  }
  for (const key of await tx.objectStore('messageDrafts').index('owner').getAllKeys(ownerId))
    await tx.objectStore('messageDrafts').delete(key)
  for (const it of await tx.objectStore('shared').getAll())
    if (it.ownerId === ownerId || it.ownerId === null) await tx.objectStore('shared').delete(it.id)
  const identity = await tx.objectStore('identity').get(ownerId)
  if (identity && !jobs.has(identity.id)) await tx.objectStore('identity').delete(ownerId)
  // Files without a draft belong to the person too.
  const media = await tx.objectStore('media').getAll()
  const files = media.filter((row) => row.ownerId === ownerId && !jobs.has(row.draftId))
  await eraseMedia(
    tx,
    files.map((row) => row.id),
  )
  for (let cursor = await tx.objectStore('broken').openCursor(); cursor;) {
    const { row } = cursor.value
    if (typeof row === 'object' && row !== null && 'ownerId' in row && row.ownerId === ownerId)
      await cursor.delete()
    cursor = await cursor.continue()
  }
}
