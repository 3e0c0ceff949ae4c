// Routes of a creator's own payouts.
import type { FastifyInstance } from 'fastify'
import { getPayouts, requestPayout, setAutomaticPayouts } from '#contract/payouts/payouts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { findPayout, setAutomatic } from '#server/store/payouts/payouts.ts'
import { overviewOf, requestIn } from './request.ts'

export function payoutRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, transaction, settings } = deps
  const options = { rateLimit: perPerson(settings.limits.bankAccounts) }

  memberRoute(app, getPayouts, ({ viewer }) => overviewOf(deps, viewer.id))

  memberRoute(
    app,
    requestPayout,
    async ({ viewer, body: { id, amount } }) => {
      const known = await findPayout(db, id)
      if (known && known.creatorId !== viewer.id) throw new ApiError('conflict')
      if (!known) {
        const it = { id, creatorId: viewer.id, isAutomatic: false, amount }
        const outcome = await transaction((unit) => requestIn(deps, unit, it))
        if (outcome === 'another_amount') throw new ApiError('price_changed')
        if (outcome !== 'requested') throw new ApiError('conflict')
      }
      return overviewOf(deps, viewer.id)
    },
    options,
  )

  memberRoute(
    app,
    setAutomaticPayouts,
    async ({ viewer, body }) => {
      await transaction(({ tx }) => setAutomatic(tx, viewer.id, body.automatic))
      return overviewOf(deps, viewer.id)
    },
    options,
  )
}
