// Exports for an authority: requested, made by a job, and downloaded by one admin.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  AUTHORITY_EXPORT_MS,
  type AuthorityExport,
  authorityFilePath,
  listAuthorityExports,
  requestAuthorityExport,
} from '#contract/administration/authority-exports.ts'
import { id as idSchema, newId } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { staffOf } from '#server/http/viewer.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import {
  addAuthorityExport,
  type AuthorityExportRow,
  expireAuthorityExports,
  findAuthorityExport,
  findAuthorityFile,
  listAuthorityExports as exportsBy,
  setAuthorityExport,
} from '#server/store/accounts/authority-exports.ts'
import { findUser } from '#server/store/people/people.ts'
import { authorityEntries } from './authority-entries.ts'

const DAY = 24 * 3600_000
const startOf = (day: string) => Date.parse(`${day}T00:00:00+09:00`)
const dayOf = (at: number) => new Date(at + 9 * 3600_000).toISOString().slice(0, 10)

export function authorityExportRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit, transaction } = deps
  memberRoute(app, listAuthorityExports, async ({ viewer, params, request }) => {
    if (!(await findUser(db, params.user_id))) throw new ApiError('not_found')
    const rows = await exportsBy(db, params.user_id, viewer.id)
    const about = { subjectKind: 'user', subjectId: params.user_id } as const
    const detail = { exports: rows.map((it) => it.id) }
    await audit({ actorId: viewer.id, act: 'authority_export.list', ...about, detail, ip: request.ip })
    return { exports: rows.map((it) => viewOf(it, clock())) }
  })

  memberRoute(app, requestAuthorityExport, async ({ viewer, params, body, request }) => {
    const now = clock()
    validatedOf(viewer, now)
    const [from, to] = [startOf(body.from), startOf(body.to) + DAY]
    if (to <= from) throw new ApiError('invalid', { to: 'too_small' })
    const id = newId()
    return transaction(async ({ tx, enqueue, audit: write }) => {
      const user = await findUser(tx, params.user_id)
      if (!user || user.deletedAt) throw new ApiError('not_found')
      const times = { from: new Date(from), to: new Date(to), createdAt: new Date(now), expiresAt: null }
      const row = { id, userId: user.id, madeBy: viewer.id, caseNumber: body.case_number, ...times }
      await addAuthorityExport(tx, { ...row, state: 'waiting' })
      await enqueue('authority-export.make', { exportId: id })
      const about = { subjectKind: 'user', subjectId: user.id } as const
      const detail = { export: id, from: body.from, to: body.to }
      write({ actorId: viewer.id, act: 'authority_export.request', ...about, detail, ip: request.ip })
      return { data: viewOf({ ...row, state: 'waiting' }, now) }
    })
  })

  app.get(API_BASE + authorityFilePath(':export_id'), (request, reply) => send(deps, request, reply))
}

function viewOf(it: AuthorityExportRow, now: number): AuthorityExport {
  const isOver = it.expiresAt !== null && it.expiresAt.getTime() <= now
  return {
    id: it.id,
    case_number: it.caseNumber,
    from: dayOf(it.from.getTime()),
    to: dayOf(it.to.getTime() - 1),
    state: isOver ? 'expired' : it.state,
    requested_at: it.createdAt.toISOString(),
    expires_at: it.expiresAt?.toISOString() ?? null,
  }
}

const params = v.object({ export_id: idSchema })

/** Each download is an audit entry, which is written before the file is sent. */
async function send(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const viewer = staffOf(request, 'authority')
  validatedOf(viewer, deps.clock())
  const parsed = v.safeParse(params, request.params)
  const exportId = parsed.success ? parsed.output.export_id : undefined
  const found = exportId && (await findAuthorityFile(deps.db, exportId, viewer.id, deps.clock()))
  if (!found || exportId === undefined) throw new ApiError('not_found')
  const bytes = deps.secrets.open('authority-export', found.sealed, exportId)
  const about = { subjectKind: 'user', subjectId: found.userId } as const
  const detail = { export: exportId }
  await deps.audit({ actorId: viewer.id, act: 'authority_export.download', ...about, detail, ip: request.ip })
  return reply
    .header('content-disposition', `attachment; filename="todoke-${exportId}.zip"`)
    .header('cache-control', 'private, no-store')
    .type('application/zip')
    .send(bytes)
}

/** The job. A second run changes nothing: the result is stored only while the export waits. */
export async function makeAuthorityExport(deps: Deps, exportId: string): Promise<void> {
  const { db, storage, clock, secrets } = deps
  const row = await findAuthorityExport(db, exportId)
  if (row?.state !== 'waiting') return
  const temporary = storage.scratch.newPath()
  try {
    const entries = await authorityEntries(deps, row)
    if (!entries) return await setAuthorityExport(db, exportId, { state: 'failed' })
    await storage.writeZip(temporary, entries, clock())
    const sealed = secrets.seal('authority-export', await readFile(temporary), exportId)
    const until = new Date(clock() + AUTHORITY_EXPORT_MS)
    await setAuthorityExport(db, exportId, { state: 'ready', sealed, expiresAt: until })
  } finally {
    await storage.scratch.remove(temporary)
  }
}

export const sweepAuthorityExports = ({ db, clock }: Deps): Promise<void> =>
  expireAuthorityExports(db, clock())
