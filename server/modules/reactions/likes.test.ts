// Likes over HTTP: once each, only of what one sees in full, and counted right however many come at once.
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('likes', () => {
    let world: World
    let author: Member
    let fan: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      author = await signUp(world)
      fan = await signUp(world)
      return () => world.close()
    })

    const like = (as: Member | null, post: string) => call(world, as, 'PUT', `/posts/${post}/like`)
    const unlike = (as: Member | null, post: string) => call(world, as, 'DELETE', `/posts/${post}/like`)
    const seen = async (as: Member | null, post: string) => {
      const { counts, liked } = (await call(world, as, 'GET', `/posts/${post}`)).json()
      return { likes: counts.likes, liked }
    }

    test('liking twice is liking once, and others see how many like it', async () => {
      const post = await publish(world, author)
      expect((await like(fan, post)).json()).toEqual({ data: { liked: true, likes: 1 } })
      expect((await like(fan, post)).json()).toEqual({ data: { liked: true, likes: 1 } })
      expect(await seen(fan, post)).toEqual({ likes: 1, liked: true })
      expect(await seen(author, post)).toEqual({ likes: 1, liked: false })
      expect((await unlike(fan, post)).json()).toEqual({ data: { liked: false, likes: 0 } })
      expect((await unlike(fan, post)).json()).toEqual({ data: { liked: false, likes: 0 } })
    })

    test('a visitor is asked to sign in', async () => {
      const reply = await like(null, await publish(world, author))
      expect([reply.statusCode, errorOf(reply).code]).toEqual([401, 'unauthenticated'])
    })

    test('what one sees a preview of is not for liking, what one may not know of is not there', async () => {
      const paid = await publish(world, author, { type: 3, price: 300 })
      const draft = await publish(world, author, { released: false })
      expect(errorOf(await like(fan, paid)).code).toBe('forbidden')
      expect(errorOf(await like(fan, draft)).code).toBe('not_found')
      expect(errorOf(await like(author, draft)).code).toBe('not_found')
      expect(errorOf(await like(fan, newId())).code).toBe('not_found')
      const other = await signUp(world)
      const post = await publish(world, author)
      await addBlock(world.deps.db, other.id, author.id, world.clock.now)
      expect(errorOf(await like(other, post)).code).toBe('not_found')
    })

    test('a like can be taken back when its post is out of reach', async () => {
      const other = await signUp(world)
      const post = await publish(world, author)
      await like(other, post)
      await addBlock(world.deps.db, author.id, other.id, world.clock.now)
      expect(errorOf(await unlike(other, post)).code).toBe('not_found')
      expect(await seen(fan, post)).toEqual({ likes: 0, liked: false })
    })

    // One connection answers one after the other: a hundred say as much there.
    const presses = kind === 'postgres' ? 1000 : 100
    test(`${presses} presses of many at once leave as many likes as there are rows`, async () => {
      const post = await publish(world, author)
      const crowd = await Promise.all(Array.from({ length: 10 }, () => signUp(world)))
      await Promise.all(
        Array.from({ length: presses }, (_, i) => {
          const as = crowd[(i * 7) % 10] ?? fan
          return i % 3 === 2 ? unlike(as, post) : like(as, post)
        }),
      )
      // The last actor is removed from the list, so enough others must be left.
      for (const as of crowd.slice(0, 6)) await like(as, post)
      for (const as of crowd.slice(6)) await unlike(as, post)
      const { rows } = await world.database.executeSql(
        'select count(*)::int as n from post_likes where post_id = $1',
        [post],
      )
      expect(rows).toEqual([{ n: 6 }])
      expect(await seen(crowd[0] ?? fan, post)).toEqual({ likes: 6, liked: true })
    }, 180_000)
  })
})
