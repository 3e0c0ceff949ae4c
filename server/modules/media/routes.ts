// Media files. Every request asks the access policy, whatever the address; ranges make seeking work.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { retryMedia } from '#contract/media.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { type MediaVariant, mediaVariant } from '#server/http/media-variant.ts'
import { memberRoute } from '#server/http/route.ts'
import { sandbox } from '#server/http/security.ts'
import type { Viewer } from '#server/http/session.ts'
import { accessTo, viewerOf } from '#server/rules/post-access.ts'
import { entitlementsOf } from '#server/store/entitlements.ts'
import { findHolder, findMedia, type MediaRow } from '#server/store/media.ts'
import { accountState } from '#server/store/people.ts'
import { findPost, plansOpening, type PostRow } from '#server/store/posts.ts'
import { retryOwn } from './retry.ts'
import { findUpload } from '#server/store/uploads.ts'

const params = v.object({ media_id: idSchema, variant: mediaVariant })

/** Names of the files of an HLS video, and no other. */
const hlsParams = v.object({
  media_id: idSchema,
  file: v.pipe(
    v.string(),
    v.regex(/^(?:(?:main|video|\d{3}p)\.m3u8|(?:\d{3}p-)?(?:init\.mp4|\d{1,6}\.m4s))$/),
  ),
})

const fileOf = { play: 'play.mp4', poster: 'poster.webp', blurred: 'blurred.webp' } as const

/** Who may keep a copy on the way: anyone, or only the viewer's own browser. */
type Keep = 'shared' | 'private' | 'checked'
const cacheRule: Record<Keep, string> = {
  shared: 'public, max-age=3600',
  private: 'private, max-age=300',
  checked: 'private, no-cache',
}

export function mediaRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(`${MEDIA_PATH}/:media_id/:variant`, async (request, reply) => {
    const asked = v.safeParse(params, request.params)
    if (!asked.success) throw new ApiError('not_found')
    const row = await findMedia(deps.db, asked.output.media_id)
    if (!row) throw new ApiError('not_found')
    const keep = await permit(deps, request.viewer, row, asked.output.variant)
    reply.header('cache-control', cacheRule[keep])
    if (keep !== 'shared') varyByViewer(reply)
    sandbox(reply)
    return asked.output.variant === 'original'
      ? sendOriginal(deps, row, reply)
      : sendVariant(deps, row, asked.output.variant, request, reply)
  })
  app.get(`${MEDIA_PATH}/:media_id/hls/:file`, async (request, reply) => {
    const asked = v.safeParse(hlsParams, request.params)
    const row = asked.success ? await findMedia(deps.db, asked.output.media_id) : undefined
    if (!asked.success || !row) throw new ApiError('not_found')
    const keep = await permit(deps, request.viewer, row, 'play')
    reply.header('cache-control', cacheRule[keep])
    if (keep !== 'shared') varyByViewer(reply)
    sandbox(reply)
    return sendHls(deps, row, asked.output.file, reply)
  })
  memberRoute(
    app,
    retryMedia,
    async (asked) => ({ data: await retryOwn(deps, asked.params.media_id, asked.viewer.id) }),
    { rateLimit: perPerson(deps.settings.limits.retries) },
  )
}

function varyByViewer(reply: FastifyReply): void {
  const already = reply.getHeader('vary')
  reply.header('vary', [already, 'Authorization', 'Cookie'].filter(Boolean).join(', '))
}

/** Refuses, or says who may keep a copy. */
async function permit(deps: Deps, viewer: Viewer | null, row: MediaRow, wanted: MediaVariant): Promise<Keep> {
  const holder = await findHolder(deps.db, row.id)
  if (!holder) throw new ApiError('not_found')
  if (holder.is === 'person') {
    if ((await accountState(deps.db, holder.userId)) !== 'present') throw new ApiError('not_found')
    if (wanted === 'original' && !(await owns(deps, viewer, row))) throw new ApiError('forbidden')
    return wanted === 'original' ? 'checked' : 'shared'
  }
  const post = await findPost(deps.db, holder.postId)
  if (!post) throw new ApiError('not_found')
  const opening = await plansOpening(deps.db, [post.id])
  const guarded = {
    ...post,
    released: post.releasedAt !== null,
    deleted: post.deletedAt !== null,
    authorState: await accountState(deps.db, post.authorId),
    planIds: opening.get(post.id) ?? [],
  }
  const access = accessTo(await knownViewer(deps, viewer, post), guarded)
  if (access.is === 'hidden') throw new ApiError('not_found')
  if (wanted === 'original' && viewer?.id !== post.authorId) throw new ApiError('forbidden')
  if (access.is === 'preview' && wanted !== 'blurred') throw new ApiError('forbidden')
  if (!guarded.released || wanted === 'original') return 'checked'
  return post.type === 1 && !post.isAgeLimited ? 'shared' : 'private'
}

async function owns(deps: Deps, viewer: Viewer | null, row: MediaRow): Promise<boolean> {
  return viewer !== null && (await findUpload(deps.db, row.id))?.ownerId === viewer.id
}

async function knownViewer({ db, clock }: Deps, viewer: Viewer | null, post: PostRow) {
  const has = await entitlementsOf(db, viewer?.id, [post], clock())
  return viewerOf(viewer && { id: viewer.id, age: ageOn(viewer.birthDate, clock()) }, has, post)
}

async function sendVariant(
  deps: Deps,
  row: MediaRow,
  wanted: Exclude<MediaVariant, 'original'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const name = wanted in fileOf ? fileOf[wanted as keyof typeof fileOf] : `${wanted}.webp`
  const folder = deps.files.mediaFolder(row.id)
  if (row.state !== 'ready' || (await deps.files.sizeOf(`${folder}/${name}`)) === undefined) {
    request.log.debug({ state: row.state, wanted }, 'not made')
    throw new ApiError('not_found')
  }
  return reply.sendFile(name, folder, { cacheControl: false })
}

async function sendHls(deps: Deps, row: MediaRow, file: string, reply: FastifyReply): Promise<FastifyReply> {
  const folder = `${deps.files.mediaFolder(row.id)}/hls`
  const there = row.state === 'ready' && row.made.hls === true
  if (!there || (await deps.files.sizeOf(`${folder}/${file}`)) === undefined) throw new ApiError('not_found')
  reply.type(file.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4')
  return reply.sendFile(file, folder, { cacheControl: false, contentType: false })
}

/** The very bytes that were sent, for their author, as a download. */
async function sendOriginal(deps: Deps, row: MediaRow, reply: FastifyReply): Promise<FastifyReply> {
  const upload = await findUpload(deps.db, row.id)
  const name = (upload?.metadata['filename'] ?? row.id).replace(/[\p{Cc}/\\]/gu, '_')
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
  reply.type(row.mime)
  return reply.sendFile(row.id, deps.files.uploads, { cacheControl: false, contentType: false })
}
