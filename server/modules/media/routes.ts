// Routes of media files: the access policy decides every request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { retryMedia } from '#contract/posts/media.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { classOf, openAddress } from '#server/services/media/addresses.ts'
import { mediaVariant } from '#server/http/media-variant.ts'
import { memberRoute } from '#server/http/route.ts'
import { findHeldMedia } from '#server/store/media/held-media.ts'
import type { MediaRow } from '#server/store/media/media.ts'
import { permit } from './permit.ts'
import { retryOwn } from './retry.ts'
import { type Granted, sendPiece, sendVariant } from './send.ts'

const params = v.object({ media_id: idSchema, variant: mediaVariant })

/** Names of the files of an HLS video, and no other. */
const hlsParams = v.object({
  media_id: idSchema,
  file: v.pipe(
    v.string(),
    v.regex(/^(?:(?:main|video|\d{3}p)\.m3u8|(?:\d{3}p-)?(?:init\.mp4|\d{1,6}\.m4s))$/),
  ),
})

export function mediaRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(`${MEDIA_PATH}/:media_id/:variant`, async (request, reply) => {
    const parsed = v.safeParse(params, request.params)
    if (!parsed.success) throw new ApiError('not_found')
    const { media_id: mediaId, variant } = parsed.output
    const found = await look(deps, request, reply, { mediaId, file: variant })
    return found ? sendVariant({ deps, request, reply, ...found }, variant) : reply
  })
  app.get(`${MEDIA_PATH}/:media_id/hls/:file`, async (request, reply) => {
    const parsed = v.safeParse(hlsParams, request.params)
    if (!parsed.success) throw new ApiError('not_found')
    const { media_id: mediaId, file } = parsed.output
    const found = await look(deps, request, reply, { mediaId, file: `hls/${file}` })
    return found ? sendPiece({ deps, request, reply, ...found }, file) : reply
  })
  memberRoute(
    app,
    retryMedia,
    async (asked) => ({ data: await retryOwn(deps, asked.params.media_id, asked.viewer.id) }),
    { rateLimit: perPerson(deps.settings.limits.retries) },
  )
}

/** Serves a media file to a permitted viewer. Undefined when an expired URL was redirected to its new one. */
async function look(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaId, file }: { mediaId: string; file: string },
): Promise<{ row: MediaRow; granted: Granted } | undefined> {
  const found = await findHeldMedia(deps.db, mediaId)
  if (!found) throw new ApiError('not_found')
  const asked = { mediaId, what: classOf(file), query: request.query }
  const granted = await permit(deps, request.viewer, found.holder, asked)
  if (granted.is !== 'renewed') return { row: found.media, granted }
  reply.header('cache-control', 'no-store')
  reply.redirect(`${openAddress(mediaId, file)}?${granted.query}`, 307)
  return undefined
}
