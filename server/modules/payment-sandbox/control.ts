// Control of the sandbox provider by tests and demonstrations; not in production unless configured.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { SANDBOX_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { listSandboxCharges } from '#server/store/payments/sandbox.ts'
import { behaviourOf, behaviourSchema, setBehaviour } from './behaviour.ts'

const CONTROL_PATH = `${SANDBOX_PATH}/control`

/** @param sendDue sends the notices that are due */
export function controlRoutes(app: FastifyInstance, { db }: Deps, sendDue: () => Promise<void>): void {
  app.route({
    method: 'GET',
    url: CONTROL_PATH,
    handler: async () => ({ behaviour: await behaviourOf(db), charges: await listSandboxCharges(db) }),
  })

  // Fields that are left out have their usual value.
  app.route({
    method: 'PUT',
    url: CONTROL_PATH,
    async handler({ body }) {
      const parsed = v.safeParse(behaviourSchema, body)
      if (!parsed.success) throw new ApiError('invalid')
      await setBehaviour(db, parsed.output)
      return { behaviour: parsed.output }
    },
  })

  app.route({
    method: 'POST',
    url: `${CONTROL_PATH}/send`,
    async handler() {
      await sendDue()
      return {}
    },
  })
}
