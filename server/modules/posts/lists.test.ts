// The list of released posts: newest first, by cursor, without text that is gated.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  postIdOf,
  identify,
  signUp,
} from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

interface Page {
  posts: PostView[]
  next: string | null
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the list of posts', () => {
    let world: World
    let creator: Member
    let expected: string[]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await identify(world, await signUp(world))
      const ids: string[] = []
      for (let i = 0; i < 45; i++) {
        // Three posts share each time, so that their ids decide the order.
        if (i % 3 === 0) world.clock.now += 1000
        ids.push(
          postIdOf(
            await addPost(world, creator, [
              ['content', `${i}`],
              ['type', '1'],
            ]),
          ),
        )
      }
      for (const [i, id] of ids.entries()) {
        if (i % 3 === 0) world.clock.now += 1000
        await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
      }
      const released = ids.map((id, i) => ({ id, at: Math.floor(i / 3) }))
      expected = released.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map((it) => it.id)
    })
    afterAll(() => world.close())

    const page = async (query: string, as = creator) =>
      (await call(world, as, 'GET', `/posts${query}`)).json<Page>()

    test('has each post once, newest first, on a page of ten and then pages of twenty posts', async () => {
      const pages: string[][] = []
      for (let next: string | null = ''; next !== null;) {
        const it = await page(next === '' ? '' : `?cursor=${encodeURIComponent(next)}`)
        pages.push(it.posts.map((post) => post.id))
        next = it.next
      }
      expect(pages.map((it) => it.length)).toEqual([10, 20, 15])
      expect(pages.flat()).toEqual(expected)
    })

    test('a post released between two pages does not shift the next page', async () => {
      const first = await page('')
      const late = postIdOf(
        await addPost(world, creator, [
          ['content', '新しい'],
          ['type', '1'],
        ]),
      )
      world.clock.now += 1000
      await call(world, creator, 'POST', `/post/release-uploaded/${late}`)
      const second = await page(`?cursor=${first.next}`)
      expect(second.posts.map((it) => it.id)).toEqual(expected.slice(10, 30))
      await world.database.executeSql('update posts set deleted_at = now() where id = $1', [late])
    })

    test('has only the posts of the requested author', async () => {
      const other = await signUp(world)
      const id = postIdOf(
        await addPost(world, other, [
          ['content', 'ひとつ'],
          ['type', '1'],
        ]),
      )
      world.clock.now += 1000
      await call(world, other, 'POST', `/post/release-uploaded/${id}`)
      expect((await page(`?author=${other.id}`)).posts.map((it) => it.id)).toEqual([id])
      expect((await call(world, creator, 'GET', `/users/${other.id}`)).json()).toMatchObject({
        post_count: 1,
        bio: '',
      })
      await world.database.executeSql('update posts set deleted_at = now() where id = $1', [id])
    })

    test('an unreleased post is in no list, not even that of its author', async () => {
      const unreleased = postIdOf(
        await addPost(world, creator, [
          ['content', '下書き'],
          ['type', '1'],
        ]),
      )
      for (const as of [await signUp(world), creator]) {
        const { posts } = await page(`?author=${creator.id}`, as)
        expect(posts.map((it) => it.id)).not.toContain(unreleased)
      }
    })

    test('a gated post is listed without its text', async () => {
      const secret = 'ひみつの本文'
      const id = postIdOf(
        await addPost(world, creator, [
          ['content', secret],
          ['type', '3'],
          ['price', '300'],
        ]),
      )
      world.clock.now += 1000
      await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
      const reply = await call(world, await signUp(world), 'GET', '/posts')
      expect(reply.json<Page>().posts[0]).toMatchObject({
        id,
        access: { is: 'preview', wants: 'purchase', price: 300 },
      })
      expect(reply.body).not.toContain(secret)
    })

    test.each(['x', 'W10', Buffer.from('["2026-01-01","x"]').toString('base64url')])(
      'the cursor %s is malformed',
      async (cursor) => {
        const reply = await call(world, creator, 'GET', `/posts?cursor=${cursor}`)
        expect([reply.statusCode, errorOf(reply)]).toEqual([
          422,
          { code: 'invalid', fields: { cursor: 'malformed' } },
        ])
      },
    )
  })
})
