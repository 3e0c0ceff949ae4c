// Conversions: photos stored as they were picked, and the files made of them.
import { compositeDigest } from '#contract/digest.ts'
import { byteForm } from './byte-form.ts'
import { emitChange } from '#device/database/changes.ts'
import { chunksOf, eraseChunks, readWhole } from './chunks.ts'
import { createChunker } from './chunker.ts'
import { isFull, transact } from '#device/database/database.ts'
import { digestOf, holdFile, releaseFile, fileHeldHere } from './page-held.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { ConversionFailure } from './conversion-row.ts'
import type { Chunk, Media } from '#device/database/schema.ts'

/** A conversion that a page began so often without an end is not begun again by itself. */
const MAX_TRIES = 3

/** A media row whose picked file is waiting for its conversion. */
export type Unconverted = Media & { conversion: { is: 'pending' } }

const isPending = (media: Media): media is Unconverted => media.conversion.is === 'pending'

/** Whether this page can read the picked file: it is stored whole, or this page keeps it. */
const isReadable = (media: Media): boolean =>
  media.bytes.is === 'stored' || (media.bytes.is === 'picked' && fileHeldHere(media.id) !== undefined)

/**
 * The oldest picked file of this person that this page can convert; `undefined` when there is none.
 * Its try is counted before it begins, and durably: a conversion that ends the page each time becomes `interrupted`.
 * Call it under the lock of conversions (one at a time on a device).
 */
export async function claimConversion(ownerId: string): Promise<Unconverted | undefined> {
  const stopped: string[] = []
  const claimed = await transact(['media'], 'readwrite', async (tx) => {
    const raws = await tx.objectStore('media').index('conversion').getAll([ownerId, 'pending'])
    const rows = parseRows('media', raws).filter(isPending).filter(isReadable)
    for (const row of rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))) {
      const { conversion } = row
      if (conversion.tries < MAX_TRIES) {
        const next: Unconverted = { ...row, conversion: { ...conversion, tries: conversion.tries + 1 } }
        await tx.objectStore('media').put(next)
        return next
      }
      await tx.objectStore('media').put(failed(row, 'interrupted'))
      stopped.push(row.id)
    }
    return undefined
  })
  for (const id of stopped) emitChange({ store: 'media', id })
  return claimed
}

/** Whether any photo of this person waits for its conversion, or a draft waits for its photos. */
export function hasUnconverted(ownerId: string): Promise<boolean> {
  return transact(['media', 'drafts'], 'readonly', async (tx) => {
    if ((await tx.objectStore('media').index('conversion').count([ownerId, 'pending'])) > 0) return true
    const rows = parseRows('drafts', await tx.objectStore('drafts').index('owner').getAll(ownerId))
    return rows.some((draft) => draft.submitWhenReady)
  })
}

/** The picked file; `undefined` when its bytes are not there. */
export async function readPicked(media: Media): Promise<Blob | undefined> {
  return media.bytes.is === 'picked' ? fileHeldHere(media.id) : readWhole(media)
}

export type ConvertedEnd =
  | { is: 'stored' }
  /** There is no room for it, nor was there for the picked file: this page keeps it while it is open. */
  | { is: 'picked' }
  /** There is no room for it. The picked file stays. */
  | { is: 'full' }
  /** The person took the file out, or another page was first. */
  | { is: 'removed' }

/**
 * Puts the converted file in the place of the picked one, in one transaction: either of them is whole at any time.
 * @param file under the name and type it is sent with
 */
export async function storeConverted(mediaId: string, file: File): Promise<ConvertedEnd> {
  const chunks: Chunk[] = []
  const cut = createChunker(file, await byteForm())
  for (let index = 0; index < chunksOf(file.size); index++)
    chunks.push({ mediaId, index, ...(await cut(index)) })
  const digest = await compositeDigest(chunks.map((it) => it.sha256))
  try {
    const stored = await change(mediaId, async (tx, media) => {
      await eraseChunks(tx, mediaId)
      for (const chunk of chunks) await tx.objectStore('chunks').put(chunk)
      return converted(media, file, { is: 'stored', digest })
    })
    if (stored) releaseFile(mediaId)
    return { is: stored ? 'stored' : 'removed' }
  } catch (error) {
    if (!isFull(error)) throw error
    return keepConverted(mediaId, file)
  }
}

/** Without room on the device: a page that keeps the picked file keeps the converted one in its place. */
async function keepConverted(mediaId: string, file: File): Promise<ConvertedEnd> {
  if (!fileHeldHere(mediaId)) return { is: 'full' }
  const digest = await digestOf(file)
  await holdFile(mediaId, file)
  const kept = await change(mediaId, async (_tx, media) => converted(media, file, { is: 'picked', digest }))
  if (!kept) releaseFile(mediaId)
  return { is: kept ? 'picked' : 'removed' }
}

function converted(media: Unconverted, file: File, bytes: Media['bytes']): Media {
  const { name, size, type } = file
  return { ...media, name, mime: type, size, bytes, conversion: { is: 'ready', pickedSize: media.size } }
}

/** Notes that a photo could not be converted. The picked file stays until the person decides. */
export async function failConversion(mediaId: string, why: ConversionFailure): Promise<void> {
  await change(mediaId, async (_tx, media) => failed(media, why))
}

function failed(media: Unconverted, why: ConversionFailure): Media {
  const { format, keepSize } = media.conversion
  return { ...media, conversion: { is: 'failed', format, keepSize, why } }
}

/** The person wants a failed conversion to be tried again. */
export async function convertAgain(mediaId: string): Promise<void> {
  await changeFailed(mediaId, ({ format, keepSize }) => ({ is: 'pending', format, keepSize, tries: 0 }))
}

/** The person sends the picked file as it is; the server converts it. */
export async function sendAsPicked(mediaId: string): Promise<void> {
  await changeFailed(mediaId, () => ({ is: 'ready' }))
}

type Failed = Extract<Media['conversion'], { is: 'failed' }>

async function changeFailed(mediaId: string, to: (it: Failed) => Media['conversion']): Promise<void> {
  const changed = await transact(['media'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (media?.conversion.is !== 'failed') return false
    await tx.objectStore('media').put({ ...media, conversion: to(media.conversion) })
    return true
  })
  if (changed) emitChange({ store: 'media', id: mediaId })
}

type Change = (tx: Parameters<typeof eraseChunks>[0], media: Unconverted) => Promise<Media>

/** Changes a pending row from what is stored, in one strict transaction; `undefined` when it is no longer pending. */
async function change(mediaId: string, to: Change): Promise<Media | undefined> {
  const changed = await transact(['media', 'chunks'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (!media || !isPending(media)) return undefined
    const next = await to(tx, media)
    await tx.objectStore('media').put(next)
    return next
  })
  if (changed) emitChange({ store: 'media', id: mediaId })
  return changed
}
