// Age-limited films that are sold: declared by their author, or held until then.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { FILM_DECLARATION } from '#contract/posts/film-declaration.ts'
import { noLimits } from '#server/http/limits.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  identify,
  type Member,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { notificationsOf } from '#server/testing/people/notified.ts'
import { fixture } from '#server/testing/pictures.ts'
import { fanOutPosts } from '#server/testing/moderation/jobs.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

type Field = readonly [string, FormValue]
const declared: Field = ['film_declaration', String(FILM_DECLARATION)]
const priced: readonly Field[] = [
  ['type', '3'],
  ['price', '500'],
]
const ageLimited: Field = ['is_age_limited', '1']
const open: readonly Field[] = [['type', '1']]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an age-limited film', () => {
    let world: World
    let author: Member
    let follower: Member
    const desk = deskIn(() => world)
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
      return () => world.close()
    })
    beforeEach(async () => {
      world.clock.now += 1000
      await desk.run('delete from blocked_words', [])
      author = await signUp(world)
      follower = await signUp(world)
      await identify(world, author)
      await call(world, follower, 'PUT', `/follows/${author.id}`)
      await call(world, follower, 'PUT', '/settings/privacy', { shows_age_limited: true })
      await fanOutPosts(world)
    })

    const add = async (fields: readonly Field[], content = '海辺の一日') =>
      addPost(
        world,
        author,
        [
          ['content', content],
          ...(fields.some(([name]) => name === 'is_age_limited') ? [] : [ageLimited]),
          ['has_video_file', await upload(world, author, fixture('h264.mp4'), 'a.mp4')],
          ...fields,
        ],
        newId(),
      )
    const publish = async (fields: readonly Field[], content?: string): Promise<string> => {
      const id = postIdOf(await add(fields, content))
      const released = await call(world, author, 'POST', `/post/release-uploaded/${id}`)
      expect(released.statusCode).toBe(200)
      return id
    }
    const heldOf = async (id: string) =>
      (await call(world, author, 'GET', `/posts/${id}`)).json().held?.reason ?? null
    const isSeen = async (id: string) =>
      (await call(world, follower, 'GET', `/posts/${id}`)).statusCode === 200
    const declare = (id: string, as: Member = author, version = FILM_DECLARATION) =>
      call(world, as, 'PUT', `/posts/${id}/film-declaration`, { version })
    const sell = (id: string, more: object = {}) =>
      call(world, author, 'PATCH', `/posts/${id}`, { audience: { type: 3, price: 500 }, ...more })

    test('that is sold with the declaration is published, and the declaration stored with version and time', async () => {
      const id = await publish([...priced, declared])
      expect([await heldOf(id), await isSeen(id)]).toEqual([null, true])
      expect(
        await desk.run('select version, declared_at from film_declarations where post_id = $1', [id]),
      ).toEqual([{ version: FILM_DECLARATION, declared_at: new Date(world.clock.now) }])
    })

    test('of the specified form is accepted without it, and held until its author declares', async () => {
      const id = await publish(priced)
      expect([await heldOf(id), await isSeen(id), await fanOutPosts(world)]).toEqual(['undeclared', false, 0])
      expect(errorOf(await declare(id, follower)).code).toBe('not_found')
      expect((await declare(id)).json().held).toBe(undefined)
      expect((await declare(id)).statusCode).toBe(200)
      expect([await heldOf(id), await isSeen(id), await fanOutPosts(world)]).toEqual([null, true, 1])
    })

    test.each([
      ['for everyone', open],
      ['that is not age-limited', [...priced, ['is_age_limited', '0'] as Field]],
    ])('%s needs none', async (_, fields) => {
      const id = await publish(fields)
      expect([await heldOf(id), await isSeen(id)]).toEqual([null, true])
    })

    test('that was open is sold only with the declaration, and stays open without it', async () => {
      const id = await publish(open)
      const refused = await sell(id)
      expect(errorOf(refused)).toMatchObject({ code: 'invalid', fields: { film_declaration: 'required' } })
      expect((await call(world, author, 'GET', `/posts/${id}`)).json().type).toBe(1)
      expect((await sell(id, { film_declaration: FILM_DECLARATION })).statusCode).toBe(200)
    })

    test('with an unknown version is refused, and nothing is added', async () => {
      const before = await desk.run('select count(*)::int as n from posts', [])
      const reply = await add([...priced, ['film_declaration', '99']])
      expect(errorOf(reply)).toMatchObject({ code: 'invalid', fields: { film_declaration: 'malformed' } })
      expect(errorOf(await declare(await publish(priced), author, 99)).code).toBe('invalid')
      expect(await desk.run('select count(*)::int as n from posts', [])).toEqual([
        { n: Number(before[0]?.['n']) + 1 },
      ])
    })

    test('that has a word of the operator too waits for both, in either order', async () => {
      const moderator = await desk.staff('moderator')
      const word = 'ﾀﾞﾒｺﾄﾊﾞ'
      const first = await publish(priced, 'これはだめことばです')
      await call(world, moderator, 'POST', '/admin/words', { word, note: '試験' })
      expect(await heldOf(first)).toBe('undeclared')
      await declare(first)
      expect([await heldOf(first), await isSeen(first)]).toEqual(['word', false])
      const second = await publish(priced, 'これもだめことばです')
      expect(await heldOf(second)).toBe('word')
      await desk.act(moderator, await desk.caseOf(second), { is: 'approve' }, 0)
      expect([await heldOf(second), await isSeen(second)]).toEqual(['undeclared', false])
      await desk.run('delete from blocked_words', [])
      await declare(second)
      expect([await heldOf(second), await isSeen(second)]).toEqual([null, true])
      expect(await notificationsOf(world, author)).toContain('投稿かコメントが確認待ちです → /notify')
    })
  })
})
