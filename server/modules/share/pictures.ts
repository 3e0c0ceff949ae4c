// Routes of share card pictures, as JPEG. Some messengers do not show WebP in previews.
import type { FastifyInstance, FastifyReply } from 'fastify'
import sharp from 'sharp'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { openPerson, openPost, cardMediaOf } from './cards.ts'

interface Size {
  readonly width: number
  readonly height: number
}

const WIDE: Size = { width: 1200, height: 630 }
const AVATAR: Size = { width: 400, height: 400 }
/** Files of a picture by preference: wide enough for the card, then smaller ones. */
const files = {
  image: ['w1600.webp', 'w960.webp', 'w480.webp', 'w240.webp'],
  video: ['poster.webp'],
} as const
/**
 * Minutes for which a browser stores a picture, and shared caches for one; short, because a post may be closed or deleted at any time. Previews that other
 * services have made cannot be changed.
 */
const CACHE_MINUTES = 5

const params = v.object({ id: idSchema })

export function pictureRoutes(app: FastifyInstance, deps: Deps): void {
  const rateLimit = deps.settings.limits.sharePictures
  const idOf = (given: unknown) => {
    const parsed = v.safeParse(params, given)
    if (!parsed.success) throw new ApiError('not_found')
    return parsed.output.id
  }

  app.get(`${API_BASE}/share/post/:id.jpg`, { config: { rateLimit } }, async (request, reply) => {
    const post = await openPost(deps, idOf(request.params))
    const shown = post.is === 'open' ? cardMediaOf(post) : undefined
    if (!shown) throw new ApiError('not_found')
    return send(deps, reply, shown, WIDE)
  })

  app.get(`${API_BASE}/share/profile/:id.jpg`, { config: { rateLimit } }, async (request, reply) => {
    const person = await openPerson(deps, idOf(request.params))
    if (!person || person === 'closed' || !person.avatarId) throw new ApiError('not_found')
    return send(deps, reply, { id: person.avatarId, kind: 'image' }, AVATAR)
  })
}

/**
 * Runs work on a file that the server made, never on an uploaded one. The picture is decoded outside the sandbox. A media
 * process that a file has taken over may have written anything there, so only WebP is decoded.
 */
async function withSource<T>(
  { storage: { objects }, sniff }: Deps,
  shown: { id: string; kind: 'image' | 'video' },
  work: (file: string) => Promise<T>,
): Promise<T> {
  for (const name of files[shown.kind]) {
    const key = `media/${shown.id}/${name}` as const
    if ((await objects.sizeOf(key)) === undefined) continue
    const done = await objects.withLocal(key, async (file) =>
      (await sniff(file))?.mime === 'image/webp' ? { result: await work(file) } : undefined,
    )
    if (done) return done.result
  }
  throw new ApiError('not_found')
}

async function send(
  deps: Deps,
  reply: FastifyReply,
  shown: { id: string; kind: 'image' | 'video' },
  size: Size,
): Promise<FastifyReply> {
  const jpeg = await withSource(deps, shown, (file) =>
    sharp(file)
      .resize({ ...size, fit: 'cover', position: 'attention' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 82, mozjpeg: true })
      .toBuffer(),
  )
  // Pages of other sites embed the picture.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  return reply
    .header('cache-control', `public, max-age=${CACHE_MINUTES * 60}, s-maxage=60`)
    .type('image/jpeg')
    .send(jpeg)
}
