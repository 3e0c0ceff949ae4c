// Routes of a creator's own bank account: read masked, stored, removed.
import type { FastifyInstance } from 'fastify'
import { getBankAccount, putBankAccount, removeBankAccount } from '#contract/payouts/bank-account.ts'
import { declareResidence } from '#contract/payouts/residence.ts'
import type { Deps } from '#server/deps.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findOwnInfo } from '#server/store/accounts/own-info.ts'
import { declareFirst } from './residence.ts'
import { accountViewOf, mayStore, removeAccount, storeAccount } from './bank-account.ts'

export function bankAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const options = { rateLimit: perPerson(deps.settings.limits.bankAccounts) }
  const view = async (viewer: Viewer) => ({
    account: await accountViewOf(deps, viewer.id),
    may_store: await mayStore(deps, viewer),
    legal_name_kana: (await findOwnInfo(deps.db, viewer.id))?.legalNameKana ?? '',
  })
  memberRoute(app, getBankAccount, ({ viewer }) => view(viewer))
  memberRoute(
    app,
    putBankAccount,
    async ({ viewer, body }) => {
      await storeAccount(deps, viewer, body)
      return view(viewer)
    },
    options,
  )
  memberRoute(
    app,
    declareResidence,
    async ({ viewer, body }) => ({ residence: await declareFirst(deps, viewer.id, body.residence) }),
    options,
  )
  memberRoute(
    app,
    removeBankAccount,
    async ({ viewer }) => {
      await removeAccount(deps, viewer)
      return view(viewer)
    },
    options,
  )
}
