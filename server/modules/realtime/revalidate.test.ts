// Revalidation of open pusher-js connections with a manual clock: expired access ends.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { personChannel, postChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { addPlan, endMembership, joinPlan } from '#server/store/plans/plans.ts'
import { addPurchase, revokePurchase } from '#server/store/posts/posts.ts'
import { closeCode, type Listener, openEcho, nextSubscription } from '#server/testing/clients/echo.ts'
import { type ManualClock, manualClock } from '#server/testing/manual-clock.ts'
import { call, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const MINUTE = 60_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('open connections', () => {
    let world: World
    let time: ManualClock
    const open: Listener[] = []
    beforeAll(async () => {
      time = manualClock()
      const { clock, every } = time
      world = await openWorld({ database: kind, listen: true, parts: { clock, every } })
    })
    afterEach(() => {
      for (const it of open.splice(0)) it.close()
    })
    afterAll(() => world.close())

    async function connect(member: Member, ...more: string[]): Promise<Listener> {
      const it = await openEcho(world, member)
      open.push(it)
      for (const channel of [personChannel(member.id), ...more]) expect(await it.join(channel)).toBe('joined')
      return it
    }
    const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
    async function planPost(author: Member, ...members: Member[]) {
      const [planId, postId] = [newId(), await publish(world, author, { type: 2 })]
      const createdAt = new Date(time.clock())
      await addPlan(world.deps.db, { id: planId, creatorId: author.id, name: '応援', price: 300, createdAt })
      await run('insert into post_plans (post_id, plan_id) values ($1, $2)', postId, planId)
      for (const it of members) await joinPlan(world.deps.db, planId, it.id, time.clock())
      return { planId, postId }
    }

    test('connections with valid access stay open', async () => {
      const [author, fan] = [await signUp(world), await signUp(world)]
      const { postId } = await planPost(author, fan)
      const listener = await connect(fan, postChannel(postId))
      await time.advance(MINUTE)
      world.deps.realtime.publish([
        { channel: postChannel(postId), event: 'likes.changed', data: { post_id: postId, likes: 1 } },
      ])
      await expect.poll(() => listener.received.length).toBe(1)
      expect(listener.pusher.connection.state).toBe('connected')
    })

    test('an expired session loses its connection, and that of another member stays open', async () => {
      const me = await signUp(world)
      const [expired, other] = [await connect(me), await connect(await signUp(world))]
      await run('update sessions set expires_at = $2 where user_id = $1', me.id, iso(time.clock() + MINUTE))
      const code = closeCode(expired)
      await time.advance(2 * MINUTE)
      expect(await code).toEqual({ code: 4009, message: 'Session ended' })
      expect(other.pusher.connection.state).toBe('connected')
    })

    test('the connections of a suspended member and of a deleted session are closed', async () => {
      const [suspended, sessionless] = [await signUp(world), await signUp(world)]
      const codes = [await connect(suspended), await connect(sessionless)].map(closeCode)
      await run('update users set suspended_at = now() where id = $1', suspended.id)
      await run('delete from sessions where user_id = $1', sessionless.id)
      await time.advance(MINUTE)
      expect((await Promise.all(codes)).map((it) => it.code)).toEqual([4009, 4009])
    })

    test('an ended membership, a refunded purchase or a suspended author ends the channel of the post, no other', async () => {
      const [author, other, fan] = [await signUp(world), await signUp(world), await signUp(world)]
      const { planId, postId } = await planPost(author, fan)
      const bought = await publish(world, author, { type: 3, price: 500 })
      await addPurchase(world.deps.db, bought, fan.id, 500, time.clock())
      const postOfSuspended = await publish(world, other)
      const readable = await publish(world, author)
      const posts = [postId, bought, postOfSuspended, readable]
      const listener = await connect(fan, ...posts.map(postChannel))
      await endMembership(world.deps.db, planId, fan.id, time.clock() + MINUTE)
      await revokePurchase(world.deps.db, bought, fan.id, time.clock())
      await run('update users set suspended_at = now() where id = $1', other.id)
      const results = [...posts.map(postChannel), personChannel(fan.id)].map((it) =>
        nextSubscription(listener, it),
      )
      const closed = closeCode(listener)
      await time.advance(2 * MINUTE)
      expect(await closed).toEqual({ code: 4200, message: 'Authorize again' })
      expect(await Promise.all(results)).toEqual([403, 403, 403, 'joined', 'joined'])
    })

    test('a post that gets a price ends its channel at once, a changed text does not', async () => {
      const author = await identify(world, await signUp(world))
      const post = await publish(world, author)
      const reader = await connect(await signUp(world), postChannel(post))
      let isClosed = false
      const closed = closeCode(reader).then((it) => ((isClosed = true), it))
      await call(world, author, 'PATCH', `/posts/${post}`, { content: '後' })
      world.deps.realtime.publish([
        { channel: postChannel(post), event: 'likes.changed', data: { post_id: post, likes: 1 } },
      ])
      await expect.poll(() => reader.received.length).toBe(1)
      expect(isClosed).toBe(false)
      const rejoined = nextSubscription(reader, postChannel(post))
      await call(world, author, 'PATCH', `/posts/${post}`, { audience: { type: 3, price: 500 } })
      expect(await closed).toEqual({ code: 4200, message: 'Authorize again' })
      expect(await rejoined).toBe(403)
    })

    test('a deleted post, a changed age setting and a requested account deletion end access at once', async () => {
      const [author, fan, leaver] = [await signUp(world), await signUp(world), await signUp(world)]
      await call(world, fan, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      const [post, adult] = [await publish(world, author), await publish(world, author, { ageLimited: true })]
      const reader = await connect(fan, postChannel(post))
      const rejoinedPost = nextSubscription(reader, postChannel(post))
      await call(world, author, 'DELETE', `/posts/${post}`)
      expect(await rejoinedPost).toBe(403)
      const adultReader = await connect(fan, postChannel(adult))
      const rejoinedAdult = nextSubscription(adultReader, postChannel(adult))
      await call(world, fan, 'PATCH', '/settings/privacy', { shows_age_limited: false })
      expect(await rejoinedAdult).toBe(403)
      const leaving = closeCode(await connect(leaver))
      await run('update sessions set validated_at = $2 where user_id = $1', leaver.id, iso(time.clock()))
      const reply = await call(world, leaver, 'POST', '/user/deletion', { reason: 'other', note: '' })
      expect([reply.statusCode, await leaving]).toEqual([200, { code: 4009, message: 'Session ended' }])
    })
  })
})

const iso = (at: number) => new Date(at).toISOString()
