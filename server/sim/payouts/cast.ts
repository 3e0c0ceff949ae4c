// The creator and the admins of one story of payouts, and their end.
import { newId } from '#contract/ids.ts'
import { addMember } from '#server/sim/cast.ts'
import { addPostOnce } from '#server/store/posts/posts.ts'
import { identify } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import type { PayoutCast } from './story.ts'

/** Price of what is sold, yen. */
export const PRICE = 3000

export async function payoutCastOf(world: World): Promise<PayoutCast> {
  const { deps, database, clock } = world
  const creator = await identify(world, await addMember(world))
  const admins = [await addMember(world), await addMember(world)]
  for (const { id } of admins)
    await database.executeSql(`update users set role = 'admin' where id = $1`, [id])
  const postId = newId()
  const fixed = { idempotencyKey: null, type: 3, content: '有料', isAgeLimited: false } as const
  await addPostOnce(deps.db, { ...fixed, id: postId, authorId: creator.id, price: PRICE }, clock.now)
  await database.executeSql('update posts set released_at = $2 where id = $1', [
    postId,
    new Date(clock.now).toISOString(),
  ])
  return { creator, admins, postId }
}

/** Ends what could change a later story of the same database. */
export async function dismiss({ database }: World, { creator, admins }: PayoutCast): Promise<void> {
  // A trigger keeps the account of a person who left with money.
  await database.executeSql('delete from departed_payees where user_id = $1', [creator.id])
  await database.executeSql('delete from bank_accounts where user_id = $1', [creator.id])
  for (const { id } of admins)
    await database.executeSql(`update users set role = 'member' where id = $1`, [id])
}
