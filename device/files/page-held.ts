// Files without room on the device, whose bytes their page sends on request.
import * as v from 'valibot'
import { compositeDigest } from '#contract/digest.ts'
import { id, newId } from '#contract/ids.ts'
import { onChange } from '#device/database/changes.ts'
import { chunksOf } from './chunks.ts'
import { createChunker } from './chunker.ts'
import { readMedia } from './media.ts'
import type { Media } from '#device/database/schema.ts'

const CHANNEL = 'todoke-picked'
/** A page without a reply after this time counts as closed, ms. */
const REPLY_MS = 10_000

const requestSchema = v.object({ mediaId: id, from: v.number(), to: v.number(), answer: v.string() })
type FileRequest = v.InferOutput<typeof requestSchema>

interface HeldFile {
  file: Blob
  /** Ends the lock that shows other pages and the worker that this page holds the file. */
  end: () => void
}

const pageFiles = new Map<string, HeldFile>()
let serving = false

const lockOf = (mediaId: string) => `${CHANNEL}:${mediaId}`

/** Computes the composite SHA-256 of a file that is not stored. Rejects with the browser's error when it is unreadable. */
export const digestOf = async (file: Blob): Promise<string> => compositeDigest(await leavesOf(file))

/** Computes the SHA-256 of every chunk of a file, in file order. */
export async function leavesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>[]> {
  const leaves: Uint8Array<ArrayBuffer>[] = []
  const cut = createChunker(file, 'blob')
  for (let index = 0; index < chunksOf(file.size); index++) leaves.push((await cut(index)).sha256)
  return leaves
}

/** Holds a picked file in this page until its media is deleted or the page closes. Its bytes can be requested from then on. */
export async function holdFile(mediaId: string, file: Blob): Promise<void> {
  releaseFile(mediaId)
  serve()
  await new Promise<void>((resolve, reject) => {
    const released = new Promise<void>((end) => pageFiles.set(mediaId, { file, end }))
    const hold = () => {
      resolve()
      return released
    }
    navigator.locks.request(lockOf(mediaId), { mode: 'shared' }, hold).catch(reject)
  })
}

/** Stops holding the file in this page. */
export function releaseFile(mediaId: string): void {
  pageFiles.get(mediaId)?.end()
  pageFiles.delete(mediaId)
}

/** The picked file; undefined if this page does not hold it. */
export function heldFile(mediaId: string): Blob | undefined {
  return pageFiles.get(mediaId)?.file
}

/** Finds the media whose file no open page holds: the person has to pick them again. */
export async function findUnheld(rows: readonly Media[]): Promise<Set<string>> {
  const picked = rows.filter((row) => row.bytes.is === 'picked')
  if (picked.length === 0) return new Set()
  const { held = [] } = await navigator.locks.query()
  const names = new Set(held.map((lock) => lock.name))
  return new Set(picked.flatMap((row) => (names.has(lockOf(row.id)) ? [] : [row.id])))
}

/** Holds a file that was picked again, if its bytes are the same. */
export async function holdAgain(mediaId: string, file: Blob): Promise<boolean> {
  const media = await readMedia(mediaId)
  if (media?.bytes.is !== 'picked' || media.size !== file.size) return false
  if ((await digestOf(file)) !== media.bytes.digest) return false
  await holdFile(mediaId, file)
  return true
}

/**
 * Requests bytes of a file from the page that holds it, from `from` up to `to`.
 * `undefined` when no page has it, the page does not answer, or `signal` aborts.
 */
export async function requestFromPage(
  mediaId: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const { held = [] } = await navigator.locks.query()
  if (!held.some((lock) => lock.name === lockOf(mediaId))) return undefined
  const answer = `${CHANNEL}:${newId()}`
  const replies = new BroadcastChannel(answer)
  const requests = new BroadcastChannel(CHANNEL)
  const over = new AbortController()
  try {
    return await new Promise<Blob | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), REPLY_MS)
      over.signal.addEventListener('abort', () => clearTimeout(timer))
      signal.addEventListener('abort', () => resolve(undefined), { signal: over.signal })
      replies.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const whole = data instanceof ArrayBuffer && data.byteLength === to - from
        resolve(whole ? new Blob([data]) : undefined)
      })
      requests.postMessage({ mediaId, from, to, answer } satisfies FileRequest)
    })
  } finally {
    over.abort()
    replies.close()
    requests.close()
  }
}

function serve(): void {
  if (serving) return
  serving = true
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const request = v.safeParse(requestSchema, data)
    if (request.success) void replyTo(request.output)
  })
  onChange((change) => {
    if (change.store !== 'session' && change.store !== 'chunks') void releaseUnused().catch(() => undefined)
  })
}

async function replyTo({ mediaId, from, to, answer }: FileRequest): Promise<void> {
  const file = pageFiles.get(mediaId)?.file
  if (!file) return
  // Reading here detects a file that was moved or changed before a request to the server begins.
  const bytes = await file
    .slice(from, to)
    .arrayBuffer()
    .catch(() => null)
  if (!bytes) releaseFile(mediaId)
  const replies = new BroadcastChannel(answer)
  replies.postMessage(bytes)
  replies.close()
}

/** Releases files whose media row was deleted: they were sent, or removed from their post. */
async function releaseUnused(): Promise<void> {
  for (const mediaId of pageFiles.keys()) if (!(await readMedia(mediaId))) releaseFile(mediaId)
}
