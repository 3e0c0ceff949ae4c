// Closes a task done by hand, and books the money that was returned.
import { listUnreturned } from '#server/store/adjustments/refunds.ts'
import type { Db } from '#server/store/database.ts'
import { findChargeOf } from '#server/store/payments/charges.ts'
import { publishMembership } from '#server/services/memberships/change.ts'
import { lockMembership, type MembershipRow, setMembership } from '#server/store/memberships/memberships.ts'
import {
  closeTask,
  lockOpenTask,
  type OperatorTask,
  paymentOfTask,
  type TaskKind,
} from '#server/store/payments/operator-tasks.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { addRefundPaid, addSurplusPaid } from '#server/services/payments/refund.ts'
import { ApiError } from '#server/http/errors.ts'
import type { ActedBy } from './money-door.ts'

/** Tasks that are closed by what settles them, and not by hand. */
const settledElsewhere: ReadonlySet<TaskKind> = new Set([
  'clear_balance',
  'old_balance',
  'unsettled_charge',
  'withhold_tax',
])

/** Whether closing a task books money that the operator has returned. */
export const booksReturn = ({ kind }: Pick<OperatorTask, 'kind'>): boolean =>
  kind === 'refund' || kind === 'refund_surplus'

/**
 * Closes an open task. For a refund, the provider no longer owes the amount to the platform.
 * @throws ApiError `not_found` when it does not exist or is closed; `conflict` for one that is settled elsewhere
 */
export async function closeTaskByHand(
  { clock }: Pick<PaymentPorts, 'clock'>,
  unit: PaymentUnit,
  id: string,
  by: ActedBy,
): Promise<void> {
  const { tx } = unit
  const paymentId = await paymentOfTask(tx, id)
  // Before its tasks, as the job that makes them does, so that the two never wait for each other.
  const membership = paymentId === null ? undefined : await lockMembership(tx, paymentId)
  const task = await lockOpenTask(tx, id)
  if (!task) throw new ApiError('not_found')
  if (settledElsewhere.has(task.kind)) throw new ApiError('conflict')
  const now = clock()
  if (booksReturn(task)) await bookReturned(tx, task, now)
  if (membership && recurring.has(task.kind)) await noteChargedAmount(unit, membership, task)
  await closeTask(tx, id, { now, why: 'by_hand' })
  const subject = { subjectKind: 'operator_task', subjectId: id } as const
  unit.audit({ ...by, act: 'task.close', ...subject, detail: { kind: task.kind } })
}

/** Books the money that the operator has returned. */
async function bookReturned(tx: Db, { paymentId, details }: OperatorTask, now: number): Promise<void> {
  const { refund, chargeRef } = details
  if (paymentId === null || chargeRef === undefined) return
  const charge = await findChargeOf(tx, { paymentId, chargeRef })
  if (charge?.isSurplus) return addSurplusPaid(tx, charge, now)
  if (!charge) return
  // A task of the time when a charge had one refund does not name it.
  for (const it of await listUnreturned(tx, charge.id))
    if (refund === undefined || refund === it.id) await addRefundPaid(tx, it, now)
}

/** Tasks after which the provider charges another amount each month. */
const recurring: ReadonlySet<TaskKind> = new Set(['stop_charges', 'change_amount', 'resume_charges'])

/** Records what the provider charges from now on, if the task was about a membership. */
async function noteChargedAmount(
  unit: PaymentUnit,
  membership: MembershipRow,
  { details }: OperatorTask,
): Promise<void> {
  if (details.recurringRef !== membership.recurringRef) return
  await setMembership(unit.tx, membership.id, { chargedAmount: details.amount ?? 0 })
  publishMembership(unit, membership)
}
