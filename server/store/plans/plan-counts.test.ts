// The numbers of a plan equal its rows after concurrent changes.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { foldPlanCounts } from './plan-counts.ts'
import { ownPlansOf } from './plan-facts.ts'
import { joinPlan } from './plans.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('counts of a plan', () => {
    let world: World
    let creator: Member
    let people: Member[]
    let planIds: [string, string]
    const run = async (statement: string, values: readonly unknown[] = []) =>
      (await world.database.executeSql(statement, values)).rows as Record<string, unknown>[]

    beforeAll(async () => {
      world = await openWorld({ database: kind })
      people = await Promise.all(Array.from({ length: 12 }, () => signUp(world)))
      return () => world.close()
    })

    async function openPlans(): Promise<void> {
      creator = await signUp(world)
      planIds = [newId(), newId()]
      for (const id of planIds)
        await run(
          `insert into plans (id, creator_id, name, price, created_at) values ($1, $2, '応援', 500, now())`,
          [id, creator.id],
        )
    }

    /** The numbers of each plan as the creator reads them. */
    const read = async () =>
      (await ownPlansOf(world.deps.db, creator.id, world.clock.now))
        .toSorted((a, b) => planIds.indexOf(a.id) - planIds.indexOf(b.id))
        .map((it) => [it.members, it.monthlyYen])

    /** The same numbers, counted. */
    const counted = () =>
      Promise.all(
        planIds.map(async (id) => {
          const [members] = await run(
            `select count(*)::int as n from plan_members where plan_id = $1 and not is_included
               and (ends_at is null or ends_at > $2)`,
            [id, new Date(world.clock.now).toISOString()],
          )
          const [yen] = await run(
            `select coalesce(sum(price), 0)::int as n from memberships where plan_id = $1
               and state in ('active', 'past_due')`,
            [id],
          )
          return [members?.['n'], yen?.['n']]
        }),
      )

    /** A paid membership with its first payment, at this price. */
    async function pay(by: Member, planId: string, price: number): Promise<string> {
      const id = newId()
      await run(
        `insert into payments (id, user_id, creator_id, kind, plan_id, amount, fee_rate, state, session_id, auth_id, created_at, expires_at)
         values ($1, $2, $3, 'plan', $4, $5, 1000, 'created', 's', 'a', now(), now())`,
        [id, by.id, creator.id, planId, price],
      )
      await run(
        `insert into memberships (id, user_id, creator_id, plan_id, price, state, charge_day, provider, acid, charged_amount, paid_until, joined_at)
         values ($1, $2, $3, $4, $5, 'active', 1, 'sandbox', $6, $5, now() + interval '20 days', now())`,
        [id, by.id, creator.id, planId, price, id],
      )
      return id
    }

    test('equal the rows after many people join, leave, change the plan and join again at once', async () => {
      await openPlans()
      const { now } = world.clock
      const act = async (member: Member, n: number) => {
        const [first, second] = n % 2 === 0 ? planIds : [planIds[1], planIds[0]]
        await joinPlan(world.deps.db, first, member.id, now)
        if (n % 3 === 0)
          await run('update plan_members set ends_at = $3 where plan_id = $1 and user_id = $2', [
            first,
            member.id,
            new Date(n % 6 === 0 ? now + 60_000 : now).toISOString(),
          ])
        if (n % 4 === 0)
          await run('update plan_members set is_included = true where plan_id = $1 and user_id = $2', [
            first,
            member.id,
          ])
        await joinPlan(world.deps.db, second, member.id, now)
        await joinPlan(world.deps.db, first, member.id, now)
        if (n % 5 === 0) await run('delete from plan_members where user_id = $1', [member.id])
      }
      await Promise.all([...people.map(act), foldPlanCounts(world.deps.db), foldPlanCounts(world.deps.db)])
      const before = await counted()
      expect(await read()).toEqual(before)
      await foldPlanCounts(world.deps.db)
      expect(await read()).toEqual(before)
    })

    test('a member who has left is counted until the end, without any change of a row', async () => {
      await openPlans()
      const [fan] = people
      const { now } = world.clock
      await joinPlan(world.deps.db, planIds[0], defined(fan?.id), now)
      await run('update plan_members set ends_at = $2 where plan_id = $1', [
        planIds[0],
        new Date(now + 1000).toISOString(),
      ])
      expect((await read())[0]).toEqual([1, 0])
      world.clock.now += 1000
      expect((await read())[0]).toEqual([0, 0])
    })

    test('the yen of a month follow price, plan and state of each membership', async () => {
      await openPlans()
      const [one = '', two = ''] = await Promise.all(
        people.slice(0, 2).map((it, n) => pay(it, planIds[0], 500 + n * 300)),
      )
      expect(await read()).toEqual([
        [0, 1300],
        [0, 0],
      ])
      await run('update memberships set price = 900, plan_id = $2 where id = $1', [one, planIds[1]])
      await run(`update memberships set state = 'past_due' where id = $1`, [two])
      expect(await read()).toEqual([
        [0, 800],
        [0, 900],
      ])
      await run(`update memberships set state = 'cancelling' where id = $1`, [two])
      await foldPlanCounts(world.deps.db)
      expect(await read()).toEqual(await counted())
    })

    test('folding leaves one row of a plan, and none of an erased one', async () => {
      await openPlans()
      for (const it of people.slice(0, 3)) await joinPlan(world.deps.db, planIds[0], it.id, world.clock.now)
      await joinPlan(world.deps.db, planIds[1], defined(people[0]?.id), world.clock.now)
      await run('delete from plans where id = $1', [planIds[1]])
      await foldPlanCounts(world.deps.db)
      expect(
        await run('select plan_id, members from plan_count_changes where plan_id = any($1)', [planIds]),
      ).toEqual([{ plan_id: planIds[0], members: 3 }])
    })
  })
})
