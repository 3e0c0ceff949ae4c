// Route that returns who operates this service.
import type { FastifyInstance } from 'fastify'
import { getOperator } from '#contract/operator.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'
import { isPractice } from '#server/services/payments/providers.ts'

export function operatorRoutes(app: FastifyInstance, { settings, paymentProviders }: Deps): void {
  const { current } = paymentProviders
  const { statementName, isSelling, limits } = settings.payments
  const payments = current
    ? {
        is_sandbox: isPractice(current.name),
        is_selling: isSelling,
        new_account_yen: limits.newAccountYen,
        statement_name: statementName,
      }
    : null
  route(app, getOperator, async () => ({ ...settings.operator, payments }))
}
