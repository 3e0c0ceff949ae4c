// Adds the post and releases it (specification section 7).
import * as v from 'valibot'
import { pathOf } from '#contract/endpoint.ts'
import { addPost, releasePost, yenOf } from '#contract/posts.ts'
import { chunksOf } from '#device/chunks.ts'
import type { Job } from '#device/schema.ts'
import { Ended } from './outcome.ts'
import type { PublishApi, QueueStore } from './ports.ts'
import { call, patience, type Caller } from './request.ts'

export interface PublishDeps extends Caller {
  store: QueueStore
  /** Base of the API, absolute. */
  api: string
}

/** The server checks every byte's digest before it answers, and a thumbnail may travel on a slow line. */
const ADD_DEADLINE_MS = 120_000

/** Adding and releasing. Both are safe to repeat: the job's id is the idempotency key. */
export function makePublish(deps: PublishDeps): Pick<PublishApi, 'addPost' | 'release'> {
  return {
    async addPost(job, signal) {
      let body: FormData
      try {
        body = await formOf(deps.store, job, signal)
      } catch (error) {
        if (error instanceof Ended) return error.end
        throw error
      }
      const init = { method: addPost.method, headers: { 'Idempotency-Key': job.id }, body }
      const end = await call(deps, job.ownerId, deps.api + addPost.path, init, signal, ADD_DEADLINE_MS)
      if (end.is !== 'ok') return end
      const item = firstItem(end.value.body)
      if (!item) return { is: 'refused', code: 'no_post_id' }
      return { is: 'ok', value: { postId: item.id, videoId: item.video_id ?? null } }
    },
    async release(job, postId, signal) {
      const url = deps.api + pathOf(releasePost.path, { post_id: postId })
      const end = await call(
        deps,
        job.ownerId,
        url,
        { method: releasePost.method },
        signal,
        patience(job.facts.attempts),
      )
      if (end.is !== 'ok') return end
      // Section 7: any falsy or failed result is a failure.
      return isTruthy(end.value.body) ? { is: 'ok', value: null } : { is: 'refused', code: 'internal' }
    },
  }
}

/** Section 3: `data` is an array or a single entry, each with an item. */
const name = v.pipe(v.union([v.string(), v.number()]), v.transform(String))
const item = v.object({ item: v.object({ id: name, video_id: v.nullish(name) }) })
const added = v.object({ data: v.union([v.array(item), item]) })

function firstItem(body: string) {
  const parsed = v.safeParse(added, json(body))
  if (!parsed.success) return undefined
  const { data } = parsed.output
  return (Array.isArray(data) ? data[0] : data)?.item
}

function isTruthy(body: string): boolean {
  const parsed = json(body)
  return (
    Boolean(parsed) &&
    (typeof parsed !== 'object' || parsed === null || !('data' in parsed) || Boolean(parsed.data))
  )
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function formOf(store: QueueStore, job: Job, signal: AbortSignal): Promise<FormData> {
  const { form, facts } = job
  const data = new FormData()
  data.set('content', form.content)
  data.set('type', String(form.type))
  data.set('is_age_limited', form.isAgeLimited ? '1' : '0')
  if (form.type === 2) for (const planId of form.planIds) data.append('plan_id[]', planId)
  if (form.type === 3) data.set('price', String(yenOf(form.price)))
  for (const media of facts.media) {
    const uploadId = media.url?.split('/').at(-1) ?? media.id
    if (form.kind === 'video') data.set('has_video_file', uploadId)
    else data.append('has_image_file[]', uploadId)
    const digest = await store.digest(media.id)
    if (!digest) throw new Ended({ is: 'refused', code: 'bytes_missing' })
    data.append('upload_digest[]', `${uploadId}:${digest}`)
  }
  if (form.kind === 'video' && form.duration !== null) data.set('video_duration', String(form.duration))
  await attach(store, data, 'image_url', form.thumbnailId, signal)
  if (form.kind === 'video') await attach(store, data, 'video_thumbnail_file', form.frameId, signal)
  return data
}

/** Puts a small stored file into the form. */
async function attach(
  store: QueueStore,
  data: FormData,
  field: string,
  mediaId: string | null,
  signal: AbortSignal,
): Promise<void> {
  if (!mediaId) return
  const media = await store.media(mediaId)
  if (!media) throw new Ended({ is: 'refused', code: 'bytes_missing' })
  const parts: Blob[] = []
  for (let index = 0; index < chunksOf(media.size); index++) {
    const chunk = await store.chunk(mediaId, index, signal)
    if (!chunk) throw new Ended({ is: 'refused', code: 'bytes_missing' })
    parts.push(chunk)
  }
  data.set(field, new File(parts, media.name, { type: media.mime }))
}
