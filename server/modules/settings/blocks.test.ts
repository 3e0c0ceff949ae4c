// Blocks: the list by pages, and posts hidden in both directions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addPost, call, errorOf, type Member, postIdOf, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('blocks', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())

    const block = (by: Member, id: string) => call(world, by, 'PUT', `/blocks/${id}`)
    const published = async (by: Member, fields: [string, string][] = [['type', '1']]) => {
      const id = postIdOf(await addPost(world, by, [['content', 'こんにちは'], ...fields], newId()))
      await call(world, by, 'POST', `/post/release-uploaded/${id}`)
      return id
    }
    const seen = async (id: string, by: Member | null) =>
      (await call(world, by, 'GET', `/posts/${id}`)).statusCode

    test('the pages of the list have each blocked person once, the latest first', async () => {
      const member = await signUp(world)
      const blocked: string[] = []
      for (let n = 0; n < 35; n++) {
        const other = await signUp(world)
        world.clock.now += 1000
        await block(member, other.id)
        blocked.unshift(other.id)
      }
      const first = (await call(world, member, 'GET', '/blocks')).json()
      const second = (await call(world, member, 'GET', `/blocks?cursor=${first.next}`)).json()
      expect([first.people.length, second.people.length, second.next]).toEqual([30, 5, null])
      expect([...first.people, ...second.people].map((it: { id: string }) => it.id)).toEqual(blocked)
    })

    test('neither of two members sees the other’s posts until the block is removed', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      const [ofOne, ofOther] = [await published(one), await published(other)]
      await block(one, other.id)
      expect([await seen(ofOther, one), await seen(ofOne, other)]).toEqual([404, 404])
      const feed = (await call(world, other, 'GET', `/posts?author=${one.id}`)).json()
      expect(feed.posts).toEqual([])
      expect([await seen(ofOne, one), await seen(ofOne, await signUp(world))]).toEqual([200, 200])
      const reply = await call(world, one, 'DELETE', `/blocks/${other.id}`)
      expect(reply.json()).toEqual({ data: { user_id: other.id, blocked: false } })
      expect([await seen(ofOther, one), await seen(ofOne, other)]).toEqual([200, 200])
    })

    test('a second block changes nothing, and the blocked member cannot remove it', async () => {
      const [one, other] = [await signUp(world), await signUp(world)]
      await block(one, other.id)
      expect((await block(one, other.id)).statusCode).toBe(200)
      await call(world, other, 'DELETE', `/blocks/${one.id}`)
      const { people } = (await call(world, one, 'GET', '/blocks')).json()
      expect(people).toMatchObject([{ id: other.id }])
    })

    test('blocking oneself is a conflict, and blocking an unknown person is not_found', async () => {
      const member = await signUp(world)
      expect(errorOf(await block(member, member.id)).code).toBe('conflict')
      expect(errorOf(await block(member, newId())).code).toBe('not_found')
    })

    test('an invented cursor is refused', async () => {
      const reply = await call(world, await signUp(world), 'GET', '/blocks?cursor=abc')
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields: { cursor: 'malformed' } })
    })

    test('an age-limited post is a preview until its reader allows such posts; its author sees it', async () => {
      const [author, reader] = [await signUp(world), await signUp(world)]
      const id = await published(author, [
        ['type', '1'],
        ['is_age_limited', '1'],
      ])
      const access = async (by: Member) => (await call(world, by, 'GET', `/posts/${id}`)).json().access
      expect(await access(reader)).toMatchObject({ is: 'preview', wants: 'age' })
      expect(await access(author)).toMatchObject({ is: 'full' })
      await call(world, reader, 'PATCH', '/settings/privacy', { shows_age_limited: true })
      expect(await access(reader)).toMatchObject({ is: 'full', content: 'こんにちは' })
    })
  })
})
