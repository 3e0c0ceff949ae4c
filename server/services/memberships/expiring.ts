// Tells members that their card can be charged to the end of this month.
import { cardIsExpiring } from '#server/rules/money/card-month.ts'
import { monthOf } from '#server/rules/money/periods.ts'
import type { PaymentPorts } from '#server/services/payments/ports.ts'
import {
  listExpiring,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { announceExpiring } from './messages.ts'

/** Memberships of one sweep. */
const MOST = 1000

/** Whether a membership is charged next after the last month of its card has begun. */
export const isExpiring = ({ cardExpires, state }: MembershipRow, now: number): boolean =>
  (state === 'active' || state === 'past_due') && cardExpires !== null && cardIsExpiring(cardExpires, now)

/** Hourly: emails each member once about a card of which a month, or less, is left. */
export async function tellExpiring(ports: PaymentPorts): Promise<void> {
  const { db, transaction, clock, settings } = ports
  for (const id of await listExpiring(db, monthOf(clock()), MOST))
    await transaction(async (unit) => {
      const row = await lockMembership(unit.tx, id)
      if (!row || row.cardExpires === row.cardTold || !isExpiring(row, clock())) return
      await announceExpiring(unit, row, { publicUrl: settings.publicUrl })
      await setMembership(unit.tx, id, { cardTold: row.cardExpires })
    })
}
