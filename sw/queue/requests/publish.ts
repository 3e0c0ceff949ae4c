// Adds the post and releases it (specification section 7).
import * as v from 'valibot'
import { defaultBlurredImage, defaultBlurredName, defaultBlurredType } from '#contract/posts/blurred-image.ts'
import type { ServerKind } from '#contract/response.ts'
import { addPost, releasePost, withdrawPost } from '#contract/posts/posts.ts'
import { yenOf } from '#contract/posts/price.ts'
import { urlOf, remainingFiles, type JobFile } from '#device/jobs/file-row.ts'
import { hasFilesInside, type PostJob } from '#device/jobs/job-rows.ts'
import { isFailedResult } from './failed-result.ts'
import { Ended } from './outcome.ts'
import type { FileApi, Outcome, PostApi, QueueStore } from '#sw/queue/ports.ts'
import { type ApiCaller, call, deadlineAfter } from './request.ts'

export interface PublishDeps extends ApiCaller {
  store: QueueStore
}

/** The server checks every byte's digest before it answers, and a thumbnail may travel on a slow line. */
const ADD_DEADLINE_MS = 120_000

/** Images may travel inside the request; on the slowest line worth trying, bytes per ms. */
const SLOWEST = 50

function deadlineOf(job: PostJob): number {
  const inside = hasFilesInside(job) ? job.files.reduce((sum, it) => sum + it.size, 0) : 0
  return ADD_DEADLINE_MS + inside / SLOWEST
}

/** Creates the API of posts. Its requests are safe to repeat: the job's key is the idempotency key. */
export function createPostApi(deps: PublishDeps): Omit<PostApi, keyof FileApi> {
  return {
    async addPost(job, signal) {
      let body: FormData
      try {
        body = await formOf(deps.store, job, signal)
      } catch (error) {
        if (error instanceof Ended) return error.end
        throw error
      }
      const headers = { 'Idempotency-Key': job.key }
      const options = { headers, body, deadline: deadlineOf(job) }
      const end = await call(deps, job.ownerId, addPost, options, signal)
      if (end.is !== 'ok') return namedHere(job, end)
      const isRefused = deps.server === 'specification' && isFailedResult(end.value.json)
      const item = isRefused ? undefined : firstItem(end.value.json)
      if (item) return { is: 'ok', value: { postId: item.id, videoId: item.video_id ?? null } }
      // Our server adds a post or refuses it. From other servers, a reply without an id is a failure (section 8).
      return deps.server === 'specification' ? { is: 'refused', code: 'no_post_id' } : { is: 'lost' }
    },
    async release(job, postId, signal) {
      const options = { params: { post_id: postId }, deadline: deadlineAfter(job.attempts) }
      const end = await call(deps, job.ownerId, releasePost, options, signal)
      if (end.is !== 'ok') return namedHere(job, end)
      if (isDone(deps.server, end.value.json, postId)) return { is: 'ok', value: null }
      // Section 7: any falsy or failed result is a failure. Our server answers a release with its post, or refuses it.
      return deps.server === 'specification' ? { is: 'refused', code: 'internal' } : { is: 'lost' }
    },
    async withdraw(job, postId, signal) {
      const end = await call(deps, job.ownerId, withdrawPost, { params: { post_id: postId } }, signal)
      if (end.is !== 'ok') return end
      return isDone(deps.server, end.value.json, postId) ? { is: 'ok', value: null } : { is: 'lost' }
    },
  }
}

/** By the legacy protocol the server knows no ids of this device: what differs is the one video, or the pictures. */
function namedHere(job: PostJob, end: Exclude<Outcome<unknown>, { is: 'ok' }>): Outcome<never> {
  if (end.is !== 'digestDiffers' || job.protocol !== 'chunked') return end
  return { is: 'digestDiffers', mediaIds: job.files.map((it) => it.id) }
}

/** Section 3: `data` is an array or a single entry, each with an item. */
const name = v.pipe(v.union([v.string(), v.number()]), v.transform(String))
const item = v.object({ item: v.object({ id: name, video_id: v.nullish(name) }) })
const added = v.object({ data: v.union([v.array(item), item]) })

function firstItem(json: unknown) {
  const parsed = v.safeParse(added, json)
  if (!parsed.success) return undefined
  const { data } = parsed.output
  return (Array.isArray(data) ? data[0] : data)?.item
}

/** Whether a success is about this post; of a server with the specification's calls alone, whether it is one. */
function isDone(server: ServerKind | undefined, json: unknown, postId: string): boolean {
  if (server === 'specification') return !isFailedResult(json)
  const parsed = v.safeParse(about, json)
  return parsed.success && parsed.output.data.id === postId
}

