// Likes over HTTP: idempotence, access, and exact counts under concurrency.
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
    const likeStateFor = async (as: Member | null, post: string) => {
      const { counts, liked } = (await call(world, as, 'GET', `/posts/${post}`)).json()
      return { likes: counts.likes, liked }
    }

    test('a repeated like counts once, and other members see the count', async () => {
      const post = await publish(world, author)
      expect((await like(fan, post)).json()).toMatchObject({ data: { liked: true, likes: 1 } })
      expect((await like(fan, post)).json()).toMatchObject({ data: { liked: true, likes: 1 } })
      expect(await likeStateFor(fan, post)).toEqual({ likes: 1, liked: true })
      expect(await likeStateFor(author, post)).toEqual({ likes: 1, liked: false })
      expect((await unlike(fan, post)).json()).toMatchObject({ data: { liked: false, likes: 0 } })
      expect((await unlike(fan, post)).json()).toMatchObject({ data: { liked: false, likes: 0 } })
    })

    test('a like without a session is unauthenticated', async () => {
      const reply = await like(null, await publish(world, author))
      expect([reply.statusCode, errorOf(reply).code]).toEqual([401, 'unauthenticated'])
    })

    test('a previewed post cannot be liked, and an unreleased, unknown or blocked one is not found', async () => {
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

    test('a like is removed even when its post is no longer accessible', async () => {
      const other = await signUp(world)
      const post = await publish(world, author)
      await like(other, post)
      await addBlock(world.deps.db, author.id, other.id, world.clock.now)
      expect(errorOf(await unlike(other, post)).code).toBe('not_found')
      expect(await likeStateFor(fan, post)).toEqual({ likes: 0, liked: false })
    })

    test('of simultaneous likes the reply with the later version has the number of the later moment', async () => {
      const post = await publish(world, author)
      const members = await Promise.all(Array.from({ length: 8 }, () => signUp(world)))
      const replies = await Promise.all(members.map(async (as) => (await like(as, post)).json().data))
      const later = (await unlike(members[0] ?? fan, post)).json().data
      expect(later).toMatchObject({ liked: false, likes: 7, comments: 0 })
      const inOrder = replies.toSorted((a, b) => a.version - b.version)
      // Each like makes a version, and the first one is of the first like.
      for (const it of inOrder) expect(it.version).toBe(it.likes)
      expect(later.version).toBe(9)
      expect((await call(world, fan, 'GET', `/posts/${post}`)).json().counts).toEqual({
        likes: 7,
        comments: 0,
        version: 9,
      })
    })

    // PGlite has one connection, so requests run one after another: a hundred are enough.
    const requests = kind === 'postgres' ? 1000 : 100
    test(`${requests} concurrent likes and unlikes leave a count equal to the number of rows`, async () => {
      const post = await publish(world, author)
      const members = await Promise.all(Array.from({ length: 10 }, () => signUp(world)))
      await Promise.all(
        Array.from({ length: requests }, (_, i) => {
          const as = members[(i * 7) % 10] ?? fan
          return i % 3 === 2 ? unlike(as, post) : like(as, post)
        }),
      )
      // Sets a known final state: six members like the post.
      for (const as of members.slice(0, 6)) await like(as, post)
      for (const as of members.slice(6)) await unlike(as, post)
      const { rows } = await world.database.executeSql(
        'select count(*)::int as n from post_likes where post_id = $1',
        [post],
      )
      expect(rows).toEqual([{ n: 6 }])
      expect(await likeStateFor(members[0] ?? fan, post)).toEqual({ likes: 6, liked: true })
    }, 180_000)
  })
})
