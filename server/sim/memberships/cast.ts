// Makes the people and plans of one story of memberships, and removes what they left.
import { newId } from '#contract/ids.ts'
import type { Random } from '#contract/testing/random.ts'
import { type Fan, addMember } from '#server/sim/cast.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { identify, type Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { noteOffer, type SoldPlan } from './story.ts'

export interface Club {
  readonly creator: Member
  readonly fans: readonly Fan[]
  readonly plans: SoldPlan[]
}

export async function clubOf(world: World, random: Random): Promise<Club> {
  const { deps, clock } = world
  const creator = await identify(world, await addMember(world))
  const fans: Fan[] = []
  for (let n = 0; n < 2; n++) fans.push({ member: await addMember(world), blocks: false, isBlocked: false })
  const plans: SoldPlan[] = []
  for (const price of [500, 980]) {
    const offer = { opensCheaper: random.chance(0.7), memberLimit: random.chance(0.25) ? 1 : null }
    const plan: SoldPlan = { ...offer, id: newId(), price, acceptsMembers: true, endsAt: null, history: [] }
    noteOffer(plan, 0)
    const { endsAt: _, history: __, ...columns } = plan
    const createdAt = new Date(clock.now)
    await addPlan(deps.db, { ...columns, creatorId: creator.id, name: 'プラン', createdAt })
    plans.push(plan)
  }
  return { creator, fans, plans }
}

/** Ends everything of a story, so that sweeps of later ones find nothing of it. */
export async function disband({ database }: World, { creator, fans }: Club): Promise<void> {
  const ids = [creator.id, ...fans.map((it) => it.member.id)]
  const run = (text: string) => database.executeSql(text, [`{${ids.join(',')}}`])
  await database.executeSql(`update pgboss.job set state = 'completed' where state = 'created'`)
  await run(`delete from deletions where user_id = any($1::uuid[])`)
  await run(`update payments set state = 'expired' where state = 'pending' and user_id = any($1::uuid[])`)
  await run(`update memberships set state = 'ended', charged_amount = 0, why = coalesce(why, 'cancelled'),
    ended_at = coalesce(ended_at, paid_until) where user_id = any($1::uuid[])`)
  await run(`update plan_members g set ends_at = m.ended_at from memberships m
    where m.id = g.membership_id and m.user_id = any($1::uuid[]) and g.ends_at is null`)
}