const about = v.object({ data: v.object({ id: v.string() }) })
async function formOf(store: QueueStore, job: PostJob, signal: AbortSignal): Promise<FormData> {
  const { form } = job
  const files = remainingFiles(job.files)
  const data = new FormData()
  data.set('content', form.content)
  if (form.title !== '') data.set('title', form.title)
  if (form.introduction !== '') data.set('introduction', form.introduction)
  data.set('type', String(form.type))
  data.set('is_age_limited', form.isAgeLimited ? '1' : '0')
  if (form.commentsClosed) data.set('comments_closed', '1')
  if (form.filmDeclaration !== null) data.set('film_declaration', String(form.filmDeclaration))
  if (form.type === 2) for (const planId of form.planIds) data.append('plan_id[]', planId)
  if (form.type === 3) data.set('price', String(yenOf(form.price)))
  if (hasFilesInside(job)) await attachImages(store, data, files, signal)
  else if (job.protocol === 'tus') await nameUploads(store, data, job, signal)
  if (form.kind === 'images') await describe(store, data, files)
  if (job.protocol === 'chunked' && form.kind === 'video')
    await announce(store, data, files[0]?.id ?? '', signal)
  if (form.kind === 'video' && form.duration !== null) data.set('video_duration', String(form.duration))
  await attach(store, data, 'image_url', form.thumbnailId, signal)
  if (form.kind === 'video') await attachFrame(store, data, form.frameId, signal)
  if (form.type !== 1) attachDefaultBlurred(data)
  return data
}

/** The digest of a file whose bytes are whole. */
async function digestOf(store: QueueStore, mediaId: string, signal: AbortSignal): Promise<string> {
  const digest = await store.digest(mediaId, signal)
  if (!digest) throw new Ended({ is: 'refused', code: 'bytes_missing' })
  return digest
}

/** The legacy protocol: images travel inside the request. */
async function attachImages(
  store: QueueStore,
  data: FormData,
  files: readonly JobFile[],
  signal: AbortSignal,
): Promise<void> {
  for (const { id } of files) {
    const digest = await digestOf(store, id, signal)
    await attach(store, data, 'image_file[]', id, signal)
    data.append('image_digest[]', digest)
  }
}

/** The resumable protocol: the post names the uploads that the server has. */
async function nameUploads(
  store: QueueStore,
  data: FormData,
  { files, form }: PostJob,
  signal: AbortSignal,
): Promise<void> {
  for (const file of remainingFiles(files)) {
    const digest = await digestOf(store, file.id, signal)
    const uploadId = urlOf(file)?.split('/').at(-1) ?? file.id
    if (form.kind === 'video') data.set('has_video_file', uploadId)
    else data.append('has_image_file[]', uploadId)
    data.append('upload_digest[]', `${uploadId}:${digest}`)
  }
}

/** Section 7: posts of types 2 and 3 have a blurred picture, the default one where the client has none. */
function attachDefaultBlurred(data: FormData): void {
  const blurred = new Blob([defaultBlurredImage()], { type: defaultBlurredType })
  data.append('blurred_image_file', blurred, defaultBlurredName)
}

/** Adds the description of each image, in their order; nothing where none has one. */
async function describe(store: QueueStore, data: FormData, files: readonly JobFile[]): Promise<void> {
  const alts: string[] = []
  for (const { id } of files) alts.push((await store.media(id))?.alt ?? '')
  if (alts.some((alt) => alt !== '')) for (const alt of alts) data.append('image_alt[]', alt)
}

/** Announces the video that follows, with its digest, which the server compares at the release. */
async function announce(
  store: QueueStore,
  data: FormData,
  mediaId: string,
  signal: AbortSignal,
): Promise<void> {
  data.set('has_video_file', '1')
  data.set('video_digest', await digestOf(store, mediaId, signal))
}

/** Puts a stored file into the form. */
async function attach(
  store: QueueStore,
  data: FormData,
  field: string,
  mediaId: string | null,
  signal: AbortSignal,
): Promise<void> {
  if (mediaId && !(await append(store, data, field, { mediaId, signal })))
    throw new Ended({ is: 'refused', code: 'bytes_missing' })
}

/**
 * Puts the video's frame into the form, if it is whole. Another tab with the same draft takes a frame of its own in place
 * of this one, and may be closed before that one is stored. The server takes a frame of a post without one.
 */
async function attachFrame(
  store: QueueStore,
  data: FormData,
  mediaId: string | null,
  signal: AbortSignal,
): Promise<void> {
  if (mediaId) await append(store, data, 'video_thumbnail_file', { mediaId, signal })
}

/** Appends a stored file. @returns false when its row or some of its bytes are not on the device */
async function append(
  store: QueueStore,
  data: FormData,
  field: string,
  { mediaId, signal }: { mediaId: string; signal: AbortSignal },
): Promise<boolean> {
  const media = await store.media(mediaId)
  const bytes = media && (await store.range(mediaId, 0, media.size, signal))
  if (!media || !bytes) return false
  data.append(field, bytes.slice(0, bytes.size, media.mime), media.name)
  return true
}
