// Blocked words of a person: comments that wait for that person's review.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { notificationsOf } from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a held comment', () => {
    let world: World
    let creator: Member
    let writer: Member
    let reader: Member
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
      return () => world.close()
    })
    const desk = deskIn(() => world)
    const get = async (as: Member, path: string) => (await call(world, as, 'GET', path)).json()
    const send = (as: Member, path: string, body: object = {}) => call(world, as, 'POST', path, body)
    const write = (as: Member, content: string, id = newId(), parent_id: string | null = null) =>
      send(as, `/posts/${post}/comments`, { id, content, parent_id, answers_id: null })
    const shown = async (as: Member): Promise<[string, string][]> =>
      (await get(as, `/posts/${post}/comments`)).comments.map(
        (it: { body: { content: string; held?: string } }) => [it.body.content, it.body.held ?? ''],
      )
    const waiting = async (as: Member) => (await get(as, '/holds/comments')).comments
    const count = async () => (await get(reader, `/posts/${post}`)).counts.comments
    const review = (as: Member, id: string, show: boolean) => send(as, `/holds/comments/${id}`, { show })
    beforeEach(async () => {
      world.clock.now += 1000
      await desk.run('delete from blocked_words', [])
      creator = await signUp(world)
      writer = await signUp(world)
      reader = await signUp(world)
      await send(creator, '/settings/words', { word: 'ばか' })
      post = await desk.publish(creator, '今日の絵')
    })

    test('is read by its author alone, who may send it again, and is counted without a notification', async () => {
      const id = newId()
      const reply = (await write(writer, 'ﾊﾞｶですね', id)).json()
      expect(reply.body).toMatchObject({ is: 'shown', content: 'ﾊﾞｶですね', held: 'creator' })
      expect((await write(writer, 'ﾊﾞｶですね', id)).json().id).toBe(id)
      expect([await shown(writer), await shown(creator), await shown(reader)]).toEqual([
        [['ﾊﾞｶですね', 'creator']],
        [],
        [],
      ])
      expect(await count()).toBe(0)
      expect(await notificationsOf(world, creator)).toEqual([])
      expect(outcomeOf(await call(world, reader, 'PUT', `/comments/${id}/like`))).not.toBe(200)
      expect(outcomeOf(await desk.report(reader, `comment/${id}`))).toBe('not_found')
      expect(outcomeOf(await write(writer, '返信', newId(), id))).toBe('gone')
      expect(await waiting(creator)).toMatchObject([
        { id, content: 'ﾊﾞｶですね', reason: 'word', word: 'ばか' },
      ])
      expect([await waiting(writer), await waiting(reader)]).toEqual([[], []])
      // The word is the creator's own: the writer does not read it.
      expect((await get(writer, '/holds/own')).holds).toMatchObject([
        { reviewer: 'creator', word: '', state: 'open' },
      ])
    })

    test('is shown once by the author of the post, and no one else', async () => {
      const id = (await write(writer, 'ばか')).json().id
      expect([outcomeOf(await review(reader, id, true)), outcomeOf(await review(writer, id, true))]).toEqual([
        'not_found',
        'not_found',
      ])
      const both = await Promise.all([review(creator, id, true), review(creator, id, true)])
      expect(both.map(outcomeOf).toSorted()).toEqual([200, 'gone'])
      expect([await shown(reader), await count()]).toEqual([[['ばか', '']], 1])
      expect(await notificationsOf(world, writer)).toContain('投稿かコメントが公開されました → /notify')
    })

    test.each(['the author of the post', 'its author'])('is deleted by %s', async (by) => {
      const id = (await write(writer, 'ばか')).json().id
      if (by === 'its author') await call(world, writer, 'DELETE', `/comments/${id}`)
      else await review(creator, id, false)
      expect([await shown(writer), await shown(reader), await waiting(creator)]).toEqual([[], [], []])
      expect(outcomeOf(await review(creator, id, true))).toBe('gone')
      expect((await get(writer, '/holds/own')).holds[0]?.state).toBe(
        by === 'its author' ? 'withdrawn' : 'removed',
      )
      expect(await count()).toBe(0)
    })

    test('is not held without the word, below own posts, and once the word is removed', async () => {
      await write(writer, 'ばかりです')
      await write(creator, 'ばか')
      const { words } = await get(creator, '/settings/words')
      expect(words).toMatchObject([{ word: 'ばか' }])
      await call(world, writer, 'DELETE', `/settings/words/${words[0].id}`)
      expect((await get(creator, '/settings/words')).words).toHaveLength(1)
      await call(world, creator, 'DELETE', `/settings/words/${words[0].id}`)
      await write(writer, 'バカ')
      expect((await shown(reader)).map(([, held]) => held)).toEqual(['', '', ''])
    })

    test('with a word of the operator is decided by staff, and shown again when an appeal is granted', async () => {
      const moderator = await desk.staff('moderator')
      expect((await send(moderator, '/admin/words', { word: '禁止語' })).body).toContain('禁止語')
      const id = (await write(writer, 'これは禁止語です')).json().id
      expect([await shown(writer), await shown(reader), await waiting(creator)]).toEqual([
        [['これは禁止語です', 'staff']],
        [],
        [],
      ])
      expect(outcomeOf(await review(creator, id, true))).toBe('not_found')
      const caseId = await desk.caseOf(id)
      expect((await desk.read(moderator, caseId)).current).toMatchObject({
        state: 'held',
        text: 'これは禁止語です',
      })
      await desk.act(moderator, caseId, { ...acting, content: 'remove' }, 0)
      expect([await shown(writer), await count()]).toEqual([[], 0])
      const [decision] = await desk.own(writer)
      await desk.appeal(writer, { decision_id: decision?.id, text: '辞書の引用です' })
      const other = await desk.staff('moderator')
      await desk.take(other, caseId)
      expect(outcomeOf(await desk.answer(other, caseId, true))).toBe(200)
      expect([await shown(reader), await count()]).toEqual([[['これは禁止語です', '']], 1])
      expect(await notificationsOf(world, creator)).toHaveLength(1)
    })

    test('lists of words take 200, each once in any spelling, and nothing unseen', async () => {
      const add = async (word: string) => errorOf(await send(creator, '/settings/words', { word }))
      expect(await add('バカ')).toMatchObject({ code: 'invalid', fields: { word: 'taken' } })
      expect(await add('\u200b')).toMatchObject({ code: 'invalid', fields: { word: 'invisible' } })
      expect(await add('')).toMatchObject({ fields: { word: 'required' } })
      expect(await add('あ'.repeat(51))).toMatchObject({ fields: { word: 'too_long' } })
      expect(await add('ﷺ'.repeat(50))).toMatchObject({ fields: { word: 'too_long' } })
      for (let n = 0; n < 199; n++) await send(creator, '/settings/words', { word: `語${n}番` })
      expect(await add('二百一')).toMatchObject({ code: 'conflict' })
    })
  })
})
