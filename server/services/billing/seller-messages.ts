// Emails the creator about a sale that was taken back.
import type { TakenSaleEmail } from '#server/rules/email.ts'
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'

/** Emails the creator of a sale, unless the account is deleted. */
export async function announceToSeller(
  { settings }: PaymentPorts,
  { tx, email }: PaymentUnit,
  { id: paymentId, creatorId }: PaymentRow,
  what: Pick<TakenSaleEmail, 'is' | 'amount' | 'reason'>,
): Promise<void> {
  const creator = await findUser(tx, creatorId)
  if (!creator || creator.deletedAt !== null) return
  const url = `${settings.publicUrl}/settings/sales-management`
  await email({ email: creator.email, name: creator.name }, { ...what, paymentId, url })
}
