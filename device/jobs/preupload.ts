// Early upload: files of a draft go up while its post is still being written.
import { emitChange } from '#device/database/changes.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { earlyFacts, withoutDraft, withoutFile } from './facts.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Early, JobFacts } from '#device/database/schema.ts'

/**
 * Puts the draft's files on their way, in one transaction; those that are already change nothing.
 * Only for drafts of the resumable protocol: by the other one the post comes first.
 */
export async function beginEarly(draftId: string, ownerId: string, now: number): Promise<void> {
  const begun = await transact(['drafts', 'media', 'jobs', 'receipts', 'early'], 'readwrite', async (tx) => {
    if (await tx.objectStore('jobs').getKey(draftId)) return false
    if (await tx.objectStore('receipts').getKey(draftId)) return false
    const draft = parseRow('drafts', await tx.objectStore('drafts').get(draftId))
    if (draft?.ownerId !== ownerId || draft.protocol !== 'tus') return false
    const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId))
    // In the post's order: ids made within one millisecond have none.
    const named = draft.mediaIds.flatMap((id) => rows.find((row) => row.id === id) ?? [])
    const picked = named.filter((row) => row.conversion.is === 'ready')
    const before = parseRow('early', await tx.objectStore('early').get(draftId))
    const facts = resumed(earlyFacts(before?.facts, picked))
    if (picked.length === 0 || facts === before?.facts) return false
    const row: Early = { id: draftId, ownerId, protocol: 'tus', form: null, facts, createdAt: now }
    await tx.objectStore('early').put(before ? { ...before, facts } : row)
    return true
  })
  if (begun) emitChange({ store: 'early', id: draftId })
}

/** Nothing more of the draft goes up before it is submitted; what is there stays there. */
export async function holdEarly(draftId: string): Promise<void> {
  const held = await transact(['early'], 'readwrite', (tx) =>
    changeIn(tx, draftId, (facts) =>
      facts.media.every((it) => it.done || it.paused)
        ? facts
        : { ...facts, media: facts.media.map((it) => ({ ...it, paused: !it.done })) },
    ),
  )
  if (held) emitChange({ store: 'early', id: draftId })
}

function resumed(facts: JobFacts): JobFacts {
  if (!facts.media.some((it) => it.paused)) return facts
  return { ...facts, media: facts.media.map((it) => ({ ...it, paused: false })) }
}

/** A file leaves its draft, inside the transaction that takes it out. The caller tells of the change. */
export function dropEarlyIn(tx: Tx, draftId: string, mediaId: string): Promise<boolean> {
  return changeIn(tx, draftId, (facts) =>
    facts.media.some((it) => it.id === mediaId) ? withoutFile(facts, mediaId) : facts,
  )
}

/** The draft is discarded, inside the transaction that deletes it. The caller tells of the change. */
export function discardEarlyIn(tx: Tx, draftId: string): Promise<boolean> {
  return changeIn(tx, draftId, withoutDraft)
}

async function changeIn(tx: Tx, draftId: string, change: (facts: JobFacts) => JobFacts): Promise<boolean> {
  const before = parseRow('early', await tx.objectStore('early').get(draftId))
  const facts = before && change(before.facts)
  if (!before || !facts || facts === before.facts) return false
  await tx.objectStore('early').put({ ...before, facts })
  return true
}

/** What went up early of a draft; `undefined` when nothing was put on its way. */
export function readEarly(draftId: string): Promise<Early | undefined> {
  return transact(['early'], 'readonly', async (tx) =>
    parseRow('early', await tx.objectStore('early').get(draftId)),
  )
}
