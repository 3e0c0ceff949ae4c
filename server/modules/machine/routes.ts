// Routes of admins for the machine: its state, failed jobs and failed media.
import type { FastifyInstance } from 'fastify'
import {
  dropFailedJobs,
  FAILED_JOBS,
  getMachine,
  listFailedJobs,
  listFailedMedia,
  retryFailedJobs,
  retryMediaByStaff,
} from '#contract/administration/machine.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { queueOf } from '#server/store/jobs.ts'
import { findHolder, retryFailedMedia } from '#server/store/media/media.ts'
import { listFailedJobs as readFailedJobs } from '#server/store/operated-jobs.ts'
import { listFailedMediaRows, ownerOfMedia } from '#server/store/staff/machine.ts'
import { cleanText } from './cause.ts'
import { createChecks } from './checks.ts'
import { listServers } from './figures.ts'
import { worksOf } from './health.ts'
import { dropFailed, readQueues, retryFailed } from './jobs.ts'
import type { Acting } from './settings.ts'
import { createStorageReader } from './storage.ts'
import { readVersions } from './versions.ts'

const PAGE = 30

export function machineRoutes(app: FastifyInstance, deps: Deps): void {
  // Not `deps.clock`: the clock of a test does not advance by itself.
  const checks = createChecks({ works: worksOf(deps), clock: Date.now })
  const storage = createStorageReader(deps)

  memberRoute(app, getMachine, async () => ({
    at: new Date().toISOString(),
    versions: await readVersions(deps),
    checks: await checks(),
    queues: await readQueues(deps),
    storage: await storage(),
    servers: await listServers(deps),
  }))
  jobRoutes(app, deps)
  mediaRoutesOfStaff(app, deps)
}

function jobRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock, database } = deps
  memberRoute(app, listFailedJobs, async () => ({
    jobs: (await readFailedJobs(database, undefined, FAILED_JOBS)).map(({ failedAt, reason, ...it }) => ({
      ...it,
      reason: cleanText(reason),
      failed_at: failedAt.toISOString(),
    })),
  }))
  memberRoute(app, retryFailedJobs, async ({ viewer, body, request }) => {
    validatedOf(viewer, clock())
    return { count: await retryFailed(deps, body, { actorId: viewer.id, ip: request.ip }) }
  })
  memberRoute(app, dropFailedJobs, async ({ viewer, body, request }) => {
    validatedOf(viewer, clock())
    return { count: await dropFailed(deps, body, { actorId: viewer.id, ip: request.ip }) }
  })
}

function mediaRoutesOfStaff(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit } = deps
  memberRoute(app, listFailedMedia, async ({ viewer, query, request }) => {
    const rows = await listFailedMediaRows(db, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => ({ at: row.createdAt, id: row.id }))
    // Further pages belong to the opening, and a list without a person says nothing about one.
    if (query.cursor === undefined && shown.length > 0)
      await audit({
        actorId: viewer.id,
        act: 'media.list_failed',
        subjectKind: 'user',
        subjectId: viewer.id,
        detail: { media: shown.map((it) => it.id) },
        ip: request.ip,
      })
    return {
      media: shown.map((it) => ({
        id: it.id,
        kind: it.kind,
        owner: { id: it.ownerId, name: it.ownerName },
        reason: it.failure ?? '',
        at: it.begunAt?.toISOString() ?? null,
        attempts: it.attempts,
        bytes: it.bytes,
      })),
      next,
    }
  })
  memberRoute(app, retryMediaByStaff, async ({ viewer, params, request }) => {
    validatedOf(viewer, clock())
    await retryMedia(deps, params.media_id, { actorId: viewer.id, ip: request.ip })
    return { data: { id: params.media_id } }
  })
}

/**
 * Lets a failed media be processed again.
 * @throws ApiError `not_found` for one that nothing shows; `conflict` for one that has not failed
 */
async function retryMedia({ db, transaction }: Deps, id: string, by: Acting): Promise<void> {
  const ownerId = await ownerOfMedia(db, id)
  if (ownerId === undefined || !(await findHolder(db, id))) throw new ApiError('not_found')
  await transaction(async ({ tx, enqueue, audit }) => {
    const kind = await retryFailedMedia(tx, id)
    if (!kind) throw new ApiError('conflict')
    await enqueue(queueOf(kind), { mediaId: id })
    audit({ ...by, act: 'media.retry', subjectKind: 'media', subjectId: id, detail: { owner: ownerId } })
  })
}
