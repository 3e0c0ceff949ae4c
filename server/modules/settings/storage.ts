// Route of a person's stored bytes, shown only to that person.
import type { FastifyInstance } from 'fastify'
import { getStorage } from '#contract/accounts/storage.ts'
import type { Deps } from '#server/deps.ts'
import { memberRoute } from '#server/http/route.ts'
import { storedBytesOf } from '#server/store/media/usage.ts'

export function storageRoutes(app: FastifyInstance, { db, runtime }: Deps): void {
  memberRoute(app, getStorage, async ({ viewer }) => ({
    used: await storedBytesOf(db, viewer.id),
    limit: (await runtime.uploadLimits()).stored,
  }))
}
