// Routes of admins for balances that no payout pays. Each call is in the audit log.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  clearBalance,
  listStrandedBalances,
  readPayeeContact,
  requestLastPayout,
} from '#contract/payouts/balances.ts'
import { id } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { byOf } from '#server/services/billing/money-door.ts'
import type { Place } from '#server/store/payouts/balances.ts'
import { clear, payeeContact, releaseBalance, strandedPage } from './balances.ts'

const placeText = v.pipe(
  v.string(),
  v.regex(/^-?\d{1,15}_/),
  v.transform((text) => text.split('_')),
  v.strictTuple([v.pipe(v.string(), v.transform(Number)), id]),
)

/** @throws ApiError `invalid` for a text that no page has sent */
function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const read = v.safeParse(placeText, cursor)
  if (!read.success) throw new ApiError('invalid', { cursor: 'malformed' })
  const [total, creatorId] = read.output
  return { total, creatorId }
}

export function balanceRoutes(app: FastifyInstance, deps: Deps): void {
  const { audit } = deps

  memberRoute(app, listStrandedBalances, async ({ viewer, query, request }) => {
    const { balances, last } = await strandedPage(deps, placeOf(query.cursor))
    const entry = { actorId: viewer.id, act: 'balances.list', subjectKind: 'user' } as const
    const detail = { people: balances.map((it) => it.creator.id) }
    await audit({ ...entry, subjectId: viewer.id, detail, ip: request.ip })
    return { balances, next: last ? `${last.total}_${last.creatorId}` : null }
  })

  memberRoute(app, readPayeeContact, async ({ viewer, params, request }) => {
    const { email, legalName, legalNameKana } = await payeeContact(
      deps,
      params.creator_id,
      byOf(deps, viewer, request.ip),
    )
    return { email, legal_name: legalName, legal_name_kana: legalNameKana }
  })

  memberRoute(app, requestLastPayout, async ({ viewer, params, request }) => {
    await releaseBalance(deps, params.creator_id, byOf(deps, viewer, request.ip))
    return { data: { id: params.creator_id } }
  })

  memberRoute(app, clearBalance, ({ viewer, params, body, request }) =>
    clear(deps, params.creator_id, body, byOf(deps, viewer, request.ip)),
  )
}
