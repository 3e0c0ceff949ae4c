// Sends a permitted media file: a variant, an HLS file, or the original.
import { text as textOf } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FACE_WIDTH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { MediaVariant } from '#server/http/media-variant.ts'
import { sandbox } from '#server/http/security.ts'
import { sendObject } from '#server/services/media/send-object.ts'
import type { SentMedia } from '#server/store/media/held-media.ts'
import { findUpload } from '#server/store/media/uploads.ts'
import type { Permit } from './permit.ts'
import { withQuery } from './playlist.ts'

/** A permit that does not require a redirect. */
export type ReadPermit = Exclude<Permit, { is: 'renewed' }>

interface SendContext {
  readonly deps: Deps
  readonly row: SentMedia
  readonly permit: ReadPermit
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Widths in which every picture can be requested. */
const usualWidths = new Set([FACE_WIDTH, 480, 960, 1600])
const fileOf = {
  play: 'play.mp4',
  poster: 'poster.webp',
  blurred: 'blurred.webp',
  still: 'still.webp',
} as const

/** Files of one media id never change. Shared caches revalidate after a minute: access to a post may end. */
const OPEN = 'public, max-age=31536000, s-maxage=60, immutable'
/** A playlist is rewritten when smaller renditions are added. */
const OPEN_PLAYLIST = 'public, no-cache'

function setHeaders({ permit, reply }: SendContext, playlist = false): void {
  sandbox(reply)
  if (permit.is === 'open') {
    reply.header('cache-control', playlist ? OPEN_PLAYLIST : OPEN)
    return
  }
  reply.header('cache-control', permit.changes || playlist ? 'private, no-cache' : 'private, max-age=300')
  const previous = reply.getHeader('vary')
  reply.header('vary', [previous, 'Authorization', 'Cookie'].filter(Boolean).join(', '))
}

export async function sendVariant(context: SendContext, variant: MediaVariant): Promise<FastifyReply> {
  if (variant === 'original') return sendOriginal(context)
  const { deps, row, reply } = context
  const name = variant in fileOf ? fileOf[variant as keyof typeof fileOf] : copyFor(row, variant)
  await requireFile(context, name, row.state === 'ready')
  setHeaders(context)
  return sendObject(reply, deps, `media/${row.id}/${name}`)
}

/**
 * The file of the requested copy or part; for a width of every picture that was not made the next larger one, else the largest.
 * @throws ApiError `not_found` for a copy or part that the picture does not have
 */
function copyFor({ made }: SentMedia, variant: MediaVariant): string {
  const number = Number(variant.slice(1))
  if (variant.startsWith('p')) {
    if (number >= (made.parts?.heights.length ?? 0)) throw new ApiError('not_found')
    return `${variant}.webp`
  }
  if (!usualWidths.has(number) && !made.widths.includes(number)) throw new ApiError('not_found')
  return `w${made.widths.find((it) => it >= number) ?? made.widths.at(-1) ?? number}.webp`
}

export async function sendHlsFile(context: SendContext, file: string): Promise<FastifyReply> {
  const { deps, row, reply, permit } = context
  const name = `hls/${file}`
  await requireFile(context, name, row.state === 'ready' && row.made.hls === true)
  const playlist = file.endsWith('.m3u8')
  setHeaders(context, playlist)
  const key = `media/${row.id}/${name}` as const
  if (playlist) {
    reply.type('application/vnd.apple.mpegurl')
    const text = await textOf(deps.storage.objects.read(key))
    return reply.send(withQuery(text, permit.is === 'open' ? '' : permit.query))
  }
  reply.type('video/mp4')
  return sendObject(reply, deps, key, { contentType: false })
}

/** Sends the original to its author as a download. */
async function sendOriginal(context: SendContext): Promise<FastifyReply> {
  const { deps, row, reply, request } = context
  const upload = await findUpload(deps.db, row.id)
  const name = (upload?.metadata['filename'] ?? row.id).replace(/[\p{Cc}/\\]/gu, '_')
  refuseSeveralRanges(request, reply, (await deps.storage.objects.sizeOf(`uploads/${row.id}`)) ?? 0)
  setHeaders(context)
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
  reply.type(row.mime)
  return sendObject(reply, deps, `uploads/${row.id}`, { contentType: false })
}

/**
 * Refuses a file that does not exist, and several ranges of one that does.
 * @param isMade whether the media's state and variants include the file
 */
async function requireFile(
  { deps, row, request, reply }: SendContext,
  file: string,
  isMade: boolean,
): Promise<void> {
  const size = isMade ? await deps.storage.objects.sizeOf(`media/${row.id}/${file}`) : undefined
  if (size === undefined) {
    request.log.debug({ state: row.state, file }, 'not made')
    throw new ApiError('not_found')
  }
  refuseSeveralRanges(request, reply, size)
}

/** Refuses several ranges in one request: players request one, and several only cost the server work. */
function refuseSeveralRanges(request: FastifyRequest, reply: FastifyReply, size: number): void {
  if (!request.headers.range?.includes(',')) return
  reply.header('content-range', `bytes */${size}`)
  throw new ApiError('bad_request', undefined, 416)
}
