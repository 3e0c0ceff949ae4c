// The pictures of share cards, as JPEG: not every messenger that shows previews reads WebP.
import type { FastifyInstance, FastifyReply } from 'fastify'
import sharp from 'sharp'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { openPerson, openPost, pictured } from './cards.ts'

interface Size {
  readonly width: number
  readonly height: number
}

const WIDE: Size = { width: 1200, height: 630 }
const FACE: Size = { width: 400, height: 400 }
/** Wide enough for the card first, then what there is. */
const files = {
  image: ['w1600.webp', 'w960.webp', 'w480.webp', 'w240.webp'],
  video: ['poster.webp'],
} as const
/**
 * A post may be closed or deleted at any time: earlier previews at other services cannot be changed, new ones are not
 * made.
 */
const MINUTES = 5

const params = v.object({ id: idSchema })

export function pictureRoutes(app: FastifyInstance, deps: Deps): void {
  const rateLimit = deps.settings.limits.sharePictures
  const idOf = (given: unknown) => {
    const asked = v.safeParse(params, given)
    if (!asked.success) throw new ApiError('not_found')
    return asked.output.id
  }

  app.get(`${API_BASE}/share/post/:id.jpg`, { config: { rateLimit } }, async (request, reply) => {
    const post = await openPost(deps, idOf(request.params))
    const shown = post.is === 'open' ? pictured(post) : undefined
    if (!shown) throw new ApiError('not_found')
    return send(deps, reply, shown, WIDE)
  })

  app.get(`${API_BASE}/share/profile/:id.jpg`, { config: { rateLimit } }, async (request, reply) => {
    const person = await openPerson(deps, idOf(request.params))
    if (!person || person === 'closed' || !person.avatarId) throw new ApiError('not_found')
    return send(deps, reply, { id: person.avatarId, kind: 'image' }, FACE)
  })
}

/**
 * From what the server has made itself, never from the bytes people sent. It is opened outside the sandbox: whatever a
 * process that a file has taken over may have left there, no reader but that of WebP opens it.
 */
async function made(
  { files: folder, sniff }: Deps,
  shown: { id: string; kind: 'image' | 'video' },
): Promise<string> {
  for (const name of files[shown.kind]) {
    const file = `${folder.mediaFolder(shown.id)}/${name}`
    if ((await folder.sizeOf(file)) === undefined) continue
    if ((await sniff(file))?.mime === 'image/webp') return file
  }
  throw new ApiError('not_found')
}

async function send(
  deps: Deps,
  reply: FastifyReply,
  shown: { id: string; kind: 'image' | 'video' },
  size: Size,
): Promise<FastifyReply> {
  const jpeg = await sharp(await made(deps, shown))
    .resize({ ...size, fit: 'cover', position: 'attention' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer()
  // Pages of other sites show it.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  return reply
    .header('cache-control', `public, max-age=${MINUTES * 60}`)
    .type('image/jpeg')
    .send(jpeg)
}
