// Holds by the operator's words: who sees them, their decision, one release.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn, dismissing } from '#server/testing/moderation/desk.ts'
import { fanOutPosts, reapLate } from '#server/testing/moderation/jobs.ts'
import { call, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { notificationsOf } from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const approving = { is: 'approve' }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a held post', () => {
    let world: World
    let author: Member
    let follower: Member
    let moderator: Member
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
      return () => world.close()
    })
    const desk = deskIn(() => world)
    const get = (as: Member, path: string) => call(world, as, 'GET', path)
    const seen = async (as: Member) => outcomeOf(await get(as, `/posts/${post}`))
    const holds = async () => (await get(author, '/holds/own')).json().holds
    const listed = async (as: Member): Promise<string[]> =>
      (await get(as, `/posts?author=${author.id}`)).json().posts.map((it: { id: string }) => it.id)
    const fanOut = () => fanOutPosts(world)
    beforeEach(async () => {
      world.clock.now += 1000
      await desk.run('delete from blocked_words', [])
      author = await signUp(world)
      follower = await signUp(world)
      moderator = await desk.staff('moderator')
      await call(world, follower, 'PUT', `/follows/${author.id}`)
      await call(world, moderator, 'POST', '/admin/words', { word: 'ﾀﾞﾒｺﾄﾊﾞ', note: '試験' })
      await fanOut()
      post = await desk.publish(author, 'これはだめことばです #今日')
    })

    test('is shown to its author alone, who reads why, and reaches no list, search or follower', async () => {
      expect([await seen(author), await seen(follower), await seen(moderator)]).toEqual([
        200,
        'not_found',
        'not_found',
      ])
      expect((await get(author, `/posts/${post}`)).json()).toMatchObject({
        released_at: null,
        held: { reason: 'word', word: 'ﾀﾞﾒｺﾄﾊﾞ' },
      })
      // The device sends its release again, and the word is no longer on the list.
      await desk.run('delete from blocked_words', [])
      expect(outcomeOf(await call(world, author, 'POST', `/post/release-uploaded/${post}`))).toBe(200)
      expect(await fanOut()).toBe(0)
      expect([await listed(author), await listed(follower)]).toEqual([[], []])
      expect((await get(follower, '/feed')).body).not.toContain(post)
      expect((await get(follower, `/search/posts?q=${encodeURIComponent('だめことば')}`)).body).not.toContain(
        post,
      )
      expect(outcomeOf(await get(follower, `/posts/${post}/comments`))).toBe('not_found')
      expect(outcomeOf(await call(world, follower, 'PUT', `/posts/${post}/like`))).not.toBe(200)
      expect(outcomeOf(await desk.report(follower, `post/${post}`))).toBe('not_found')
      expect(await notificationsOf(world, follower)).toEqual([])
      expect(await notificationsOf(world, author)).toContain('投稿かコメントが確認待ちです → /notify')
      expect(await holds()).toMatchObject([
        { kind: 'post', post_id: post, reason: 'word', word: 'ﾀﾞﾒｺﾄﾊﾞ', reviewer: 'staff', state: 'open' },
      ])
    })

    test('opens a case without a report, which has its reason and its text', async () => {
      const row = (await desk.list(moderator, '?kind=post')).find((it) => it.target_id === post)
      expect(row).toMatchObject({
        reports: 0,
        reasons: [],
        excerpt: 'これはだめことばです #今日',
        hold: { reason: 'word', word: 'ﾀﾞﾒｺﾄﾊﾞ', distance: null, state: 'open' },
      })
      expect((await desk.read(moderator, defined(row?.id))).current.state).toBe('held')
    })

    test('is released once when it is approved, and its followers are notified once', async () => {
      const id = await desk.caseOf(post)
      await desk.take(moderator, id)
      world.clock.now += 60_000
      await identify(world, moderator)
      const both = await Promise.all([
        desk.decide(moderator, id, approving, 0),
        desk.decide(moderator, id, approving, 0),
      ])
      expect(both.map(outcomeOf).toSorted()).toEqual([200, 'conflict'])
      expect(await fanOut()).toBe(1)
      expect(await seen(follower)).toBe(200)
      expect([await listed(author), await listed(follower)]).toEqual([[post], [post]])
      expect(await notificationsOf(world, follower)).toEqual([
        `Nさんが新しい投稿を公開しました「これはだめことばです #今日」 → /post/${post}`,
      ])
      expect((await get(author, `/posts/${post}`)).json()).toMatchObject({
        released_at: new Date(world.clock.now).toISOString(),
      })
      expect((await get(author, `/posts/${post}`)).json().held).toBeUndefined()
      expect(await holds()).toMatchObject([{ state: 'approved' }])
      // A release that the device repeats has the reply of a released post.
      expect(outcomeOf(await call(world, author, 'POST', `/post/release-uploaded/${post}`))).toBe(200)
      expect(await fanOut()).toBe(0)
    })

    test('stays away with a measure, waits again when that is undone, and returns when an appeal is granted', async () => {
      const id = await desk.caseOf(post)
      await desk.act(moderator, id, { ...acting, content: 'remove' }, 0)
      expect([await seen(author), await seen(follower)]).toEqual(['not_found', 'not_found'])
      expect(await holds()).toMatchObject([{ state: 'removed' }])
      expect(outcomeOf(await desk.undo(moderator, id))).toBe(200)
      expect([await seen(author), await seen(follower)]).toEqual([200, 'not_found'])
      expect(await holds()).toMatchObject([{ state: 'open' }])
      await desk.act(moderator, id, { ...acting, content: 'hide' }, 0)
      const [decision] = await desk.own(author)
      await desk.appeal(author, { decision_id: decision?.id, text: '問題のない投稿です' })
      const other = await desk.staff('moderator')
      await desk.take(other, id)
      expect(outcomeOf(await desk.answer(other, id, true))).toBe(200)
      expect([await seen(author), await seen(follower)]).toEqual([200, 200])
      expect(await holds()).toMatchObject([{ state: 'approved' }])
      expect(await fanOut()).toBe(1)
    })

    test('may be changed and deleted by its author, and is then not shown by a decision', async () => {
      expect(outcomeOf(await call(world, author, 'PATCH', `/posts/${post}`, { content: '直しました' }))).toBe(
        200,
      )
      expect(await seen(follower)).toBe('not_found')
      expect(outcomeOf(await call(world, author, 'DELETE', `/posts/${post}`))).toBe(200)
      expect(await holds()).toMatchObject([{ state: 'withdrawn' }])
      await desk.act(moderator, await desk.caseOf(post), approving, 0)
      expect([await seen(author), await seen(follower)]).toEqual(['not_found', 'not_found'])
      expect(await fanOut()).toBe(0)
    })

    test('that is approved and deleted at once is deleted, and stays so', async () => {
      const id = await desk.caseOf(post)
      await desk.take(moderator, id)
      const [approved, deleted] = await Promise.all([
        desk.decide(moderator, id, approving, 0),
        call(world, author, 'DELETE', `/posts/${post}`),
      ])
      expect([outcomeOf(approved), outcomeOf(deleted)]).toEqual([200, 200])
      await fanOut()
      expect([await seen(author), await seen(follower)]).toEqual(['not_found', 'not_found'])
      expect(await notificationsOf(world, follower)).toEqual([])
      expect(['approved', 'withdrawn']).toContain((await holds())[0].state)
    })

    test('is neither withdrawn nor removed as unreleased', async () => {
      expect(outcomeOf(await call(world, author, 'DELETE', `/post/unreleased/${post}`))).toBe('conflict')
      await reapLate(world)
      expect(await seen(author)).toBe(200)
    })

    test('that was changed after its release is away until it is approved, at its old place and without another notification', async () => {
      post = await desk.publish(author, '普通の投稿')
      expect(await fanOut()).toBe(1)
      const before = (await get(author, `/posts/${post}`)).json().released_at
      world.clock.now += 5000
      await call(world, author, 'PATCH', `/posts/${post}`, { content: '普通のダメコトバ' })
      expect([await seen(author), await seen(follower)]).toEqual([200, 'not_found'])
      // As the sweep does with broadcasts that ended long ago.
      await desk.run('delete from fan_outs', [])
      await desk.act(moderator, await desk.caseOf(post), approving, 0)
      expect((await get(follower, `/posts/${post}`)).json().released_at).toBe(before)
      expect(await fanOut()).toBe(0)
      // Its words were read by staff: a change that adds none is not held.
      await call(world, author, 'PATCH', `/posts/${post}`, { content: 'とても普通のダメコトバ' })
      expect(await seen(follower)).toBe(200)
    })

    test('with reports is dismissed with a text, and shown', async () => {
      post = await desk.publish(author, '普通の投稿')
      await desk.report(follower, `post/${post}`)
      await call(world, author, 'PATCH', `/posts/${post}`, { content: '普通のダメコトバ' })
      const id = await desk.caseOf(post)
      await desk.take(moderator, id)
      expect(outcomeOf(await desk.decide(moderator, id, approving, 1))).toBe('conflict')
      expect(outcomeOf(await desk.decide(moderator, id, dismissing, 1))).toBe(200)
      expect(await seen(follower)).toBe(200)
    })
  })
})
