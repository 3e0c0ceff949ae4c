// The end of a member's access to a plan post, in replies with the post.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a plan post', () => {
    let world: World
    let author: Member
    let fan: Member
    let postId: string
    let plans: string[]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    beforeEach(async () => {
      ;[author, fan] = [await signUp(world), await signUp(world)]
      postId = await publish(world, author, { type: 2 })
      plans = [newId(), newId(), newId()]
      for (const id of plans) {
        const createdAt = new Date(world.clock.now)
        await addPlan(world.deps.db, { id, creatorId: author.id, name: '応援', price: 300, createdAt })
        await world.database.executeSql('insert into post_plans (post_id, plan_id) values ($1, $2)', [
          postId,
          id,
        ])
      }
    })
    afterAll(() => world.close())

    const join = (id = '') => joinPlan(world.deps.db, id, fan.id, world.clock.now)
    const end = (id = '', at = 0) => endMembership(world.deps.db, id, fan.id, at)
    async function access(as: Member): Promise<PostView['access']> {
      const reply = await call(world, as, 'GET', `/posts/${postId}`)
      return reply.json<PostView>().access
    }

    test('has no end of access while a membership continues', async () => {
      await join(plans[0])
      expect(await access(fan)).toMatchObject({ is: 'full' })
      expect(await access(fan)).not.toHaveProperty('until')
      await join(plans[1])
      await end(plans[0], world.clock.now + HOUR)
      expect(await access(fan)).not.toHaveProperty('until')
    })

    test('has the end of the last membership as end of access, and is a preview from then on', async () => {
      for (const id of plans.slice(0, 2)) await join(id)
      const [first, last] = [world.clock.now + HOUR, world.clock.now + 2 * HOUR]
      await end(plans[0], last)
      await end(plans[1], first)
      expect(await access(fan)).toMatchObject({ is: 'full', until: new Date(last).toISOString() })
      world.clock.now = last
      expect(await access(fan)).toMatchObject({ is: 'preview', wants: 'plan' })
    })

    test('has no end of access for its author', async () => {
      expect(await access(author)).not.toHaveProperty('until')
    })
  })
})
