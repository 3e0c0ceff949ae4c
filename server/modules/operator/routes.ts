// Route that returns who operates this service.
import type { FastifyInstance } from 'fastify'
import { getOperator } from '#contract/operator.ts'
import type { Deps } from '#server/deps.ts'
import { route } from '#server/http/route.ts'

export function operatorRoutes(app: FastifyInstance, { settings }: Deps): void {
  const { provider, statementName } = settings.payments
  const payments =
    provider === 'off' ? null : { is_sandbox: provider === 'sandbox', statement_name: statementName }
  route(app, getOperator, async () => ({ ...settings.operator, payments }))
}
