// Closes a task done by hand, and books the money that was returned.
import { refundPaidLines } from '#server/rules/money/ledger.ts'
import { writeAudit } from '#server/store/accounts/audit.ts'
import { findChargeByGid } from '#server/store/payments/charges.ts'
import { addEntryOnce } from '#server/store/payments/ledger.ts'
import { closeTask, lockOpenTask } from '#server/store/payments/operator-tasks.ts'
import type { PaymentPorts } from './ports.ts'
import type { RefundedBy } from './refund.ts'

/**
 * Closes an open task. For a refund, the provider no longer owes the amount to the platform.
 * @returns false when the task does not exist or is closed
 */
export function closeTaskByHand(ports: PaymentPorts, id: string, by: RefundedBy): Promise<boolean> {
  const { transaction, clock, paymentProvider: provider } = ports
  return transaction(async ({ tx }) => {
    const task = await lockOpenTask(tx, id)
    if (!task) return false
    const now = clock()
    if (task.kind === 'refund' || task.kind === 'refund_surplus') {
      const charge = await findChargeByGid(tx, provider?.name ?? '', String(task.details['gid'] ?? ''))
      if (charge) await addEntryOnce(tx, 'refund_paid', charge.id, refundPaidLines(charge.amount), now)
    }
    await closeTask(tx, id, now)
    const subject = { subjectKind: 'operator_task', subjectId: id } as const
    await writeAudit(tx, { ...by, act: 'task.close', ...subject, detail: { kind: task.kind } }, now)
    return true
  })
}
