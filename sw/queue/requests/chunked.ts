// Sends the video of an added post by the legacy protocol: 6 MiB chunks, one after the other (specification section 7).
import * as v from 'valibot'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { extensionOf } from '#contract/posts/media.ts'
import { sendChunk } from '#contract/posts/posts.ts'
import type { Delivery, Media } from '#device/database/schema.ts'
import { Ended } from './outcome.ts'
import type { PublishApi, QueueStore } from '#sw/queue/ports.ts'
import { call, STALL_MS, type Caller } from './request.ts'

export interface ChunkedDeps extends Caller {
  store: QueueStore
  /** Base of the API, absolute. */
  api: string
}

/** A chunk's size is the protocol's: on a slow line the wait for its answer grows instead, up to this, ms. */
const LONGEST_MS = 5 * 60_000

/** Sending by the legacy protocol. It has no way to ask how much is there: the answers to chunks say it. */
export function makeChunked(deps: ChunkedDeps): Pick<PublishApi, 'send' | 'discard'> {
  let deadline = STALL_MS
  return {
    async send(job, mediaId, told, signal) {
      const media = await deps.store.media(mediaId)
      const facts = job.facts.media.find((it) => it.id === mediaId)
      if (!media || !facts) return { is: 'refused', code: 'bytes_missing' }
      const { videoId } = job.facts.post ?? {}
      if (!videoId) return { is: 'refused', code: 'no_post_id' }
      const count = Math.ceil(media.size / LEGACY_CHUNK)
      for (let index = Math.floor(facts.acked / LEGACY_CHUNK); index < count;) {
        let body: FormData
        try {
          body = await formOf(deps.store, { job, media, videoId, index, count }, signal)
        } catch (error) {
          if (error instanceof Ended) return error.end
          throw error
        }
        const sentAt = deps.clock.now()
        const asked = { url: deps.api + sendChunk.path, init: { method: sendChunk.method, body }, deadline }
        const end = await call(deps, job.ownerId, sendChunk.reply, asked, signal)
        if (end.is === 'lost') deadline = Math.min(LONGEST_MS, deadline * 2)
        if (end.is === 'refused' && end.code === 'chunk_out_of_order') {
          // The server has fewer than we thought: chunks it has change nothing, and their answers say how many.
          await told({ offset: 0 })
          return { is: 'lost' }
        }
        if (end.is === 'refused' && end.code === 'conflict') {
          // The post is out: a release whose answer was lost found every chunk there. Releasing again says so.
          await told({ offset: media.size })
          return { is: 'ok', value: null }
        }
        if (end.is !== 'ok') return end
        deadline = Math.min(LONGEST_MS, Math.max(STALL_MS, (deps.clock.now() - sentAt) * 4))
        index = receivedOf(end.value.json, count) ?? index + 1
        await told({ offset: Math.min(media.size, index * LEGACY_CHUNK) })
      }
      return { is: 'ok', value: null }
    },
    // There is no such call: what was sent goes with the post that is taken back.
    discard: () => Promise.resolve({ is: 'ok', value: null }),
  }
}

type Sender = Pick<PublishApi, 'send' | 'discard'>

/** One publishing port out of both protocols: a job is sent by its own. */
export function byProtocol(
  tus: Sender,
  chunked: Sender,
  publish: Omit<PublishApi, 'send' | 'discard'>,
): PublishApi {
  const of = (job: Delivery) => (job.protocol === 'chunked' ? chunked : tus)
  return {
    ...publish,
    send: (job, mediaId, told, signal) => of(job).send(job, mediaId, told, signal),
    discard: (job, mediaId, signal) => of(job).discard(job, mediaId, signal),
  }
}

/** Servers that say how many chunks they have are believed; the specification asks only for success. */
const answer = v.object({ data: v.object({ received: v.pipe(v.number(), v.integer(), v.minValue(0)) }) })

function receivedOf(json: unknown, count: number): number | undefined {
  const parsed = v.safeParse(answer, json)
  return parsed.success ? Math.min(count, parsed.output.data.received) : undefined
}

interface Piece {
  job: Delivery
  media: Media
  videoId: string
  index: number
  count: number
}

async function formOf(store: QueueStore, it: Piece, signal: AbortSignal): Promise<FormData> {
  const { media, index } = it
  const name = `video-${it.job.createdAt}.${extensionOf(media.name) || 'mp4'}`
  const to = Math.min(media.size, (index + 1) * LEGACY_CHUNK)
  const bytes = await store.range(media.id, index * LEGACY_CHUNK, to, signal)
  if (!bytes) throw new Ended({ is: 'refused', code: 'bytes_missing' })
  const data = new FormData()
  data.set('file_id', it.videoId)
  data.set('file_name', name)
  data.set('chunk', String(index))
  data.set('chunks', String(it.count))
  data.set('file', bytes, name)
  return data
}
