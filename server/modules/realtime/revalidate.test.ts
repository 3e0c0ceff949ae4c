// What ends by time alone is taken from open connections too: a clock in hand, and real ones of pusher-js.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { personChannel, postChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/posts/plans.ts'
import { addPurchase, revokePurchase } from '#server/store/posts/posts.ts'
import { closedWith, type Listener, openEcho, rejoins } from '#server/testing/clients/echo.ts'
import { type ManualClock, manualClock } from '#server/testing/manual-clock.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('open connections', () => {
    let world: World
    let hand: ManualClock
    const open: Listener[] = []
    beforeAll(async () => {
      hand = manualClock()
      const { clock, every } = hand
      world = await openWorld({ database: kind, listen: true, parts: { clock, every } })
    })
    afterEach(() => {
      for (const it of open.splice(0)) it.close()
    })
    afterAll(() => world.close())

    async function listening(member: Member, ...more: string[]): Promise<Listener> {
      const it = await openEcho(world, member)
      open.push(it)
      for (const channel of [personChannel(member.id), ...more]) expect(await it.join(channel)).toBe('joined')
      return it
    }
    const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
    async function planPost(author: Member, ...members: Member[]) {
      const [planId, postId] = [newId(), await publish(world, author, { type: 2 })]
      const createdAt = new Date(hand.clock())
      await addPlan(world.deps.db, { id: planId, creatorId: author.id, name: '応援', price: 300, createdAt })
      await run('insert into post_plans (post_id, plan_id) values ($1, $2)', postId, planId)
      for (const it of members) await joinPlan(world.deps.db, planId, it.id, hand.clock())
      return { planId, postId }
    }

    test('nobody is disturbed as long as everything holds', async () => {
      const [author, fan] = [await signUp(world), await signUp(world)]
      const { postId } = await planPost(author, fan)
      const listener = await listening(fan, postChannel(postId))
      await hand.pass(MINUTE)
      world.deps.realtime.publish([
        { channel: postChannel(postId), event: 'likes.changed', data: { post_id: postId, likes: 1 } },
      ])
      await expect.poll(() => listener.heard.length).toBe(1)
      expect(listener.pusher.connection.state).toBe('connected')
    })

    test('a session that has run out loses its connection, somebody else’s stays', async () => {
      const me = await signUp(world)
      const [old, other] = [await listening(me), await listening(await signUp(world))]
      await run('update sessions set expires_at = $2 where user_id = $1', me.id, iso(hand.clock() + MINUTE))
      const code = closedWith(old)
      await hand.pass(2 * MINUTE)
      expect(await code).toEqual({ code: 4009, message: 'Session ended' })
      expect(other.pusher.connection.state).toBe('connected')
    })

    test('whoever was shut out, or whose session is gone without a word, hears no more', async () => {
      const [shut, forgotten] = [await signUp(world), await signUp(world)]
      const codes = [await listening(shut), await listening(forgotten)].map(closedWith)
      await run('update users set suspended_at = now() where id = $1', shut.id)
      await run('delete from sessions where user_id = $1', forgotten.id)
      await hand.pass(MINUTE)
      expect((await Promise.all(codes)).map((it) => it.code)).toEqual([4009, 4009])
    })

    test('a membership that ran out, a purchase paid back, an author shut out: the post falls silent, the rest goes on', async () => {
      const [author, other, fan] = [await signUp(world), await signUp(world), await signUp(world)]
      const { planId, postId } = await planPost(author, fan)
      const bought = await publish(world, author, { type: 3, price: 500 })
      await addPurchase(world.deps.db, bought, fan.id, 500, hand.clock())
      const lost = await publish(world, other)
      const stays = await publish(world, author)
      const posts = [postId, bought, lost, stays]
      const listener = await listening(fan, ...posts.map(postChannel))
      await endMembership(world.deps.db, planId, fan.id, hand.clock() + MINUTE)
      await revokePurchase(world.deps.db, bought, fan.id, hand.clock())
      await run('update users set suspended_at = now() where id = $1', other.id)
      const answers = [...posts.map(postChannel), personChannel(fan.id)].map((it) => rejoins(listener, it))
      const closed = closedWith(listener)
      await hand.pass(2 * MINUTE)
      expect(await closed).toEqual({ code: 4200, message: 'Authorize again' })
      expect(await Promise.all(answers)).toEqual([403, 403, 403, 'joined', 'joined'])
    })

    test('what ends by an act ends at once: a post deleted, age-limited posts chosen away, an account left', async () => {
      const [author, fan, leaver] = [await signUp(world), await signUp(world), await signUp(world)]
      await call(world, fan, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      const [post, adult] = [await publish(world, author), await publish(world, author, { ageLimited: true })]
      const deleted = await listening(fan, postChannel(post))
      const gone = rejoins(deleted, postChannel(post))
      await call(world, author, 'DELETE', `/posts/${post}`)
      expect(await gone).toBe(403)
      const careful = await listening(fan, postChannel(adult))
      const away = rejoins(careful, postChannel(adult))
      await call(world, fan, 'PATCH', '/settings/privacy', { shows_age_limited: false })
      expect(await away).toBe(403)
      const leaving = closedWith(await listening(leaver))
      await run('update sessions set validated_at = $2 where user_id = $1', leaver.id, iso(hand.clock()))
      const asked = await call(world, leaver, 'POST', '/user/deletion', { reason: 'other', note: '' })
      expect([asked.statusCode, await leaving]).toEqual([200, { code: 4009, message: 'Session ended' }])
    })
  })
})

const iso = (at: number) => new Date(at).toISOString()
