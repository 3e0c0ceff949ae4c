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
import type { ConversionFailure } from '#device/files/conversion-row.ts'
import { prepare } from './prepare.ts'

/** One decoding takes hundreds of MB: the lock is held by one tab of this device. */
const LOCK = 'todoke-conversion'

interface Run {
  /** Something may have been added since the last look. */
  again: boolean
  readonly end: Promise<void>
}

const runs = new Map<string, Run>()

/**
 * Converts every picked photo of this person that this page can read. A second call joins the first.
 * Resolves when nothing is left to convert, also by other tabs that were first.
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
    const why = await Promise.race([convert(media, removal.signal), removal.removed])
    if (why && !removal.signal.aborted) await failConversion(media.id, why)
  } finally {
    removal.end()
  }
  return true
}

/** @returns why there is no converted file; `undefined` when there is, or when the photo was taken out */
async function convert(media: Unconverted, signal: AbortSignal): Promise<ConversionFailure | undefined> {
  try {
    const picked = await readPicked(media)
    if (!picked) return 'unconvertible'
    const { name, mime, kind, conversion } = media
    const file = new File([picked], name, { type: mime })
    const seen = { format: conversion.format, mime, kind }
    const ready = await prepare(file, seen, conversion.keepSize, signal)
    if (!ready) return 'unconvertible'
    const end = await storeConverted(media.id, ready)
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
 * Aborts when the media row is gone: the file was taken out, its draft discarded, its person signed out, or the browser
 * cleared the site's data. Chromium never ends a read of bytes whose database was cleared, so the caller has to stop
 * waiting for the conversion: the lock would keep every other photo of this device unconverted.
 */
function watchRemoval(mediaId: string): RemovalWatch {
  const removal = new AbortController()
  const removed = new Promise<undefined>((resolve) => {
    removal.signal.addEventListener('abort', () => resolve(undefined))
  })
  const look = () =>
    void readMedia(mediaId).then(
      (media) => media ?? removal.abort(),
      (error: unknown) => console.error(error),
    )
  const stops = [onChange((change) => change.store !== 'chunks' && look()), onDatabaseLost(look)]
  return { signal: removal.signal, removed, end: () => stops.forEach((stop) => stop()) }
}
