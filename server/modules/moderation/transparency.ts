// Route of the transparency page. Its numbers are counted once an hour in each process.
import type { FastifyInstance } from 'fastify'
import { getTransparency, type Quarter } from '#contract/inquiries/transparency.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { quartersOf } from '#server/rules/moderation/quarters.ts'
import { countQuarters, speedOfQuarters } from '#server/store/inquiries/transparency.ts'

const HOUR = 3600_000

export function transparencyRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  let counted: { readonly at: number; readonly quarters: Promise<Quarter[]> } | undefined
  const count = async () => quartersOf(await countQuarters(db), await speedOfQuarters(db))
  route(app, getTransparency, async () => {
    if (counted === undefined || counted.at + HOUR <= clock()) {
      const next = { at: clock(), quarters: count() }
      counted = next
      // A failure is not cached. The caller of this request learns of it below.
      next.quarters.catch(() => {
        if (counted === next) counted = undefined
      })
    }
    return { quarters: await counted.quarters }
  })
}
