// Routes of exports: requesting one's data, its state, and downloading the zip.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import {
  requestExport,
  EXPORT_COOKIE,
  EXPORT_EVERY_MS,
  EXPORT_FILE_PATH,
  type ExportView,
  getExport,
} from '#contract/accounts/export.ts'
import { newId } from '#contract/ids.ts'
import { API_BASE } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { sendObject } from '#server/services/media/send-object.ts'
import { memberOrLeavingOf } from '#server/http/viewer.ts'
import { hashToken } from '#server/services/auth/authenticate.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import {
  addExport,
  type ExportRow,
  findReadyExport,
  lockExportsOf,
  newestExport,
} from '#server/store/accounts/exports.ts'

const secret = v.optional(v.pipe(v.string(), v.maxLength(100)))

export function exportRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  const stateOf = async (userId: string) => {
    const row = await newestExport(db, userId)
    return { export: viewOf(row, clock()), may_ask_at: row ? nextRequestAt(row, clock()) : null }
  }

  memberRoute(app, getExport, ({ viewer }) => stateOf(viewer.id))

  memberRoute(app, requestExport, async ({ viewer }) => {
    validatedOf(viewer, clock())
    await enqueueExport(deps, viewer.id)
    return stateOf(viewer.id)
  })

  app.get(API_BASE + EXPORT_FILE_PATH, (request, reply) => send(deps, request, reply))
}

/** Enqueues an export: one at a time, and one a day. */
async function enqueueExport({ clock, transaction }: Deps, userId: string): Promise<void> {
  await transaction(async ({ tx, enqueue }) => {
    await lockExportsOf(tx, userId)
    const newest = await newestExport(tx, userId)
    if (newest?.state === 'waiting') return
    if (newest && nextRequestAt(newest, clock()) !== null) throw new ApiError('rate_limited')
    const exportId = newId()
    await addExport(tx, exportId, userId, clock())
    await enqueue('export.make', { exportId })
  })
}

function nextRequestAt({ state, createdAt }: ExportRow, now: number): string | null {
  const at = createdAt.getTime() + EXPORT_EVERY_MS
  return state === 'failed' || at <= now ? null : new Date(at).toISOString()
}

function viewOf(row: ExportRow | undefined, now: number): ExportView {
  if (!row) return { is: 'none' }
  const asked_at = row.createdAt.toISOString()
  switch (row.state) {
    case 'waiting':
    case 'failed':
    case 'expired':
      return { is: row.state, asked_at }
    case 'ready': {
      const until = row.expiresAt?.getTime() ?? 0
      if (until <= now) return { is: 'expired', asked_at }
      return { is: 'ready', asked_at, expires_at: new Date(until).toISOString(), length: row.length ?? 0 }
    }
    default:
      return row.state satisfies never
  }
}

/**
 * The zip contains everything: a session alone does not suffice. In addition it needs the secret from the person's
 * email, or a recently validated password.
 */
async function send(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const viewer = memberOrLeavingOf(request)
  // Pages of earlier versions send it in the query.
  const { token: queried } = request.query as { token?: unknown }
  const parsed = v.safeParse(secret, queried ?? request.cookies[EXPORT_COOKIE])
  if (!parsed.success) throw new ApiError('link_invalid')
  const token = parsed.output
  if (token === undefined) validatedOf(viewer, deps.clock())
  const row = await findReadyExport(deps.db, viewer.id, deps.clock())
  if (token !== undefined && (!row || hashToken(token) !== row.tokenHash)) throw new ApiError('link_invalid')
  if (!row) throw new ApiError('gone')
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(row.createdAt)
  reply.header('content-disposition', `attachment; filename="todoke-${day}.zip"`)
  reply.header('cache-control', 'private, no-store').type('application/zip')
  return sendObject(reply, deps, `exports/${row.id}.zip`, { contentType: false })
}
