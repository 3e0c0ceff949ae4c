// Sends a permitted media file: a variant, an HLS file, or the original.
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import type { MediaVariant } from '#server/http/media-variant.ts'
import { sandbox } from '#server/http/security.ts'
import type { MediaRow } from '#server/store/media/media.ts'
import { findUpload } from '#server/store/media/uploads.ts'
import type { Permit } from './permit.ts'
import { withQuery } from './playlist.ts'

export type Granted = Exclude<Permit, { is: 'renewed' }>

interface Request {
  readonly deps: Deps
  readonly row: MediaRow
  readonly granted: Granted
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

const fileOf = { play: 'play.mp4', poster: 'poster.webp', blurred: 'blurred.webp' } as const

/** Files of one media id never change. Shared caches revalidate soon, since a post may be closed. */
const OPEN = 'public, max-age=31536000, s-maxage=60, immutable'
/** A playlist is rewritten when smaller renditions are added. */
const OPEN_PLAYLIST = 'public, no-cache'

function prepare({ granted, reply }: Request, playlist = false): void {
  sandbox(reply)
  if (granted.is === 'open') {
    reply.header('cache-control', playlist ? OPEN_PLAYLIST : OPEN)
    return
  }
  reply.header('cache-control', granted.changes || playlist ? 'private, no-cache' : 'private, max-age=300')
  const already = reply.getHeader('vary')
  reply.header('vary', [already, 'Authorization', 'Cookie'].filter(Boolean).join(', '))
}

export async function sendVariant(it: Request, wanted: MediaVariant): Promise<FastifyReply> {
  if (wanted === 'original') return sendOriginal(it)
  const name = wanted in fileOf ? fileOf[wanted as keyof typeof fileOf] : `w${widthFor(it, wanted)}.webp`
  await sizeThere(it, name, it.row.state === 'ready')
  prepare(it)
  return it.reply.sendFile(name, it.deps.files.mediaFolder(it.row.id), { cacheControl: false })
}

/** The requested width; else the next larger one, else the largest. */
function widthFor({ row }: Request, wanted: MediaVariant): number {
  const width = Number(wanted.slice(1))
  return row.made.widths.find((it) => it >= width) ?? row.made.widths.at(-1) ?? width
}

export async function sendPiece(it: Request, file: string): Promise<FastifyReply> {
  const { deps, row, reply, granted } = it
  const place = `hls/${file}`
  await sizeThere(it, place, row.state === 'ready' && row.made.hls === true)
  const playlist = file.endsWith('.m3u8')
  prepare(it, playlist)
  const folder = deps.files.mediaFolder(row.id)
  if (playlist) {
    reply.type('application/vnd.apple.mpegurl')
    const text = await readFile(`${folder}/${place}`, 'utf8')
    return reply.send(withQuery(text, granted.is === 'open' ? '' : granted.query))
  }
  reply.type('video/mp4')
  return reply.sendFile(place, folder, { cacheControl: false, contentType: false })
}

/** Sends the original to its author as a download. */
async function sendOriginal(it: Request): Promise<FastifyReply> {
  const { deps, row, reply, request } = it
  const upload = await findUpload(deps.db, row.id)
  const name = (upload?.metadata['filename'] ?? row.id).replace(/[\p{Cc}/\\]/gu, '_')
  refuseSeveral(request, reply, (await deps.files.sizeOf(deps.files.uploadPath(row.id))) ?? 0)
  prepare(it)
  reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
  reply.type(row.mime)
  return reply.sendFile(row.id, deps.files.uploads, { cacheControl: false, contentType: false })
}

async function sizeThere({ deps, row, request, reply }: Request, file: string, made: boolean): Promise<void> {
  const size = made ? await deps.files.sizeOf(`${deps.files.mediaFolder(row.id)}/${file}`) : undefined
  if (size === undefined) {
    request.log.debug({ state: row.state, file }, 'not made')
    throw new ApiError('not_found')
  }
  refuseSeveral(request, reply, size)
}

/** Players request one range; many in one request only cost the server work. */
function refuseSeveral(request: FastifyRequest, reply: FastifyReply, size: number): void {
  if (!request.headers.range?.includes(',')) return
  reply.header('content-range', `bytes */${size}`)
  throw new ApiError('bad_request', undefined, 416)
}
