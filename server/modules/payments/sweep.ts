// Hourly: enqueues notices that were stored but not handled, and expires open payments.
import type { Deps } from '#server/deps.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { publishPayment } from '#server/services/payments/live.ts'
import { listUnhandled } from '#server/store/payments/notices.ts'
import { emptyNetworks, listOverdue, lockPayment, setPayment } from '#server/store/payments/payments.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'

/** Rows of one sweep; the next one takes the rest. */
const MOST = 1000
/** A notice that waits for this long has lost its process, ms. */
const UNHANDLED_MS = 5 * 60_000
/** Networks of payments are stored for this long, ms. */
const NETWORKS_MS = 30 * 24 * 3600_000

export async function sweepPayments(deps: Deps): Promise<void> {
  const { db, clock } = deps
  // First, since an error of an expiry ends the sweep.
  await enqueueUnhandled(deps)
  for (const id of await listOverdue(db, clock(), MOST)) await expire(deps, id)
  await emptyNetworks(db, clock() - NETWORKS_MS)
}

/** Expires a payment, unless it has changed meanwhile. A late notice can still pay it. */
async function expire({ transaction }: Deps, id: string): Promise<void> {
  await transaction(async (unit) => {
    const payment = await lockPayment(unit.tx, id)
    if (!payment) return
    const step = paymentStep(stateOfPayment(payment), { is: 'timed_out' })
    if (step.is !== 'moved') return
    await setPayment(unit.tx, id, { state: step.state })
    publishPayment(unit, { ...payment, state: step.state })
  })
}

async function enqueueUnhandled({ db, transaction, clock, paymentProviders }: Deps): Promise<void> {
  for (const { name } of paymentProviders.all) {
    const ids = await listUnhandled(db, name, clock() - UNHANDLED_MS, MOST)
    await transaction(({ enqueueMany }) =>
      enqueueMany(
        'payment.notice',
        ids.map((noticeId) => ({ noticeId })),
      ),
    )
  }
}
