// Serves one file of a check to its admin, after an audit entry.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { CHECK_FILE_PATH } from '#contract/identity/admin-identity.ts'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { type RequestedRange, requestedRange } from '#server/http/byte-range.ts'
import { ApiError } from '#server/http/errors.ts'
import { sandbox } from '#server/http/security.ts'
import { staffOf, type Viewer } from '#server/http/viewer.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import type { AuditEntry } from '#contract/administration/audit-acts.ts'
import { hasEntry } from '#server/store/audit/entries.ts'
import { type CheckFileRow, findCheckFile } from '#server/store/identity/identity.ts'
import { beforeLastByte, recordShown } from './shown.ts'

/** A player requests one file in many ranges: within this time they are one opening, ms. */
const OPENING_MS = 15 * 60_000

export function fileRoute(app: FastifyInstance, deps: Deps): void {
  app.get(API_BASE + CHECK_FILE_PATH, async (request, reply) => {
    const admin = staffOf(request, 'identity')
    const id = v.safeParse(idSchema, (request.params as { file_id?: unknown }).file_id)
    const row = id.success ? await findCheckFile(deps.db, id.output) : undefined
    if (!row) throw new ApiError('not_found')
    validatedOf(admin, deps.clock())
    if (row.reviewerId !== admin.id) throw new ApiError('forbidden')
    const { range: header, 'if-range': condition } = request.headers
    const range = requestedRange(header, row.length, tagOf(row), condition as string | undefined)
    const opening = await recordOpening(deps, request, admin, row, range)
    const object = `identity/${row.id}` as const
    try {
      // A file that was changed in its middle must not be sent in part. Later ranges are verified by segment.
      if (opening === 'new') await deps.sealed.check(object, row.sealedKey, row.id)
      const shown = () => recordShown(deps, row, { actorId: admin.id, ip: request.ip })
      return await send(deps, reply, row, { range, shown: request.method === 'GET' ? shown : undefined })
    } catch (error) {
      if (error instanceof ApiError) throw error
      request.log.error({ err: error, file: row.id }, 'a sealed file does not open')
      throw new ApiError('internal')
    }
  })
}

/** Nothing is read ahead of the connection: what is recorded as shown was taken from here. */
const PIECE_BY_PIECE = { objectMode: false, highWaterMark: 1 } as const

const tagOf = (row: CheckFileRow) => `"${row.id}"`

/**
 * Writes the audit entry of an opening, before the first byte is sent. Each request of the whole file is one opening; all
 * ranges within `OPENING_MS` are one.
 */
async function recordOpening(
  { db, audit, clock }: Deps,
  request: FastifyRequest,
  admin: Viewer,
  row: CheckFileRow,
  range: RequestedRange,
): Promise<'new' | 'continued'> {
  const entry: AuditEntry<'identity.view'> = {
    actorId: admin.id,
    act: 'identity.view',
    subjectKind: 'identity_file',
    subjectId: row.id,
    detail: { check: row.checkId, part: row.part },
    ip: request.ip,
  }
  if (range.is !== 'whole' && (await hasEntry(db, entry, clock() - OPENING_MS))) return 'continued'
  await audit(entry)
  return 'new'
}

interface Sending {
  readonly range: RequestedRange
  /** Records that the whole file was sent; undefined for a request of its headers. */
  readonly shown: (() => Promise<void>) | undefined
}

async function send(
  { sealed }: Deps,
  reply: FastifyReply,
  row: CheckFileRow,
  { range, shown }: Sending,
): Promise<FastifyReply> {
  sandbox(reply)
  if (range.is === 'nothing') {
    reply.header('content-range', `bytes */${row.length}`)
    throw new ApiError('bad_request', undefined, 416)
  }
  const interval = range.is === 'part' ? range : { start: 0, end: row.length }
  if (range.is === 'part')
    reply.code(206).header('content-range', `bytes ${interval.start}-${interval.end - 1}/${row.length}`)
  const isWhole = interval.start === 0 && interval.end === row.length
  const bytes = sealed.open(`identity/${row.id}`, row.sealedKey, row.id, interval)
  return reply
    .headers({
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
      etag: tagOf(row),
      'content-length': interval.end - interval.start,
      'content-disposition': `attachment; filename="${row.part}"`,
    })
    .type(row.mime)
    .send(Readable.from(isWhole && shown ? beforeLastByte(bytes, shown) : bytes, PIECE_BY_PIECE))
}
