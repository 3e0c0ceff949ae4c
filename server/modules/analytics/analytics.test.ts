// Readings of posts: what counts, once for whom, and when it is shown.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DayNumbers, getAnalytics } from '#contract/analytics/analytics.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { newId } from '#contract/ids.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { pricedPost, releasedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { foldDueReadings } from './fold.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
/** 09:00 in Asia/Tokyo. */
const MORNING = Date.parse('2026-11-26T00:00:00Z')

const open = [
  ['content', 'こんにちは'],
  ['type', '1'],
] as const

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('analytics', () => {
    let world: World
    let creator: Member
    let readers: Member[]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      readers = []
      for (let i = 0; i < 6; i++) readers.push(await signUp(world))
      return () => world.close()
    })
    beforeEach(async () => {
      world.clock.now = MORNING
      creator = await identify(world, await signUp(world))
    })

    const report = (by: Member | null, postId: string, what = 'opened') =>
      call(world, by, 'POST', `/posts/${postId}/readings`, { what })
    const read = async (by = creator, days = 7) =>
      (await call(world, by, 'GET', `/analytics?days=${days}`)).json<ReplyOf<typeof getAnalytics>>()
    const stored = (postId: string) =>
      rowsOf<{ kind: string; user_id: string; day: string }>(
        world,
        'select kind, user_id, day::text as day from post_readings where post_id = $1 order by day, kind, user_id',
        [postId],
      )
    const dayOf = async (day: string): Promise<DayNumbers | undefined> =>
      (await read()).days.find((it) => it.day === day)
    const later = async (ms: number) => {
      world.clock.now = MORNING + ms
      await foldDueReadings(world.deps)
    }

    test('a person is counted once a day, however often they report, and by every device at once', async () => {
      const id = await releasedPost(world, creator, open)
      await Promise.all(Array.from({ length: 5 }, () => report(readers[0] ?? null, id)))
      expect(await stored(id)).toEqual([{ kind: 'view', user_id: readers[0]?.id, day: '2026-11-26' }])
      world.clock.now = MORNING + 15 * HOUR
      await report(readers[0] ?? null, id)
      expect((await stored(id)).map((it) => it.day)).toEqual(['2026-11-26', '2026-11-27'])
    })

    test('the author is never counted; hidden posts are not_found, and visitors unauthenticated', async () => {
      const id = await releasedPost(world, creator, open)
      expect((await report(creator, id)).json()).toEqual({ received: true })
      const blocked = await signUp(world)
      await call(world, creator, 'PUT', `/blocks/${blocked.id}`)
      expect(errorOf(await report(blocked, id)).code).toBe('not_found')
      expect(errorOf(await report(readers[0] ?? null, newId())).code).toBe('not_found')
      expect(errorOf(await report(null, id)).code).toBe('unauthenticated')
      expect(errorOf(await report(readers[0] ?? null, id, 'liked')).code).toBe('invalid')
      expect(await stored(id)).toEqual([])
    })

    test('a closed post is a gate, and a view after it was bought; without a video nothing is watched', async () => {
      const id = await pricedPost(world, creator)
      const [buyer] = readers
      if (!buyer) throw new Error('there is no buyer')
      await report(buyer, id)
      await report(buyer, id, 'watched')
      expect((await stored(id)).map((it) => it.kind)).toEqual(['gate'])
      await buy(world, buyer, id)
      await report(buyer, id)
      await report(buyer, id, 'watched')
      expect((await stored(id)).map((it) => it.kind)).toEqual(['gate', 'view'])
      await later(3 * DAY)
      expect(await dayOf('2026-11-26')).toMatchObject({ purchases: 1, gates: { count: 1, is_few: true } })
    })

    test('a day is shown once it has been over for 24 hours, and then nothing says who has read', async () => {
      const id = await releasedPost(world, creator, open)
      for (const it of readers) await report(it, id)
      // The day ends after 15 hours.
      await later(15 * HOUR + DAY - 1)
      expect((await read()).days.at(-1)?.day).toBe('2026-11-25')
      expect(await stored(id)).toHaveLength(6)
      await later(15 * HOUR + DAY)
      expect(await dayOf('2026-11-26')).toMatchObject({ views: { count: 6, is_few: false } })
      expect(await stored(id)).toEqual([])
      // Repeated, it changes nothing.
      await later(15 * HOUR + DAY)
      expect((await dayOf('2026-11-26'))?.views.count).toBe(6)
    })

    test('from one to four readers the number is neither shown nor stored', async () => {
      const id = await releasedPost(world, creator, open)
      for (const it of readers.slice(0, 4)) await report(it, id)
      await later(3 * DAY)
      expect((await dayOf('2026-11-26'))?.views).toEqual({ count: 1, is_few: true })
      expect(await rowsOf(world, 'select views from post_days where post_id = $1', [id])).toEqual([
        { views: 1 },
      ])
    })

    test('a sum over posts gives no few number away', async () => {
      const [many, few] = [await releasedPost(world, creator, open), await releasedPost(world, creator, open)]
      for (const it of readers) await report(it, many)
      for (const it of readers.slice(0, 3)) await report(it, few)
      await later(3 * DAY)
      const { total, top } = await read()
      expect(total.views).toEqual({ count: 7, is_few: true })
      expect(top.map((it) => [it.post.id, it.views])).toEqual([
        [many, { count: 6, is_few: false }],
        [few, { count: 1, is_few: true }],
      ])
    })

    test('likes and comments are exact, on their days in Tokyo', async () => {
      const id = await releasedPost(world, creator, open)
      for (const it of readers.slice(0, 2)) await call(world, it, 'PUT', `/posts/${id}/like`)
      await call(world, readers[0] ?? null, 'POST', `/posts/${id}/comments`, {
        id: newId(),
        content: 'いいですね',
        parent_id: null,
      })
      await later(3 * DAY)
      expect(await dayOf('2026-11-26')).toMatchObject({ likes: 2, comments: 1, views: { count: 0 } })
    })

    test('a post has its own numbers, for its author alone', async () => {
      const [id, other] = [await releasedPost(world, creator, open), await releasedPost(world, creator, open)]
      for (const it of readers) await report(it, id)
      await report(readers[0] ?? null, other)
      await later(3 * DAY)
      const path = `/analytics/posts/${id}?days=7`
      const reply = (await call(world, creator, 'GET', path)).json()
      expect(reply).toMatchObject({
        post: { id, excerpt: 'こんにちは', type: 1, has_video: false },
        total: { views: { count: 6, is_few: false } },
      })
      expect(reply.days).toHaveLength(7)
      expect(errorOf(await call(world, readers[0] ?? null, 'GET', path)).code).toBe('not_found')
      await call(world, creator, 'DELETE', `/posts/${id}`)
      expect(errorOf(await call(world, creator, 'GET', path)).code).toBe('not_found')
      expect((await read()).total.views).toEqual({ count: 1, is_few: true })
    })

    test('a person without posts has none, and a period of other days is refused', async () => {
      const reply = await read(await signUp(world), 90)
      expect([reply.has_posts, reply.top, reply.days.length]).toEqual([false, [], 90])
      expect(errorOf(await call(world, creator, 'GET', '/analytics?days=8')).code).toBe('invalid')
      expect(errorOf(await call(world, null, 'GET', '/analytics')).code).toBe('unauthenticated')
    })
  })
})
