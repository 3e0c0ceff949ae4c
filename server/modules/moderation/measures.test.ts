// Measures: what each changes, when it ends, and that undoing brings back what was there.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { emptyRemovedComments, endMeasures } from './expiry.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a measure', () => {
    let world: World
    let [author, reader, moderator]: Member[] = []
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    beforeEach(async () => {
      author = await signUp(world)
      reader = await signUp(world)
      moderator = await desk.staff('moderator')
      post = await desk.publish(author)
    })
    const people = () => [author, reader, moderator] as [Member, Member, Member]
    const reported = async (what: string): Promise<string> => {
      const [, one] = people()
      await desk.report(one, what)
      return desk.caseOf(defined(what.split('/')[1]))
    }
    const seen = async (as: Member) => outcomeOf(await call(world, as, 'GET', `/posts/${post}`))
    const fresh = (it: Member) =>
      desk.run('update sessions set validated_at = $2 where user_id = $1', [
        it.id,
        new Date(world.clock.now).toISOString(),
      ])

    test.each(['hide', 'remove'])(
      '%s: a post is gone for all, its author reads why, and undone it is back',
      async (content) => {
        const [writer, one, staff] = people()
        const id = await reported(`post/${post}`)
        await desk.act(staff, id, { ...acting, content })
        expect([await seen(one), await seen(writer), await seen(staff)]).toEqual([
          'not_found',
          'not_found',
          'not_found',
        ])
        expect(await desk.own(writer)).toMatchObject([
          {
            kind: 'post',
            excerpt: 'ひどい投稿',
            rule: 'harassment',
            text: acting.text_to_person,
            measures: [{ kind: content, until: null, ended_at: null }],
            appeal: null,
          },
        ])
        expect((await desk.read(staff, id)).current).toMatchObject({ state: 'withheld', text: 'ひどい投稿' })
        expect(outcomeOf(await desk.undo(staff, id))).toBe(200)
        expect([await seen(one), await seen(writer)]).toEqual([200, 200])
        expect((await desk.read(staff, id)).current.state).toBe('present')
        // The case is open again with its report, and can be decided otherwise.
        expect((await desk.list(staff, '?kind=post')).find((it) => it.id === id)?.reports).toBe(1)
        await desk.act(staff, id, { ...acting, content: 'age_limit' })
      },
    )

    test('a post that its author has deleted stays deleted when a removal of it is undone', async () => {
      const [writer, one, staff] = people()
      const id = await reported(`post/${post}`)
      await call(world, writer, 'DELETE', `/posts/${post}`)
      await desk.act(staff, id, { ...acting, content: 'remove' })
      expect((await desk.read(staff, id)).current.state).toBe('deleted')
      await desk.undo(staff, id)
      expect(await seen(one)).toBe('not_found')
    })

    test('a removed post is deleted for good after 30 days, a hidden one never, and then nothing is undone', async () => {
      const [writer, , staff] = people()
      const [hidden, removed] = [await desk.publish(writer), post]
      const [hiddenCase, removedCase] = [await reported(`post/${hidden}`), await reported(`post/${removed}`)]
      await desk.act(staff, hiddenCase, { ...acting, content: 'hide' })
      await desk.act(staff, removedCase, { ...acting, content: 'remove' })
      world.clock.now += 31 * DAY
      await desk.emptyPosts()
      await fresh(staff)
      const texts = await desk.run('select content from posts where id = any($1) order by content', [
        [hidden, removed],
      ])
      expect(texts.map((it) => it['content'])).toEqual(['', 'ひどい投稿'])
      expect(outcomeOf(await desk.undo(staff, removedCase))).toBe('gone')
      expect(outcomeOf(await desk.undo(staff, hiddenCase))).toBe(200)
    })

    test('a withheld comment is a placeholder, and returns with its text; removed it is emptied after 30 days', async () => {
      const [writer, one, staff] = people()
      const [first, second] = [await desk.comment(writer, post), await desk.comment(writer, post)]
      const bodies = async () =>
        (await call(world, one, 'GET', `/posts/${post}/comments`))
          .json()
          .comments.map((it: { body: { is: string } }) => it.body.is)
      const count = async () =>
        (await call(world, one, 'GET', `/posts/${post}`)).json().counts.comments as number
      const id = await reported(`comment/${first}`)
      await desk.act(staff, id, { ...acting, content: 'hide' })
      expect([await bodies(), await count()]).toEqual([['shown'], 1])
      await desk.undo(staff, id)
      expect([await bodies(), await count()]).toEqual([['shown', 'shown'], 2])
      const removedCase = await reported(`comment/${second}`)
      await desk.act(staff, removedCase, { ...acting, content: 'remove' })
      world.clock.now += 31 * DAY
      await emptyRemovedComments(world.deps)
      await fresh(staff)
      expect(await desk.run('select content from comments where id = $1', [second])).toEqual([
        { content: '' },
      ])
      expect(outcomeOf(await desk.undo(staff, removedCase))).toBe('gone')
    })

    test('an age limit is taken off again, unless the author had set it', async () => {
      const [, , staff] = people()
      const limited = async () =>
        (await desk.run('select is_age_limited as it from posts where id = $1', [post]))[0]?.['it']
      const id = await reported(`post/${post}`)
      await desk.act(staff, id, { ...acting, content: 'age_limit' })
      expect(await limited()).toBe(true)
      await desk.undo(staff, id)
      expect(await limited()).toBe(false)
      await desk.run('update posts set is_age_limited = true where id = $1', [post])
      await desk.act(staff, id, { ...acting, content: 'age_limit' })
      await desk.run(
        `update measures set changed = false where kind = 'age_limit' and ended_at is not null`,
        [],
      )
      await desk.undo(staff, id)
      expect(await limited()).toBe(true)
    })

    test('a suspension ends sessions and connections, is announced by email, and ends by itself', async () => {
      const [writer, one, staff] = people()
      const id = await reported(`post/${post}`)
      await desk.act(staff, id, { ...acting, person: 'suspend', days: 7 })
      expect(outcomeOf(await call(world, writer, 'GET', '/decisions/own'))).toBe('suspended')
      expect(await seen(one)).toBe('not_found')
      const email = (await emailsTo(world, writer.email)).find((it) => it.is === 'measure')
      expect(email).toMatchObject({
        text: acting.text_to_person,
        measures: [{ kind: 'suspend', until: world.clock.now + 7 * DAY }],
      })
      world.clock.now += 7 * DAY - 1
      await endMeasures(world.deps)
      expect(await seen(one)).toBe('not_found')
      world.clock.now += 1
      await endMeasures(world.deps)
      expect(await seen(one)).toBe(200)
      // Earlier sessions stay ended.
      expect(outcomeOf(await call(world, writer, 'GET', '/decisions/own'))).toBe('unauthenticated')
    })

    test('of two suspensions, the person returns with the end of the later one', async () => {
      const [writer, one, staff] = people()
      const [first, second] = [await reported(`post/${post}`), await reported(`person/${writer.id}`)]
      await desk.act(staff, first, { ...acting, person: 'suspend', days: 1 })
      await desk.act(staff, second, { ...acting, person: 'suspend' })
      world.clock.now += DAY
      await endMeasures(world.deps)
      expect(await seen(one)).toBe('not_found')
      await fresh(staff)
      await desk.undo(staff, second)
      expect(await seen(one)).toBe(200)
    })

    test('a limited person is in no search, suggestion or list of new posts, and followers read them', async () => {
      const [writer, one, staff] = people()
      await desk.run(`update users set name = '検索花子', handle = $2 where id = $1`, [
        writer.id,
        `limited_${writer.id.slice(-8)}`,
      ])
      await call(world, one, 'PUT', `/follows/${writer.id}`)
      const has = async (path: string) => (await call(world, one, 'GET', path)).body.includes(post)
      const latest = () => has('/feed/latest')
      const id = await reported(`post/${post}`)
      expect(await latest()).toBe(true)
      await desk.act(staff, id, { ...acting, person: 'limit', days: 3 })
      expect([await latest(), await has('/feed/following'), await seen(one)]).toEqual([false, true, 200])
      world.clock.now += 3 * DAY
      await endMeasures(world.deps)
      expect(await latest()).toBe(true)
    })
  })
})
