// Routes of media files: the access policy decides every request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { retryMedia } from '#contract/posts/media.ts'
import { MEDIA_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { classOf, openAddress } from '#server/services/media/addresses.ts'
import { mediaVariant } from '#server/http/media-variant.ts'
import { memberRoute } from '#server/http/route.ts'
import { findHeldMedia, type SentMedia } from '#server/store/media/held-media.ts'
import { lookOf } from '#server/store/posts/post-facts.ts'
import { permitFor } from './permit.ts'
import { retryOwnMedia } from './retry.ts'
import { type ReadPermit, sendHlsFile, sendVariant } from './send.ts'

const variantParams = v.object({ media_id: idSchema, variant: mediaVariant })

/** Parameters of the route of HLS files; any other file name is refused. */
const hlsParams = v.object({
  media_id: idSchema,
  file: v.pipe(
    v.string(),
    v.regex(/^(?:(?:main|video|\d{3}p)\.m3u8|(?:\d{3}p-)?(?:init\.mp4|\d{1,6}\.m4s))$/),
  ),
})

export function mediaRoutes(app: FastifyInstance, deps: Deps): void {
  app.get(`${MEDIA_PATH}/:media_id/:variant`, async (request, reply) => {
    const parsed = v.safeParse(variantParams, request.params)
    if (!parsed.success) throw new ApiError('not_found')
    const { media_id: mediaId, variant } = parsed.output
    const found = await findPermitted(deps, request, reply, { mediaId, file: variant })
    return found ? sendVariant({ deps, request, reply, ...found }, variant) : reply
  })
  app.get(`${MEDIA_PATH}/:media_id/hls/:file`, async (request, reply) => {
    const parsed = v.safeParse(hlsParams, request.params)
    if (!parsed.success) throw new ApiError('not_found')
    const { media_id: mediaId, file } = parsed.output
    const found = await findPermitted(deps, request, reply, { mediaId, file: `hls/${file}` })
    return found ? sendHlsFile({ deps, request, reply, ...found }, file) : reply
  })
  memberRoute(
    app,
    retryMedia,
    async ({ params, viewer }) => ({ data: await retryOwnMedia(deps, params.media_id, viewer.id) }),
    { rateLimit: perPerson(deps.settings.limits.retries) },
  )
}

/** Finds a media and the permit of its viewer. @returns undefined if an expired URL was redirected to the new one */
async function findPermitted(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaId, file }: { mediaId: string; file: string },
): Promise<{ row: SentMedia; permit: ReadPermit } | undefined> {
  const found = await findHeldMedia(deps.db, mediaId, lookOf(request.viewer?.id, deps.clock()))
  if (!found) throw new ApiError('not_found')
  const fileRequest = { mediaId, what: classOf(file), query: request.query }
  const permit = await permitFor(deps, request.viewer, found.holder, fileRequest)
  if (permit.is !== 'renewed') return { row: found.media, permit }
  reply.header('cache-control', 'no-store')
  reply.redirect(`${openAddress(mediaId, file)}?${permit.query}`, 307)
  return undefined
}
