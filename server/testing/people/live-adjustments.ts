// Adjustments about a person with data in every table.
import { newId } from '#contract/ids.ts'
import type { World } from '#server/testing/world.ts'
import type { Member } from './members.ts'

/** The person must have a payment. */
export async function fillAdjustments(
  world: World,
  person: Member,
  other: Member,
  trace: string,
): Promise<void> {
  const run = (text: string, values: readonly unknown[]) => world.database.executeSql(text, [...values])
  const at = new Date(world.clock.now).toISOString()
  const { rows } = await run('select id, amount from payments where user_id = $1 limit 1', [person.id])
  const [payment] = rows as { id: string; amount: number }[]
  if (!payment) throw new Error('the person has no payment')
  const [charge, gift] = [newId(), newId()]
  await run(
    `insert into charges (id, provider, gid, amount, payment_id, is_surplus, charged_at)
     values ($1, 'sandbox', $2, $3, $4, false, $5)`,
    [charge, newId(), payment.amount, payment.id, at],
  )
  await run(
    `insert into refunds (id, payment_id, charge_id, amount, reason, actor_id, created_at)
     values ($1, $2, $3, 1, $4, $5, $6)`,
    [newId(), payment.id, charge, trace, other.id, at],
  )
  await run(
    `insert into disputes (id, payment_id, charge_id, state, amount, fee, reason, opened_at)
     values ($1, $2, $3, 'won', 1, 0, $4, $5)`,
    [newId(), payment.id, charge, trace, at],
  )
  await run(
    `insert into fee_rates (id, creator_id, first_day, rate, reason, actor_id, created_at)
     values ($1, $2, '2026-01-01', 500, $3, $4, $5)`,
    [newId(), person.id, trace, other.id, at],
  )
  await run(
    `insert into complimentary_memberships (id, user_id, creator_id, paid, reason, actor_id, created_at, ends_at)
     values ($1, $2, $3, 0, $4, $3, $5, $5)`,
    [gift, person.id, other.id, trace, at],
  )
  await run(
    `insert into complimentary_grants (plan_id, user_id, complimentary_id, joined_at, ends_at, is_included)
     select id, $1, $2, $3, $3, false from plans limit 1`,
    [person.id, gift, at],
  )
  // As an admin: the row is no text about this person.
  await run(
    `insert into settlements (id, day, received, fee, reference, actor_id, recorded_at)
     values ($1, '2026-01-01', 1, 0, '', $2, $3)`,
    [newId(), person.id, at],
  )
}
