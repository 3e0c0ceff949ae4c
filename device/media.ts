// Media: the files picked for a draft.
import { tell } from './changes.ts'
import { eraseMedia } from './chunks.ts'
import { transact } from './database.ts'
import { changeDraftIn } from './drafts.ts'
import { dropEarlyIn } from './early.ts'
import { believe, setAside, sift } from './rows.ts'
import type { Draft, Media } from './schema.ts'

/** Reads one media row. */
export function readMedia(id: string): Promise<Media | undefined> {
  return transact(['media'], 'readonly', async (tx) =>
    believe('media', await tx.objectStore('media').get(id)),
  )
}

/** Every media row of a draft: its media, its thumbnail, its frame. */
export async function listMedia(draftId: string): Promise<Media[]> {
  const { rows, broken } = await transact(['media'], 'readonly', async (tx) =>
    sift('media', await tx.objectStore('media').index('draft').getAll(draftId)),
  )
  await setAside('media', broken, Date.now())
  return rows
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
  if (changed) tell({ store: 'drafts', id: draft.id })
  return changed
}

/** Takes a file out of its draft and deletes its bytes, in one transaction; what went up early is cancelled. */
export async function removeMedia(draft: Draft, mediaId: string, now: number): Promise<Draft | undefined> {
  let early = false
  const changed = await transact(
    ['drafts', 'jobs', 'receipts', 'media', 'chunks', 'early'],
    'readwrite',
    async (tx) => {
      const next = await changeDraftIn(tx, draft, (stored) => without(stored, mediaId), now)
      if (!next) return undefined
      await eraseMedia(tx, [mediaId])
      early = await dropEarlyIn(tx, draft.id, mediaId)
      return next
    },
  )
  if (changed) tell({ store: 'drafts', id: draft.id })
  if (early) tell({ store: 'early', id: draft.id })
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

/** Notes what an image shows; empty for nothing said. */
export async function setAlt(mediaId: string, alt: string): Promise<void> {
  await changeMedia(mediaId, (media) => ({ ...media, alt }))
}

/** Notes a video's length once the page has measured it, whole seconds. */
export async function setDuration(mediaId: string, duration: number): Promise<void> {
  await changeMedia(mediaId, (media) => ({ ...media, duration }))
}

async function changeMedia(mediaId: string, change: (media: Media) => Media): Promise<void> {
  await transact(['media'], 'readwrite', async (tx) => {
    const media = believe('media', await tx.objectStore('media').get(mediaId))
    if (media) await tx.objectStore('media').put(change(media))
  })
  tell({ store: 'media', id: mediaId })
}
