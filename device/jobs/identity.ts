// The draft of an identity check, stored until it is acknowledged, discarded or signed out.
import type { DocumentKind, IdentityPart } from '#contract/identity/identity.ts'
import { newId } from '#contract/ids.ts'
import { emitChange } from '#device/database/changes.ts'
import { eraseMedia } from '#device/files/chunks.ts'
import { copyFile, type CopyEnd } from '#device/files/import-file.ts'
import { transact, type Tx } from '#device/database/database.ts'
import type { IdentityJob } from './job-rows.ts'
import { newFile, noFailures } from './new-files.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Conversion } from '#device/files/conversion-row.ts'
import type { IdentityDraft, Media } from '#device/database/schema.ts'

export type IssuedPrompts = NonNullable<IdentityDraft['asked']>

/** The names of a check's files in the list of uploads. */
const names: Record<IdentityPart, string> = { front: '書類の表面', back: '書類の裏面', live: '顔の動画' }

/** Reads this person's unfinished check. */
export async function readIdentity(ownerId: string): Promise<IdentityDraft | undefined> {
  const raw = await transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').get(ownerId))
  const row = parseRow('identity', raw)
  // A row that does not parse is deleted: its pictures are quickly taken again, and would never be found.
  if (raw !== undefined && !row) await discardIdentity(ownerId)
  return row
}

/** Reads this person's submitted check. */
export async function readIdentityJob(ownerId: string): Promise<IdentityJob | undefined> {
  const rows = await transact(['jobs'], 'readonly', async (tx) =>
    parseRows('jobs', await tx.objectStore('jobs').index('owner').getAll(ownerId)),
  )
  return rows.find((job) => job.kind === 'identity')
}

/** Notes that the person has compared their name with the document. */
export async function confirmName(ownerId: string, now: number): Promise<void> {
  await change(ownerId, now, async (_tx, draft) => ({ ...draft, named: true }))
}

/** Chooses the document; the pictures of another document are deleted. */
export async function chooseDocument(ownerId: string, kind: DocumentKind, now: number): Promise<void> {
  await change(ownerId, now, async (tx, draft) => {
    if (draft.documentKind === kind) return draft
    await eraseMedia(
      tx,
      [draft.front, draft.back].filter((it) => it !== null),
    )
    return { ...draft, documentKind: kind, front: null, back: null }
  })
}

/** Stores the prompts that the next video shows; a video of other prompts is deleted. */
export async function storePrompts(ownerId: string, prompts: IssuedPrompts, now: number): Promise<void> {
  await change(ownerId, now, async (tx, draft) => {
    if (draft.live) await eraseMedia(tx, [draft.live])
    return { ...draft, asked: prompts, live: null }
  })
}

/**
 * Stores a part's picture or recording on the device, and deletes the one before.
 * @param conversion `pending` for a photo as it was picked (conversions.ts)
 * @returns how copying ended, or `removed` when the check was submitted before
 */
export async function storePart(
  ownerId: string,
  part: IdentityPart,
  file: Blob,
  now: number,
  conversion: Conversion = { is: 'ready' },
): Promise<CopyEnd> {
  const id = newId()
  const begun = await change(ownerId, now, async (tx, draft) => {
    await tx.objectStore('media').put(mediaOf({ id, part, file, draft, now, conversion }))
    return draft
  })
  if (!begun) return { is: 'removed' }
  const end = await copyFile(mediaOf({ id, part, file, draft: begun, now, conversion }), file)
  // The draft names the file only once it is stored whole.
  if (end.is === 'stored') await place(ownerId, part, id, now)
  else await transact(['media', 'chunks'], 'readwrite', (tx) => eraseMedia(tx, [id]))
  return end
}

async function place(ownerId: string, part: IdentityPart, id: string, now: number): Promise<void> {
  await change(ownerId, now, async (tx, draft) => {
    const before = draft[part]
    if (before) await eraseMedia(tx, [before])
    return { ...draft, [part]: id }
  })
}

/** Removes a part's picture from the check, if it is still this one. */
export async function removePart(
  ownerId: string,
  part: IdentityPart,
  mediaId: string,
  now: number,
): Promise<void> {
  await change(ownerId, now, async (tx, draft) => {
    if (draft[part] !== mediaId) return draft
    await eraseMedia(tx, [mediaId])
    return { ...draft, [part]: null }
  })
}

interface NewPart {
  id: string
  part: IdentityPart
  file: Blob
  draft: IdentityDraft
  now: number
  conversion: Conversion
}

