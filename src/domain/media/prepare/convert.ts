// Converts picked photos, one at a time among all tabs, and resumes interrupted ones.
import { onChange } from '#device/database/changes.ts'
import { onDatabaseLost } from '#device/database/database-state.ts'
import {
  claimConversion,
  failConversion,
  readPicked,
  storeConverted,
  type Unconverted,
} from '#device/files/conversions.ts'
import { readMedia } from '#device/files/media.ts'
import { isUnhashed } from '#device/files/photos.ts'
import type { ConversionFailure } from '#device/files/conversion-row.ts'
import { examineStored } from './examined.ts'
import { prepare } from './prepare.ts'

/** Lock for one conversion at a time on the device, since one takes hundreds of MB. */
const LOCK = 'todoke-conversion'

interface Run {
  /** A photo may have been added since the last check. */
  again: boolean
  readonly end: Promise<void>
}

const runs = new Map<string, Run>()

/**
 * Converts every picked photo of this person that this page can read. A second call shares the run of the first.
 * Resolves when no photo is left to convert, also for other tabs.
 */
export function convertPicked(ownerId: string): Promise<void> {
  const running = runs.get(ownerId)
  if (running) {
    running.again = true
    return running.end
  }
  const run = { again: false, end: Promise.resolve() }
  run.end = convertAll(ownerId, run).finally(() => runs.delete(ownerId))
  runs.set(ownerId, run)
  return run.end
}

async function convertAll(ownerId: string, run: { again: boolean }): Promise<void> {
  do {
    run.again = false
    while (await navigator.locks.request(LOCK, () => convertNext(ownerId)));
  } while (run.again)
}

/** @returns false when there was nothing to convert */
async function convertNext(ownerId: string): Promise<boolean> {
  const media = await claimConversion(ownerId)
  if (!media) return false
  const removal = watchRemoval(media.id)
  try {
    const failure = await Promise.race([convert(media, removal.signal), removal.removed])
    if (failure && !removal.signal.aborted) await failConversion(media.id, failure)
  } finally {
    removal.end()
  }
  return true
}

/** @returns why the conversion failed; `undefined` when it succeeded or the photo was removed */
async function convert(media: Unconverted, signal: AbortSignal): Promise<ConversionFailure | undefined> {
  try {
    const picked = await readPicked(media)
    if (!picked) return 'unconvertible'
    const { name, mime, kind, conversion } = media
    const file = new File([picked], name, { type: mime })
    const recognised = { format: conversion.format, mime, kind }
    const { keepSize } = conversion
    // A photo that was stored at once has not been examined if its page ended: the server would refuse it.
    const examined = { mediaId: media.id, recognised, keepSize }
    if (isUnhashed(media) && (await examineStored(file, examined))) return 'unconvertible'
    const ready = await prepare(file, recognised, keepSize, signal)
    if (!ready) return 'unconvertible'
    const end = await storeConverted(media.id, ready.file, ready.isStilled)
    return end.is === 'full' ? 'no_room' : undefined
  } catch (error) {
    if (!signal.aborted) console.error('Upload error!', error)
    return 'unconvertible'
  }
}

interface RemovalWatch {
  signal: AbortSignal
  /** Resolves when the signal aborts. */
  removed: Promise<undefined>
  end: () => void
}

/**
 * Aborts when the media row is deleted: with its file, its draft, its account's data or the site's data. Chromium
 * never ends a read of bytes whose database was cleared, so the caller must stop waiting and release the lock.
 */
function watchRemoval(mediaId: string): RemovalWatch {
  const removal = new AbortController()
  const removed = new Promise<undefined>((resolve) => {
    removal.signal.addEventListener('abort', () => resolve(undefined))
  })
  const checkRow = () =>
    void readMedia(mediaId).then(
      (media) => media ?? removal.abort(),
      (error: unknown) => console.error(error),
    )
  const unsubscribes = [
    onChange((change) => change.store !== 'chunks' && checkRow()),
    onDatabaseLost(checkRow),
  ]
  return { signal: removal.signal, removed, end: () => unsubscribes.forEach((stop) => stop()) }
}
