// Hands what the server lacks of an upload to the browser.
import * as v from 'valibot'
import { HAND_OVER_BYTES } from '#contract/limits.ts'
import { isOwnSuccess } from '#contract/response.ts'
import { capabilityReply, partsIn, sizeOfPart } from '#contract/uploads/parts.ts'
import { blobOf } from '#device/files/chunks.ts'
import type { Chunk, Media } from '#device/database/schema.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { type BackgroundFetches, carriedName } from '#sw/queue/carrier.ts'
import type { Outcome } from '#sw/queue/ports.ts'
import { endOf, Ended, unanswered } from './outcome.ts'
import { readStored, sumOf } from './parts.ts'
import { type Caller, signed, STALL_MS } from './request.ts'

/** Parts that the queue may be sending at this moment: the browser sends them last. */
const UNDER_WAY = 2

export interface HandOverDeps extends Caller {
  readonly fetches: BackgroundFetches
  /** A stored chunk with its digest. */
  readonly readChunk: (mediaId: string, index: number) => Promise<Chunk | undefined>
}

export interface Handed {
  readonly job: FileJob
  readonly media: Media
  /** The upload's address. */
  readonly url: string
  /** What the system shows while it sends. */
  readonly title: string
}

/**
 * `handed`: the browser sends it. `unneeded`: it is carried already, or too little is missing. `noRoom`: the device has no room for a
 * second copy. `failed`: the server or the browser did not take it; the queue goes on by itself in each case.
 */
export type HandOver = 'handed' | 'unneeded' | 'noRoom' | 'failed'

export async function handOver(deps: HandOverDeps, it: Handed, signal: AbortSignal): Promise<HandOver> {
  const { fetches } = deps
  const name = carriedName(it.media.id)
  if ((await fetches.get(name))?.result === '') return 'unneeded'
  try {
    const stored = await readStored(deps, { ...it, signal })
    const missing = it.media.size - sumOf(stored)
    if (missing < HAND_OVER_BYTES) return 'unneeded'
    const requests = await requestsOf(deps, it, { stored, capability: await capabilityOf(deps, it, signal) })
    const icons = [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }]
    await fetches.fetch(name, requests, { title: it.title, icons, downloadTotal: missing })
    return 'handed'
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'noRoom'
    // The browser refuses a second upload of this name: another page was first.
    if (error instanceof Ended || error instanceof TypeError) return 'failed'
    throw error
  }
}

/** Asks for a capability: the session's token is exchanged while the browser still sends. */
async function capabilityOf(deps: HandOverDeps, { job, url }: Handed, signal: AbortSignal): Promise<string> {
  const end = await signed(
    deps,
    job.ownerId,
    (token) => ({ url: `${url}/capability`, method: 'POST', headers: { Authorization: `Bearer ${token}` } }),
    { signal, deadline: STALL_MS },
    (response): Outcome<string> => {
      const { status, body, header } = response
      if (!isOwnSuccess(response, deps.server))
        return endOf(status, body, header, deps.clock.now(), deps.server)
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), capabilityReply), body)
      return parsed.success ? { is: 'ok', value: parsed.output.capability } : unanswered
    },
  )
  if (end.is !== 'ok') throw new Ended(end)
  return end.value
}

interface Missing {
  /** Bytes of each part that the server has. */
  readonly stored: readonly number[]
  readonly capability: string
}

/** A request for each part that is not whole. Each has the whole part and its digest, so that it may arrive at any time, and twice. */
async function requestsOf(
  { readChunk }: HandOverDeps,
  { media, url }: Handed,
  { stored, capability }: Missing,
): Promise<Request[]> {
  const numbers = Array.from({ length: partsIn(media.size) }, (_, i) => i + 1)
  const missing = numbers.filter((no) => (stored[no - 1] ?? 0) < sizeOfPart(media.size, no))
  const inOrder = [...missing.slice(UNDER_WAY), ...missing.slice(0, UNDER_WAY)]
  return Promise.all(
    inOrder.map(async (no) => {
      const chunk = await readChunk(media.id, no - 1)
      if (!chunk) throw new Ended({ is: 'refused', code: 'bytes_missing' })
      return new Request(`${url}/parts/${no}`, {
        method: 'PUT',
        credentials: 'omit',
        headers: {
          Authorization: `Upload ${capability}`,
          'Content-Type': 'application/offset+octet-stream',
          'Content-Digest': `sha-256=:${btoa(String.fromCharCode(...chunk.sha256))}:`,
        },
        body: blobOf(chunk),
      })
    }),
  )
}