function mediaOf({ id, part, file, draft, now, conversion }: NewPart): Media {
  return {
    id,
    draftId: draft.id,
    ownerId: draft.ownerId,
    role: part,
    kind: part === 'live' ? 'video' : 'image',
    name: names[part],
    mime: file.type,
    size: file.size,
    duration: null,
    alt: '',
    bytes: { is: 'copying', stored: 0 },
    conversion,
    createdAt: now,
  }
}

/** Changes the stored check, or an empty one, in one transaction; `undefined` when it was submitted before. */
async function change(
  ownerId: string,
  now: number,
  to: (tx: Tx, draft: IdentityDraft) => Promise<IdentityDraft>,
): Promise<IdentityDraft | undefined> {
  const next = await transact(['identity', 'jobs', 'media', 'chunks'], 'readwrite', async (tx) => {
    const stored = parseRow('identity', await tx.objectStore('identity').get(ownerId))
    const draft = stored ?? emptyIdentity(ownerId, now)
    if (await tx.objectStore('jobs').getKey(draft.id)) return undefined
    const changed = await to(tx, draft)
    await tx.objectStore('identity').put(changed)
    return changed
  })
  if (next) emitChange({ store: 'identity', id: ownerId })
  return next
}

function emptyIdentity(ownerId: string, now: number): IdentityDraft {
  const parts = { named: false, documentKind: null, asked: null, front: null, back: null, live: null }
  return { id: newId(), ownerId, ...parts, createdAt: now }
}

export type IdentitySubmission =
  | { is: 'submitted'; job: IdentityJob }
  | { is: 'already' }
  | { is: 'incomplete' }

/**
 * Turns the check into a job, in one transaction; a second submission changes nothing. The pictures and the recording
 * stay until the server has acknowledged the check.
 * @param wantsBack whether the document's back belongs to it
 */
export async function submitIdentityDraft(
  ownerId: string,
  wantsBack: boolean,
  now: number,
): Promise<IdentitySubmission> {
  const end = await transact(['identity', 'media', 'jobs'], 'readwrite', async (tx) => {
    const draft = parseRow('identity', await tx.objectStore('identity').get(ownerId))
    if (!draft) return { is: 'incomplete' } as const
    if (await tx.objectStore('jobs').getKey(draft.id)) return { is: 'already' } as const
    const { documentKind, asked: prompts, front, back, live } = draft
    if (!documentKind || !prompts || !front || !live || (wantsBack && !back))
      return { is: 'incomplete' } as const
    const ids = wantsBack && back ? [front, back, live] : [front, live]
    const rows = parseRows('media', await tx.objectStore('media').index('draft').getAll(draft.id))
    const media = ids.flatMap((id) => rows.filter((row) => row.id === id))
    if (media.length !== ids.length || media.some((row) => row.conversion.is !== 'ready'))
      return { is: 'incomplete' } as const
    const job: IdentityJob = {
      kind: 'identity',
      id: draft.id,
      ownerId,
      key: newId(),
      form: { documentKind, promptsId: prompts.id, front, back: wantsBack ? back : null, live },
      // The recording first: it must begin to arrive before its prompts expire.
      files: media.toReversed().map(newFile),
      stage: { is: 'open' },
      ...noFailures,
      createdAt: now,
    }
    await tx.objectStore('jobs').put(job)
    return { is: 'submitted', job } as const
  })
  if (end.is === 'submitted') {
    emitChange({ store: 'jobs', id: end.job.id })
    emitChange({ store: 'identity', id: ownerId })
  }
  return end
}

/** Deletes an unfinished check with its files; a submitted one stays. */
export async function discardIdentity(ownerId: string): Promise<void> {
  await transact(['identity', 'jobs', 'media', 'chunks'], 'readwrite', async (tx) => {
    const jobs = await tx.objectStore('jobs').index('owner').getAllKeys(ownerId)
    const row: { id?: unknown } | undefined = await tx.objectStore('identity').get(ownerId)
    // A row that does not parse has pictures too.
    if (typeof row?.id === 'string') {
      if (jobs.includes(row.id)) return
      await eraseMedia(tx, await tx.objectStore('media').index('draft').getAllKeys(row.id))
    }
    await tx.objectStore('identity').delete(ownerId)
  })
  emitChange({ store: 'identity', id: ownerId })
}

/** Deletes the check of a finished job, inside the transaction that ends the job. The caller emits the change. */
export async function eraseIdentityIn(tx: Tx, job: IdentityJob): Promise<void> {
  const draft = parseRow('identity', await tx.objectStore('identity').get(job.ownerId))
  if (draft?.id === job.id) await tx.objectStore('identity').delete(job.ownerId)
}
