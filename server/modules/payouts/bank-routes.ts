// Routes of the directory of banks and branches.
import type { FastifyInstance } from 'fastify'
import { searchBanks, searchBranches } from '#contract/payouts/banks.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'

export function bankRoutes(app: FastifyInstance, { banks, settings }: Deps): void {
  const options = { rateLimit: perPerson(settings.limits.suggestions) }
  memberRoute(app, searchBanks, async ({ query }) => ({ banks: await banks.searchBanks(query.q) }), options)
  memberRoute(
    app,
    searchBranches,
    async ({ params, query }) => {
      const branches = await banks.searchBranches(params.bank_code, query.q)
      if (!branches) throw new ApiError('not_found')
      return { branches }
    },
    options,
  )
}
