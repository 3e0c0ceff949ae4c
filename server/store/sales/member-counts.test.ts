// Numbers of joined and left members equal a plain count of the memberships.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { countMembers, foldMembershipDays } from './member-counts.ts'

const FIRST = Date.parse('2026-11-01T00:00:00+09:00')
const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('members of a time', () => {
    let world: World
    let creator: Member
    let people: Member[]
    const planIds: string[] = []
    const run = async <Row>(statement: string, values: readonly unknown[] = []) =>
      (await world.database.executeSql(statement, values)).rows as Row[]

    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await signUp(world)
      people = await Promise.all(Array.from({ length: 12 }, () => signUp(world)))
      for (const name of ['応援', '特別']) {
        const id = newId()
        planIds.push(id)
        await run(
          'insert into plans (id, creator_id, name, price, created_at) values ($1, $2, $3, 500, now())',
          [id, creator.id, name],
        )
      }
      return () => world.close()
    })

    async function join(by: Member, planId: string | undefined, joinedAt: string): Promise<string> {
      const id = newId()
      await run(
        `insert into payments (id, user_id, creator_id, kind, plan_id, amount, fee_rate, state, session_id, auth_id, created_at, expires_at)
         values ($1, $2, $3, 'plan', $4, 500, 1000, 'created', 's', 'a', now(), now())`,
        [id, by.id, creator.id, planId],
      )
      await run(
        `insert into memberships (id, user_id, creator_id, plan_id, price, state, charge_day, provider, acid, charged_amount, paid_until, joined_at)
         values ($1, $2, $3, $4, 500, 'active', 1, 'sandbox', $5, 500, now(), $6)`,
        [id, by.id, creator.id, planId, id, joinedAt],
      )
      return id
    }
    const end = (id: string, at: string | null) =>
      run(`update memberships set state = $3, ended_at = $2 where id = $1`, [
        id,
        at,
        at === null ? 'cancelling' : 'ended',
      ])

    /** From the start of the n-th day of the month, three days. */
    const range = (n: number) => ({ from: FIRST + n * DAY, to: FIRST + (n + 3) * DAY })

    /** The same counts from the memberships themselves. */
    const recounted = async ({ from, to }: { from: number; to: number }) => {
      const values = [creator.id, new Date(from).toISOString(), new Date(to).toISOString()]
      return run<object>(
        `select plan_id as "planId",
           (count(*) filter (where joined_at < $2) - count(*) filter (where ended_at < $2))::int as before,
           count(*) filter (where joined_at >= $2 and joined_at < $3)::int as joined,
           count(*) filter (where ended_at >= $2 and ended_at < $3)::int as "left"
         from memberships where creator_id = $1 and joined_at < $3 group by plan_id order by plan_id`,
        values,
      )
    }
    const counted = async (n: number) =>
      (await countMembers(world.deps.db, creator.id, range(n)))
        .map(({ planId, before, joined, left }) => ({ planId, before, joined, left }))
        .toSorted((one, other) => one.planId.localeCompare(other.planId))
    const expectSame = async () => {
      for (let n = 0; n < 14; n += 1) expect(await counted(n)).toEqual(await recounted(range(n)))
    }

    test('equal a plain count after people join, leave, come back late and change the plan at once', async () => {
      const act = async (member: Member, n: number) => {
        // At midnight in Tokyo, and a moment before.
        const at = (day: number) => new Date(range(day).from - (n % 2)).toISOString()
        const id = await join(member, planIds[n % 2], at(1 + (n % 6)))
        if (n % 3 !== 0) await end(id, at(4 + (n % 6)))
        if (n % 4 === 1) await end(id, null)
        if (n % 5 === 0) await run('update memberships set plan_id = $2 where id = $1', [id, planIds[0]])
        if (n % 3 !== 0 && n % 4 !== 1)
          await join(member, planIds[0], at(9)).then((again) => end(again, at(11)))
      }
      const fold = () => foldMembershipDays(world.deps.db)
      await Promise.all([...people.map(act), fold(), fold()])
      await expectSame()
      await fold()
      await expectSame()
      expect(await run('select 1 from membership_days where not is_folded')).toEqual([])
    })

    test('follow changes after folding, and a plan that was erased leaves no row', async () => {
      const [one] = await run<{ id: string }>('select id from memberships where ended_at is null limit 1')
      await end(defined(one?.id), new Date(range(3).from).toISOString())
      await expectSame()
      await foldMembershipDays(world.deps.db)
      await expectSame()
      const days = () => run('select 1 from membership_days where plan_id = $1', [planIds[1]])
      expect(await days()).not.toEqual([])
      await run('delete from plans where id = $1', [planIds[1]])
      await foldMembershipDays(world.deps.db)
      expect(await days()).toEqual([])
    })
  })
})
