// The bank account, payouts and seller's data of a person with data in every table.
import { sealAddressee } from '#server/services/documents/sealed-issue.ts'
import type { World } from '#server/testing/world.ts'
import type { Member } from './members.ts'

export async function fillPayouts(world: World, person: Member, other: Member, trace: string): Promise<void> {
  await world.database.executeSql(
    `insert into bank_accounts (user_id, bank_code, branch_code, type, last_digits, sealed, name_check, changed_at, residence, residence_at)
     values ($1, '0001', '001', '1', '123', $2, 'same', $3, 'abroad', $3)`,
    [person.id, trace, new Date(world.clock.now).toISOString()],
  )
  await world.database.executeSql('insert into payout_settings (user_id, automatic) values ($1, false)', [
    person.id,
  ])
  const now = new Date(world.clock.now).toISOString()
  await world.database.executeSql(
    `insert into sellers (user_id, display, sealed, stored_at) values ($1, 'on_request', $2, $3)`,
    [person.id, trace, now],
  )
  for (const [from, to] of [
    [person.id, other.id],
    [other.id, person.id],
  ])
    for (const answeredAt of [null, now])
      await world.database.executeSql(
        `insert into seller_requests (id, creator_id, requester_id, reason, requested_at, due_at, answered_at, note)
         values (gen_random_uuid(), $1, $2, $3, $4, $4, $5, $3)`,
        [to, from, from === person.id ? trace : '', now, answeredAt],
      )
  await world.database.executeSql(
    `insert into statements (id, creator_id, month, number, opening, closing, plans, posts, refunds, fee, fee_tax, net, paid_out,
      issuer, issuer_number, issued_at)
     values (gen_random_uuid(), $1, '2020-01', 'S-202001-000001', 0, 0, 0, 0, 0, 0, 0, 0, 0, '', '', $2)`,
    [person.id, now],
  )
  const { rows } = await world.database.executeSql('select id from statements where creator_id = $1', [
    person.id,
  ])
  for (const { id } of rows as { id: string }[])
    await world.database.executeSql(
      'insert into statement_addressees (statement_id, creator_id, sealed, issued_at) values ($1, $2, $3, $4)',
      [id, person.id, sealAddressee(world.deps, id, '海野 花'), now],
    )
}
