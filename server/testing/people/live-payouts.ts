// The bank account and payouts of a person with data in every table.
import type { World } from '#server/testing/world.ts'
import type { Member } from './members.ts'

export async function fillPayouts(world: World, person: Member, trace: string): Promise<void> {
  await world.database.executeSql(
    `insert into bank_accounts (user_id, bank_code, branch_code, type, last_digits, sealed, name_check, changed_at)
     values ($1, '0001', '001', '1', '123', $2, 'same', $3)`,
    [person.id, trace, new Date(world.clock.now).toISOString()],
  )
  await world.database.executeSql('insert into payout_settings (user_id, automatic) values ($1, false)', [
    person.id,
  ])
}
