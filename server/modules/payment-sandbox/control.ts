// Control of the sandbox providers by tests and demonstrations; not in production unless configured.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { SANDBOX_PATH } from '#contract/paths.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import {
  findOpenCharge,
  findSandboxRecurring,
  findTakenCharge,
  listSandboxCharges,
  listSandboxRecurring,
  moveSandboxCharge,
  returnSandboxCharge,
  type SandboxRecurring,
  setSandboxRecurring,
} from '#server/store/payments/sandbox.ts'
import { behaviourOf, behaviourSchema, setBehaviour } from './behaviour.ts'
import { writeNotice, writeStop, writeTakenBack } from './notices.ts'
import { chargeNext, openSandboxes } from './recurring.ts'

const CONTROL_PATH = `${SANDBOX_PATH}/control`

/** @param sendDue sends the notices that are due */
export function controlRoutes(app: FastifyInstance, deps: Deps, sendDue: () => Promise<void>): void {
  const { db } = deps
  const open = openSandboxes(deps)
  app.route({
    method: 'GET',
    url: CONTROL_PATH,
    async handler(_request, reply) {
      reply.header('cache-control', 'no-store')
      return {
        behaviour: await behaviourOf(db),
        charges: (await Promise.all(open.map((it) => listSandboxCharges(db, it)))).flat(),
        recurring: (await Promise.all(open.map((it) => listSandboxRecurring(db, it)))).flat(),
      }
    },
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
  happenRoutes(app, deps, sendDue)
}

function happenRoutes(app: FastifyInstance, deps: Deps, sendDue: () => Promise<void>): void {
  const { db } = deps
  // What happens to the charge of a payment.
  app.route({
    method: 'POST',
    url: `${CONTROL_PATH}/charge`,
    async handler({ body }) {
      const parsed = v.safeParse(chargeSchema, body)
      if (!parsed.success) throw new ApiError('invalid')
      await happenToCharge(deps, parsed.output)
      await sendDue()
      return {}
    },
  })

  // What happens to the recurring charge that a payment began.
  app.route({
    method: 'POST',
    url: `${CONTROL_PATH}/recurring`,
    async handler({ body }) {
      const parsed = v.safeParse(recurringSchema, body)
      if (!parsed.success) throw new ApiError('invalid')
      const recurring = await findSandboxRecurring(db, parsed.output.payment_id)
      if (!recurring) throw new ApiError('not_found')
      await happen(deps, recurring, parsed.output.do)
      await sendDue()
      return {}
    },
  })
}

/** `pending`, `expire`: of a payment that is not paid. `refund`, `dispute`: of one that is. Not every provider reports them. */
const chargeSchema = v.strictObject({
  payment_id: v.pipe(v.string(), v.uuid()),
  do: v.picklist(['pending', 'expire', 'refund', 'dispute']),
})

async function happenToCharge(
  deps: Deps,
  { payment_id: paymentId, do: what }: v.InferOutput<typeof chargeSchema>,
): Promise<void> {
  const { db } = deps
  if (what === 'refund' || what === 'dispute') {
    const charge = await findTakenCharge(db, paymentId)
    if (!charge) throw new ApiError('not_found')
    if (what === 'refund') await returnSandboxCharge(db, charge.chargeRef, charge.amount)
    await writeTakenBack(deps, charge, what === 'refund' ? 'refunded' : 'disputed')
    return
  }
  const charge = await findOpenCharge(db, paymentId)
  if (!charge) throw new ApiError('not_found')
  if (what === 'expire') await moveSandboxCharge(db, charge.chargeRef, 'open', 'cancelled')
  await writeNotice(deps, charge, what === 'expire' ? 'expired' : 'pending')
}

/** `stop_silently`: in the provider's own panel, which sends no notice. */
const recurringSchema = v.strictObject({
  payment_id: v.pipe(v.string(), v.uuid()),
  do: v.picklist(['charge', 'fail', 'stop_by_provider', 'stop_by_buyer', 'stop_silently']),
})

async function happen(
  deps: Deps,
  recurring: SandboxRecurring,
  what: v.InferOutput<typeof recurringSchema>['do'],
): Promise<void> {
  if (what === 'charge' || what === 'fail') return chargeNext(deps, recurring, what === 'fail')
  await setSandboxRecurring(deps.db, recurring.recurringRef, { state: 'stopped' })
  if (what !== 'stop_silently')
    await writeStop(deps, recurring, what === 'stop_by_provider' ? 'provider' : 'buyer')
}
