// Appeals: by session and by link, once and in time, answered by another person.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { APPEAL_MS } from '#contract/moderation/measures.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn, dismissing } from '#server/testing/moderation/desk.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an appeal', () => {
    let world: World
    let [author, reader, moderator, other]: Member[] = []
    let post: string
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    beforeEach(async () => {
      author = await signUp(world)
      reader = await signUp(world)
      moderator = await desk.staff('moderator')
      other = await desk.staff('moderator')
      post = await desk.publish(author)
      await desk.report(reader, `post/${post}`)
      id = await desk.caseOf(post)
    })
    const people = () => [author, reader, moderator, other] as [Member, Member, Member, Member]
    const decided = async (decision: object = { ...acting, content: 'remove' }) => {
      const [writer, , staff] = people()
      await desk.act(staff, id, decision)
      return (await desk.own(writer))[0]?.id ?? ''
    }
    const seen = async (as: Member) => outcomeOf(await call(world, as, 'GET', `/posts/${post}`))

    test('is sent once, waits with the others, and granted it brings the post back', async () => {
      const [writer, one, staff, another] = people()
      const decision_id = await decided()
      const sent = await desk.appeal(writer, { decision_id, text: ' 引用でした \n' })
      expect(sent.json().decision).toMatchObject({
        appeal: { state: 'open', text: '引用でした' },
        appeal_until: null,
      })
      expect(outcomeOf(await desk.appeal(writer, { decision_id, text: '引用でした' }))).toBe(200)
      expect(outcomeOf(await desk.appeal(writer, { decision_id, text: 'もう一度' }))).toBe('gone')
      expect((await desk.list(another, '?state=appealed')).map((it) => it.id)).toContain(id)
      expect(outcomeOf(await desk.undo(staff, id))).toBe('conflict')
      expect(outcomeOf(await desk.answer(another, id, true))).toBe('conflict')
      await desk.take(another, id)
      expect(outcomeOf(await desk.answer(another, id, true))).toBe(200)
      expect([await seen(one), await seen(writer)]).toEqual([200, 200])
      expect(await desk.own(writer)).toMatchObject([
        { appeal: { state: 'granted', answer: '確認しました。' }, measures: [{ kind: 'remove' }] },
      ])
      expect((await call(world, one, 'GET', '/reports/own')).json().reports[0].state).toBe('dismissed')
      const emails = (await emailsTo(world, writer.email)).map((it) => it.is)
      expect(emails).toContain('appeal_answered')
    })

    test('is not answered by the one who decided, unless there is no other', async () => {
      const [writer, one, staff, another] = people()
      const decision_id = await decided()
      await desk.appeal(writer, { decision_id, text: '引用でした' })
      await desk.take(staff, id)
      expect(outcomeOf(await desk.answer(staff, id, false))).toBe('forbidden')
      await desk.run(`update users set role = 'member' where id <> $1`, [staff.id])
      expect(outcomeOf(await desk.answer(staff, id, false))).toBe(200)
      expect(await seen(one)).toBe('not_found')
      expect(await desk.own(writer)).toMatchObject([{ appeal: { state: 'upheld' }, undone_at: null }])
      expect(another.id).not.toBe(staff.id)
    })

    test('by the link of the email, without signing in; other tokens and other decisions are refused', async () => {
      const [writer, , , another] = people()
      await desk.act(another, id, { ...acting, person: 'suspend' })
      const email = (await emailsTo(world, writer.email)).find((it) => it.is === 'measure')
      const link = new URLSearchParams(email?.is === 'measure' ? new URL(email.url).hash.slice(1) : '')
      const [decision_id, token] = [link.get('decision') ?? '', link.get('token') ?? '']
      const read = (body: object) => call(world, null, 'POST', '/decisions/read', body)
      expect((await read({ decision_id, token })).json().decision).toMatchObject({
        text: acting.text_to_person,
        measures: [{ kind: 'suspend' }],
      })
      for (const wrong of [
        { decision_id, token: 'x' },
        { decision_id: newId(), token },
      ]) {
        expect(outcomeOf(await read(wrong))).toBe('link_invalid')
        expect(outcomeOf(await desk.appeal(null, { ...wrong, text: '違います' }))).toBe('link_invalid')
      }
      expect(outcomeOf(await desk.appeal(null, { decision_id, text: '違います' }))).toBe('unauthenticated')
      expect(outcomeOf(await desk.appeal(null, { decision_id, token, text: '違います' }))).toBe(200)
    })

    test('about another person, about a dismissal, after 14 days and after an undone decision is refused', async () => {
      const [writer, one, staff] = people()
      const decision_id = await decided()
      expect(outcomeOf(await desk.appeal(one, { decision_id, text: '違います' }))).toBe('not_found')
      world.clock.now += APPEAL_MS
      expect(outcomeOf(await desk.appeal(writer, { decision_id, text: '違います' }))).toBe('gone')
      world.clock.now -= APPEAL_MS
      await desk.undo(staff, id)
      expect(outcomeOf(await desk.appeal(writer, { decision_id, text: '違います' }))).toBe('gone')
      await desk.act(staff, id, dismissing)
      const [row] = await desk.run(`select id from decisions where outcome = 'dismissed' and case_id = $1`, [
        id,
      ])
      expect(outcomeOf(await desk.appeal(writer, { decision_id: row?.['id'], text: '違います' }))).toBe(
        'not_found',
      )
    })

    test('is in the data export of its person, with the decision, and without those who decided and reported', async () => {
      const [writer, one, staff] = people()
      const decision_id = await decided({ ...acting, content: 'remove', person: 'limit', days: 3 })
      await desk.appeal(writer, { decision_id, text: '引用でした' })
      const file = (await exportOf(world, writer)).find((it) => it.name === 'reactions.json')
      const text = defined(file?.bytes.toString())
      expect(JSON.parse(text).decisions).toMatchObject([
        {
          id: decision_id,
          rule: 'harassment',
          text: acting.text_to_person,
          measures: [{ kind: 'remove' }, { kind: 'limit' }],
          appeal: { text: '引用でした', state: 'open' },
        },
      ])
      for (const it of [one.id, staff.id]) expect(text).not.toContain(it)
    })

    test('a removed post is stored while its appeal is open', async () => {
      const [writer] = people()
      const decision_id = await decided()
      await desk.appeal(writer, { decision_id, text: '違います' })
      world.clock.now += 60 * 24 * 3600_000
      await desk.emptyPosts()
      const texts = await desk.run('select content from posts where id = $1', [post])
      expect(texts).toEqual([{ content: 'ひどい投稿' }])
    })
  })
})
