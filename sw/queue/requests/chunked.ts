// Sends a post's video by the legacy protocol, in 6 MiB chunks (specification section 7).
import * as v from 'valibot'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { extensionOf } from '#contract/posts/media.ts'
import { sendChunk } from '#contract/posts/posts.ts'
import type { Media } from '#device/database/schema.ts'
import { ackedOf } from '#device/jobs/file-row.ts'
import { addedPostOf, type FileJob } from '#device/jobs/job-rows.ts'
import { Ended } from './outcome.ts'
import type { FileApi, QueueStore } from '#sw/queue/ports.ts'
import { type ApiCaller, call, STALL_MS } from './request.ts'

export interface ChunkedDeps extends ApiCaller {
  store: QueueStore
}

/** Longest deadline of a chunk, ms: chunks have a fixed size, so the deadline grows on a slow network. */
const LONGEST_MS = 5 * 60_000

/** Creates the API of the legacy protocol, where only answers to chunks show what the server has. */
export function createChunkedApi(deps: ChunkedDeps): FileApi {
  let deadline = STALL_MS
  return {
    async send(job, mediaId, onProgress, signal) {
      const media = await deps.store.media(mediaId)
      const file = job.files.find((it) => it.id === mediaId)
      if (!media || !file) return { is: 'refused', code: 'bytes_missing' }
      const videoId = job.kind === 'post' ? addedPostOf(job)?.videoId : undefined
      if (!videoId) return { is: 'refused', code: 'no_post_id' }
      const count = Math.ceil(media.size / LEGACY_CHUNK)
      for (let index = Math.floor(ackedOf(file) / LEGACY_CHUNK); index < count;) {
        let body: FormData
        try {
          body = await formOf(deps.store, { job, media, videoId, index, count }, signal)
        } catch (error) {
          if (error instanceof Ended) return error.end
          throw error
        }
        const sentAt = deps.clock.now()
        const end = await call(deps, job.ownerId, sendChunk, { body, deadline }, signal)
        if (end.is === 'lost') deadline = Math.min(LONGEST_MS, deadline * 2)
        if (end.is === 'refused' && end.code === 'chunk_out_of_order') {
          // The server has fewer chunks than recorded: repeated chunks change nothing, and their replies have the number.
          await onProgress({ offset: 0 })
          return { is: 'lost' }
        }
        if (end.is === 'refused' && end.code === 'conflict') {
          // The post is released: the answer to its release was lost. The next release confirms it.
          await onProgress({ offset: media.size })
          return { is: 'ok', value: null }
        }
        if (end.is !== 'ok') return end
        deadline = Math.min(LONGEST_MS, Math.max(STALL_MS, (deps.clock.now() - sentAt) * 4))
        index = receivedOf(end.value.json, count) ?? index + 1
        await onProgress({ offset: Math.min(media.size, index * LEGACY_CHUNK) })
      }
      return { is: 'ok', value: null }
    },
    // The protocol has no such call: the chunks are deleted with the withdrawn post.
    discard: () => Promise.resolve({ is: 'ok', value: null }),
  }
}

/** An answer that names the number of received chunks; the specification requires only success. */
const answer = v.object({ data: v.object({ received: v.pipe(v.number(), v.integer(), v.minValue(0)) }) })

function receivedOf(json: unknown, count: number): number | undefined {
  const parsed = v.safeParse(answer, json)
  return parsed.success ? Math.min(count, parsed.output.data.received) : undefined
}

interface Piece {
  job: FileJob
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
