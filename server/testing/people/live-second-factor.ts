// The second factor and a recovery of a person with data in every table.
import { newId } from '#contract/ids.ts'
import type { World } from '#server/testing/world.ts'
import type { Member } from './members.ts'

export async function fillSecondFactor(
  world: World,
  { id }: Member,
  other: Member,
  trace: string,
): Promise<void> {
  const run = (statement: string, values: readonly unknown[]) => world.database.executeSql(statement, values)
  const at = new Date(world.clock.now).toISOString()
  await run(
    `insert into second_factors (user_id, sealed, created_at, confirmed_at) values ($1, $2, $3, $3)`,
    [id, trace, at],
  )
  await run(
    `insert into authority_exports (id, user_id, made_by, case_number, from_at, to_at, state, sealed, created_at)
     values ($1, $2, $3, $4, $5, $5, 'ready', $4, $5)`,
    [newId(), id, other.id, trace, at],
  )
  await run(`insert into recovery_codes (user_id, code_hash) values ($1, $2)`, [id, trace])
  await run(
    `insert into account_recoveries (id, user_id, begun_by, proof, token_hash, created_at, expires_at)
     values ($1, $2, $3, 'account_email', $4, $5, $5)`,
    [newId(), id, other.id, trace, at],
  )
}
