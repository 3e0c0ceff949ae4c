// Conversions: photos stored as they were picked, and the files made of them.
import { compositeDigest } from '#contract/digest.ts'
import { byteForm } from './byte-form.ts'
import { emitChange } from '#device/database/changes.ts'
import { chunksOf, eraseChunks, readWhole } from './chunks.ts'
import { createChunker } from './chunker.ts'
import { isFull, transact } from '#device/database/database.ts'
import { readMedia } from './media.ts'
import { digestOf, holdFile, leavesOf, releaseFile, heldFile } from './page-held.ts'
import { isUnhashed } from './photos.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { ConversionFailure } from './conversion-row.ts'
import type { Chunk, Media } from '#device/database/schema.ts'

/** After so many tries without an end, only the person can start a conversion again. */
const MAX_TRIES = 3

/** A media row whose picked file is waiting for its conversion. */
export type Unconverted = Media & { conversion: { is: 'pending' } }

const isPending = (media: Media): media is Unconverted => media.conversion.is === 'pending'

/** Whether this page can read the picked file: it is stored whole, or this page holds it. */
const isReadable = (media: Media): boolean =>
  media.bytes.is === 'stored' || (media.bytes.is === 'picked' && heldFile(media.id) !== undefined)

/**
 * Claims the oldest picked file of this person that this page can convert; `undefined` when there is none.
 * The try is counted before it begins, and durably: a conversion that ends the page each time becomes `interrupted`.
 * Call it under the lock of conversions (one at a time on a device).
 */
export async function claimConversion(ownerId: string): Promise<Unconverted | undefined> {
  const interrupted: string[] = []
  const claimed = await transact(['media'], 'readwrite', async (tx) => {
    const raws = await tx.objectStore('media').index('conversion').getAll([ownerId, 'pending'])
    const rows = parseRows('media', raws).filter(isPending).filter(isReadable)
    for (const row of rows.toSorted((a, b) => a.createdAt - b.createdAt)) {
      const { conversion } = row
      if (conversion.tries < MAX_TRIES) {
        const next: Unconverted = { ...row, conversion: { ...conversion, tries: conversion.tries + 1 } }
        await tx.objectStore('media').put(next)
        return next
      }
      await tx.objectStore('media').put(failed(row, 'interrupted'))
      interrupted.push(row.id)
    }
    return undefined
  })
  for (const id of interrupted) emitChange({ store: 'media', id })
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

/** Reads the picked file; `undefined` when its bytes are not there. */
export async function readPicked(media: Media): Promise<Blob | undefined> {
  return media.bytes.is === 'picked' ? heldFile(media.id) : readWhole(media)
}

export type ConvertedEnd =
  | { is: 'stored' }
  /** The device has no room for it or for the picked file: this page holds it while it is open. */
  | { is: 'picked' }
  /** The device has no room for it. The picked file stays. */
  | { is: 'full' }
  /** The person took the file out, or another page was first. */
  | { is: 'removed' }

/**
 * Replaces the picked file by the converted one, in one transaction: one of them is whole at any time.
 * @param file under the name and type it is sent with
 * @param isStilled it is the first frame of a moving picture whose other frames could not be converted
 */
export async function storeConverted(mediaId: string, file: File, isStilled = false): Promise<ConvertedEnd> {
  const chunks: Chunk[] = []
  const cut = createChunker(file, await byteForm())
  for (let index = 0; index < chunksOf(file.size); index++)
    chunks.push({ mediaId, index, ...(await cut(index)) })
  const digest = await compositeDigest(chunks.map((it) => it.sha256))
  try {
    const stored = await change(mediaId, async (tx, media) => {
      await eraseChunks(tx, mediaId)
      for (const chunk of chunks) await tx.objectStore('chunks').put(chunk)
      return converted(media, { file, bytes: { is: 'stored', digest }, isStilled })
    })
    if (stored) releaseFile(mediaId)
    return { is: stored ? 'stored' : 'removed' }
  } catch (error) {
    if (!isFull(error)) throw error
    return holdConverted(mediaId, file, isStilled)
  }
}

/** Holds the converted file in this page in place of the picked one, where the device has no room. */
async function holdConverted(mediaId: string, file: File, isStilled: boolean): Promise<ConvertedEnd> {
  if (!heldFile(mediaId)) return { is: 'full' }
  const digest = await digestOf(file)
  await holdFile(mediaId, file)
  const changed = await change(mediaId, async (_tx, media) =>
    converted(media, { file, bytes: { is: 'picked', digest }, isStilled }),
  )
  if (!changed) releaseFile(mediaId)
  return { is: changed ? 'picked' : 'removed' }
}

interface Converted {
  readonly file: File
  readonly bytes: Media['bytes']
  readonly isStilled: boolean
}

function converted(media: Unconverted, { file, bytes, isStilled }: Converted): Media {
  const { name, size, type } = file
  const conversion = { is: 'ready', pickedSize: media.size, ...(isStilled && { stilled: true }) } as const
  return { ...media, name, mime: type, size, bytes, conversion }
}

/** Records that a photo could not be converted. The picked file stays until the person decides. */
export async function failConversion(mediaId: string, why: ConversionFailure): Promise<void> {
  await change(mediaId, async (_tx, media) => failed(media, why))
}

function failed(media: Unconverted, why: ConversionFailure): Media {
  const { format, keepSize } = media.conversion
  return { ...media, conversion: { is: 'failed', format, keepSize, why } }
}

/** Retries a failed conversion, when the person chooses so. */
export async function convertAgain(mediaId: string): Promise<void> {
  await changeFailed(mediaId, ({ format, keepSize }) => ({ is: 'pending', format, keepSize, tries: 0 }))
}

/** Sends the picked file as it is, when the person chooses so; the server converts it. Computes its digest if it has none. */
export async function sendAsPicked(mediaId: string): Promise<void> {
  const media = await readMedia(mediaId)
  const picked = media && isUnhashed(media) ? await readWhole(media) : undefined
  if (picked) await storeDigest(mediaId, await leavesOf(picked))
  await changeFailed(mediaId, () => ({ is: 'ready' }))
}

/** Stores the digests of an unhashed photo, in one transaction. */
async function storeDigest(mediaId: string, leaves: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  const digest = await compositeDigest(leaves)
  await transact(['media', 'chunks'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (media?.conversion.is !== 'failed' || !isUnhashed(media)) return
    for (const [index, sha256] of leaves.entries()) {
      const chunk = await tx.objectStore('chunks').get([mediaId, index])
      if (chunk) await tx.objectStore('chunks').put({ ...chunk, sha256 })
    }
    await tx.objectStore('media').put({ ...media, bytes: { is: 'stored', digest } })
  })
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
