// The queue's store over this device's database.
import { compositeDigest } from '#contract/digest.ts'
import { onChange } from '#device/database/changes.ts'
import { CHUNK_BYTES, chunksOf, readChunk, readLeaves, sealMedia } from '#device/files/chunks.ts'
import { isCopying } from '#device/files/import-file.ts'
import { listDeliveries } from '#device/jobs/deliveries.ts'
import { changeJob, dropJob, finishJob } from '#device/jobs/jobs.ts'
import { readMedia } from '#device/files/media.ts'
import { requestFromPage } from '#device/files/page-held.ts'
import { clearSession, readSession } from '#device/session/session.ts'
import { Ended } from './requests/outcome.ts'
import type { QueueStore } from './ports.ts'

export const deviceStore: QueueStore = {
  session: readSession,
  refused: clearSession,
  deliveries: listDeliveries,
  change: changeJob,
  finish: finishJob,
  drop: dropJob,
  media: readMedia,
  digest,
  chunk,
  async range(mediaId, from, to, signal) {
    const parts: Blob[] = []
    for (let at = from; at < to;) {
      const index = Math.floor(at / CHUNK_BYTES)
      const whole = await chunk(mediaId, index, signal)
      if (!whole) return undefined
      const start = index * CHUNK_BYTES
      const until = Math.min(to, start + CHUNK_BYTES)
      parts.push(whole.slice(at - start, until - start))
      at = until
    }
    return new Blob(parts)
  },
}

async function digest(mediaId: string, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const changed = nextChunkOf(mediaId, signal)
    try {
      const media = await readMedia(mediaId)
      if (media?.bytes.is !== 'copying') return media?.bytes.digest
      if (!(await isCopying(mediaId))) return await seal(mediaId)
      await changed.arrived
    } finally {
      changed.dispose()
    }
  }
}

/** Seals a media whose copying page closed between its last chunk and the seal. */
async function seal(mediaId: string): Promise<string | undefined> {
  const media = await readMedia(mediaId)
  if (media?.bytes.is !== 'copying') return media?.bytes.digest
  if (media.bytes.stored < chunksOf(media.size)) return undefined
  const sealed = await sealMedia(mediaId, await compositeDigest(await readLeaves(mediaId)))
  return sealed?.bytes.is === 'stored' ? sealed.bytes.digest : undefined
}

async function chunk(mediaId: string, index: number, signal: AbortSignal): Promise<Blob | undefined> {
  for (;;) {
    const stored = nextChunkOf(mediaId, signal)
    try {
      const found = await readChunk(mediaId, index)
      if (found) return found
      if (!(await isCopying(mediaId))) {
        return (await readChunk(mediaId, index)) ?? (await fromPage(mediaId, index, signal))
      }
      await stored.arrived
    } finally {
      stored.dispose()
    }
  }
}

/** Reads a page-held file; without the page that holds it, its job waits. */
async function fromPage(mediaId: string, index: number, signal: AbortSignal): Promise<Blob | undefined> {
  const media = await readMedia(mediaId)
  if (media?.bytes.is !== 'picked') return undefined
  const from = index * CHUNK_BYTES
  const bytes = await requestFromPage(mediaId, from, Math.min(media.size, from + CHUNK_BYTES), signal)
  if (!bytes) throw new Ended({ is: signal.aborted ? 'stopped' : 'lost' })
  return bytes
}

/** The media is read again after this long without a new chunk, ms. */
const REREAD_MS = 2000

function nextChunkOf(mediaId: string, signal: AbortSignal) {
  let dispose = () => {}
  const arrived = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, REREAD_MS)
    const unsubscribe = onChange((change) => {
      if ('id' in change && change.id === mediaId) resolve()
    })
    const stop = () => reject(new Ended({ is: 'stopped' }))
    signal.addEventListener('abort', stop, { once: true })
    dispose = () => {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener('abort', stop)
    }
  })
  arrived.catch(() => undefined)
  return { arrived, dispose: () => dispose() }
}
