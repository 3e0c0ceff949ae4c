// The bytes of one file of a check: noted in the audit log, tried whole, and only then streamed.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as v from 'valibot'
import { CHECK_FILE_PATH } from '#contract/admin-identity.ts'
import { id as idSchema } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { sandbox } from '#server/http/security.ts'
import { adminOf } from '#server/http/session.ts'
import { writeAudit } from '#server/store/audit.ts'
import { type CheckFileRow, findCheckFile } from '#server/store/identity.ts'

export function fileRoute(app: FastifyInstance, deps: Deps): void {
  const { db, files, sealed, clock } = deps
  app.get(API_BASE + CHECK_FILE_PATH, async (request, reply) => {
    const admin = adminOf(request)
    const id = v.safeParse(idSchema, (request.params as { file_id?: unknown }).file_id)
    const row = id.success ? await findCheckFile(db, id.output) : undefined
    if (!row) throw new ApiError('not_found')
    const entry = {
      actorId: admin.id,
      act: 'identity.view',
      subjectKind: 'identity_file',
      subjectId: row.id,
      detail: { check: row.checkId, part: row.part },
      ip: request.ip,
    } as const
    await writeAudit(db, entry, clock())
    const file = files.sealedPath(row.id)
    try {
      // A file that was changed in its middle must not be half shown.
      await sealed.check(file, row.sealedKey, row.id)
      return await send(reply, row, Readable.from(sealed.open(file, row.sealedKey, row.id)))
    } catch (error) {
      request.log.error({ err: error, file: row.id }, 'a sealed file does not open')
      throw new ApiError('internal')
    }
  })
}

async function send(reply: FastifyReply, row: CheckFileRow, bytes: Readable): Promise<FastifyReply> {
  sandbox(reply)
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-length': row.length,
      'content-disposition': `attachment; filename="${row.part}"`,
    })
    .type(row.mime)
    .send(bytes)
}
