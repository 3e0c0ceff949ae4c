// Media: the files picked for a draft.
import { emitChange } from '#device/database/changes.ts'
import { eraseMedia } from './chunks.ts'
import { transact, type StoreName } from '#device/database/database.ts'
import { changeDraftIn, putDraftIn, readDraftIn } from '#device/drafts/drafts.ts'
import { dropFromPreuploadIn } from '#device/jobs/preupload.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Draft, Media } from '#device/database/schema.ts'

/** Reads one media row. */
export function readMedia(id: string): Promise<Media | undefined> {
  return transact(['media'], 'readonly', async (tx) =>
    parseRow('media', await tx.objectStore('media').get(id)),
  )
}

/** Lists every media row of a draft: its media, its thumbnail, its frame. */
export function listMedia(draftId: string): Promise<Media[]> {
  return transact(['media'], 'readonly', async (tx) =>
    parseRows('media', await tx.objectStore('media').index('draft').getAll(draftId)),
  )
}

const slot = { thumbnail: 'thumbnailId', frame: 'frameId' } as const

/**
 * Adds a picked file's row to its draft, in one transaction; its bytes follow by `copyFile`.
 * A new thumbnail or frame takes the place of the old one. `undefined` when the draft can no longer change.
 */
export async function addMedia(draft: Draft, media: Media, now: number): Promise<Draft | undefined> {
  const changed = await transact(
    ['drafts', 'jobs', 'receipts', 'media', 'chunks'],
    'readwrite',
    async (tx) => {
      let replaced: string | null = null
      const next = await changeDraftIn(
        tx,
        draft,
        (stored) => {
          if (media.role === 'media') return { ...stored, mediaIds: [...stored.mediaIds, media.id] }
          if (media.role !== 'thumbnail' && media.role !== 'frame') return stored
          replaced = stored[slot[media.role]]
          return { ...stored, [slot[media.role]]: media.id }
        },
        now,
      )
      if (!next) return undefined
      if (replaced) await eraseMedia(tx, [replaced])
      await tx.objectStore('media').put(media)
      return next
    },
  )
  if (changed) emitChange({ store: 'drafts', id: draft.id })
  return changed
}

/**
 * Replaces a file whose row was deleted by a picked file, in one transaction; its bytes follow by `copyFile`. The new file
 * has an id of its own, so that requests still running for the lost one do not affect it.
 * @returns `undefined` when the draft is not on the device, or no longer names the lost file
 */
export async function replaceMedia(lostId: string, media: Media, now: number): Promise<Draft | undefined> {
  const stores: StoreName[] = ['drafts', 'jobs', 'receipts', 'media']
  const changed = await transact(stores, 'readwrite', async (tx) => {
    const found = await readDraftIn(tx, { id: media.draftId, ownerId: media.ownerId })
    if (found.is !== 'stored' || (await tx.objectStore('media').getKey(lostId))) return undefined
    const swapped = (id: string) => (id === lostId ? media.id : id)
    const { mediaIds, thumbnailId, frameId } = found.draft
    if (![...mediaIds, thumbnailId, frameId].includes(lostId)) return undefined
    await tx.objectStore('media').put(media)
    const next = {
      ...found.draft,
      mediaIds: mediaIds.map(swapped),
      thumbnailId: thumbnailId && swapped(thumbnailId),
      frameId: frameId && swapped(frameId),
    }
    return putDraftIn(tx, found.draft, next, now)
  })
  if (changed) emitChange({ store: 'drafts', id: media.draftId })
  return changed
}

/**
 * Removes a file from its draft and deletes its bytes, in one transaction. Its preupload then discards it on the server.
 */
export async function removeMedia(draft: Draft, mediaId: string, now: number): Promise<Draft | undefined> {
  let wasQueued = false
  const changed = await transact(
    ['drafts', 'jobs', 'receipts', 'media', 'chunks', 'early'],
    'readwrite',
    async (tx) => {
      const next = await changeDraftIn(tx, draft, (stored) => without(stored, mediaId), now)
      if (!next) return undefined
      await eraseMedia(tx, [mediaId])
      wasQueued = await dropFromPreuploadIn(tx, draft.id, mediaId)
      return next
    },
  )
  if (changed) emitChange({ store: 'drafts', id: draft.id })
  if (wasQueued) emitChange({ store: 'early', id: draft.id })
  return changed
}

function without(draft: Draft, mediaId: string): Draft {
  return {
    ...draft,
    mediaIds: draft.mediaIds.filter((it) => it !== mediaId),
    thumbnailId: draft.thumbnailId === mediaId ? null : draft.thumbnailId,
    frameId: draft.frameId === mediaId ? null : draft.frameId,
  }
}

/** Stores the description of an image; empty for none. */
export async function setAlt(mediaId: string, alt: string): Promise<void> {
  await changeMedia(mediaId, (media) => ({ ...media, alt }))
}

/** Stores the duration of a video that the page has measured, whole seconds. */
export async function setDuration(mediaId: string, duration: number): Promise<void> {
  await changeMedia(mediaId, (media) => ({ ...media, duration }))
}

async function changeMedia(mediaId: string, change: (media: Media) => Media): Promise<void> {
  await transact(['media'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (media) await tx.objectStore('media').put(change(media))
  })
  emitChange({ store: 'media', id: mediaId })
}
