// Files the device has no room for: the page that picked one keeps it and hands its bytes out while it is open.
import * as v from 'valibot'
import { compositeDigest } from '#contract/digest.ts'
import { id, newId } from '#contract/ids.ts'
import { onChange } from '#device/database/changes.ts'
import { chunksOf } from './chunks.ts'
import { cutter } from './chunker.ts'
import { readMedia } from './media.ts'
import type { Media } from '#device/database/schema.ts'

const CHANNEL = 'todoke-picked'
/** A page that was asked and says nothing for this long is not there, ms. */
const ANSWER_MS = 10_000

const asked = v.object({ mediaId: id, from: v.number(), to: v.number(), answer: v.string() })
type Asked = v.InferOutput<typeof asked>

interface Kept {
  file: Blob
  /** Ends the lock by which other pages and the worker know that the file is here. */
  end: () => void
}

const kept = new Map<string, Kept>()
let serving = false

const lockOf = (mediaId: string) => `${CHANNEL}:${mediaId}`

/** The composite SHA-256 of a file that is not stored. Rejects with the browser's error when it can't be read. */
export async function digestOf(file: Blob): Promise<string> {
  const leaves: Uint8Array[] = []
  const cut = cutter(file, 'blob')
  for (let index = 0; index < chunksOf(file.size); index++) leaves.push((await cut(index)).sha256)
  return compositeDigest(leaves)
}

/** Keeps a picked file in this page until its media is gone or the page closes; bytes are handed out from here on. */
export async function keepPicked(mediaId: string, file: Blob): Promise<void> {
  letGo(mediaId)
  serve()
  await new Promise<void>((held, failed) => {
    const gone = new Promise<void>((end) => kept.set(mediaId, { file, end }))
    const holding = () => {
      held()
      return gone
    }
    navigator.locks.request(lockOf(mediaId), { mode: 'shared' }, holding).catch(failed)
  })
}

/** This page no longer keeps the file. */
export function letGo(mediaId: string): void {
  kept.get(mediaId)?.end()
  kept.delete(mediaId)
}

/** The picked file, when this very page keeps it. */
export function pickedHere(mediaId: string): Blob | undefined {
  return kept.get(mediaId)?.file
}

/** Ids of the media among these whose file no open page keeps any more: it can only be picked again. */
export async function awayAmong(rows: readonly Media[]): Promise<Set<string>> {
  const picked = rows.filter((row) => row.bytes.is === 'picked')
  if (picked.length === 0) return new Set()
  const { held = [] } = await navigator.locks.query()
  const names = new Set(held.map((lock) => lock.name))
  return new Set(picked.flatMap((row) => (names.has(lockOf(row.id)) ? [] : [row.id])))
}

/** Takes a file that was picked again, if it is the same one to the last byte. */
export async function takeAgain(mediaId: string, file: Blob): Promise<boolean> {
  const media = await readMedia(mediaId)
  if (media?.bytes.is !== 'picked' || media.size !== file.size) return false
  if ((await digestOf(file)) !== media.bytes.digest) return false
  await keepPicked(mediaId, file)
  return true
}

/**
 * Asks the page that keeps a file for its bytes from `from` up to `to`.
 * `undefined` when no page has it, the page does not answer, or `signal` aborts.
 */
export async function askPage(
  mediaId: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  const { held = [] } = await navigator.locks.query()
  if (!held.some((lock) => lock.name === lockOf(mediaId))) return undefined
  const answer = `${CHANNEL}:${newId()}`
  const ear = new BroadcastChannel(answer)
  const mouth = new BroadcastChannel(CHANNEL)
  const over = new AbortController()
  try {
    return await new Promise<Blob | undefined>((resolve) => {
      const silent = setTimeout(() => resolve(undefined), ANSWER_MS)
      over.signal.addEventListener('abort', () => clearTimeout(silent))
      signal.addEventListener('abort', () => resolve(undefined), { signal: over.signal })
      ear.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const whole = data instanceof ArrayBuffer && data.byteLength === to - from
        resolve(whole ? new Blob([data]) : undefined)
      })
      mouth.postMessage({ mediaId, from, to, answer } satisfies Asked)
    })
  } finally {
    over.abort()
    ear.close()
    mouth.close()
  }
}

function serve(): void {
  if (serving) return
  serving = true
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const question = v.safeParse(asked, data)
    if (question.success) void hear(question.output)
  })
  onChange((change) => {
    if (change.store !== 'session' && change.store !== 'chunks') void forgetGone().catch(() => undefined)
  })
}

async function hear({ mediaId, from, to, answer }: Asked): Promise<void> {
  const file = kept.get(mediaId)?.file
  if (!file) return
  // Read here: a file that was moved or changed is noticed now and not in the middle of a request.
  const bytes = await file
    .slice(from, to)
    .arrayBuffer()
    .catch(() => null)
  if (!bytes) letGo(mediaId)
  const mouth = new BroadcastChannel(answer)
  mouth.postMessage(bytes)
  mouth.close()
}

/** What was sent, or taken out of its post, needs no keeping. */
async function forgetGone(): Promise<void> {
  for (const mediaId of kept.keys()) if (!(await readMedia(mediaId))) letGo(mediaId)
}
