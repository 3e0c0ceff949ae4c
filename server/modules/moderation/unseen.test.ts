// Decisions of cases and appeals require what they are about (decision 120).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn, dismissing } from '#server/testing/moderation/desk.ts'
import { hiding, inquiriesIn } from '#server/testing/moderation/inquiries.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const removing = { ...acting, content: 'remove' }

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a decision', () => {
    let world: World
    let [author, reader, moderator, second]: Member[] = []
    let post: string
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    const chat = chatIn(() => world)
    const form = inquiriesIn(() => world)
    beforeEach(async () => {
      author = await signUp(world)
      reader = await signUp(world)
      moderator = await desk.staff('moderator')
      second = await desk.staff('admin')
      post = await desk.publish(author)
      await desk.report(reader, `post/${post}`)
      id = await desk.caseOf(post)
    })
    const people = () => [author, reader, moderator, second] as [Member, Member, Member, Member]
    /** Takes a case without reading it. */
    const takeUnread = (as: Member, of = id) => desk.ask(as, `/${of}/take`, {})
    const decide = async (as: Member, decision: object = removing, of = id) =>
      outcomeOf(await desk.decide(as, of, decision))

    test('is refused until the case was shown to the one who decides, and decides nothing', async () => {
      const [, , staff, other] = people()
      await desk.list(staff)
      await takeUnread(staff)
      await desk.read(other, id)
      for (const it of [removing, dismissing]) expect(await decide(staff, it)).toBe('unseen')
      expect(await desk.read(staff, id)).toMatchObject({ state: 'open', reports: 1, decisions: [] })
      expect(await decide(staff)).toBe(200)
    })

    test('is refused for a case that was read before it was decided and reported again', async () => {
      const [, , staff] = people()
      await desk.act(staff, id, dismissing)
      world.clock.now += 1000
      await desk.report(await signUp(world), `post/${post}`)
      await takeUnread(staff)
      expect(await decide(staff)).toBe('unseen')
      await desk.read(staff, id)
      expect(await decide(staff)).toBe(200)
    })

    test('leaves a post that was edited since it was read only when it was read again, and a measure does not wait', async () => {
      const [, , staff] = people()
      const edit = async (content: string) => {
        world.clock.now += 1000
        await desk.run('update posts set content = $2, edited_at = $3 where id = $1', [
          post,
          content,
          new Date(world.clock.now).toISOString(),
        ])
      }
      await desk.take(staff, id)
      await edit('もっとひどい投稿')
      expect(await decide(staff, dismissing)).toBe('unseen')
      await desk.read(staff, id)
      expect(await decide(staff, dismissing)).toBe(200)
      world.clock.now += 1000
      await desk.report(await signUp(world), `post/${post}`)
      await desk.take(staff, id)
      await edit('消される前に直す投稿')
      expect(await decide(staff)).toBe(200)
    })

    test('leaves a profile that was changed since it was read only when it was read again', async () => {
      const [writer, , staff] = people()
      await desk.report(await signUp(world), `person/${writer.id}`)
      const about = await desk.caseOf(writer.id)
      await desk.take(staff, about)
      const change = (bio: string) => desk.run('update users set bio = $2 where id = $1', [writer.id, bio])
      await desk.read(staff, about)
      await change('もっとひどい紹介')
      expect(await decide(staff, dismissing, about)).toBe('unseen')
      await desk.read(staff, about)
      expect(await decide(staff, dismissing, about)).toBe(200)
    })

    test('about a message needs its copies, as long as there are any', async () => {
      const [writer, one, staff, other] = people()
      await chat.follow(one, writer)
      const reported = async (content: string) => {
        const message = (await chat.write(writer, one, content)).id
        const report = (await desk.report(one, `message/${message}`)).json().report.id as string
        return { report, of: await desk.caseOf(message) }
      }
      const { report, of } = await reported('ひどい言葉')
      const open = (as: Member) => call(world, as, 'GET', `/admin/reports/${report}/messages`)
      await desk.take(staff, of)
      await open(other)
      expect((await desk.read(staff, of)).messages).toEqual({ report_id: report, shown: false })
      expect(await decide(staff, { ...acting, person: 'warn' }, of)).toBe('unseen')
      expect(await decide(staff, dismissing, of)).toBe('unseen')
      expect((await open(staff)).statusCode).toBe(200)
      expect((await desk.read(staff, of)).messages).toEqual({ report_id: report, shown: true })
      expect(await decide(staff, dismissing, of)).toBe(200)

      const later = await reported('消えた言葉')
      await desk.run('delete from reported_messages where report_id = $1', [later.report])
      await desk.take(staff, later.of)
      expect((await desk.read(staff, later.of)).messages).toBeNull()
      expect(await decide(staff, dismissing, later.of)).toBe(200)
    })

    test('about a case that staff opened needs its reading too', async () => {
      const [, one, staff] = people()
      const opened = await desk.ask(staff, '', { kind: 'person', target_id: one.id })
      const of = opened.json().case.id as string
      const warn = { ...acting, person: 'warn', text_to_reporters: '' }
      expect(outcomeOf(await desk.decide(staff, of, warn, 0))).toBe('unseen')
      await desk.read(staff, of)
      expect(outcomeOf(await desk.decide(staff, of, warn, 0))).toBe(200)
    })

    test('about an appeal is refused until the appeal was shown', async () => {
      const [writer, , staff, other] = people()
      await desk.read(other, id)
      await desk.act(staff, id, removing)
      world.clock.now += 1000
      await desk.appeal(writer, { decision_id: defined((await desk.own(writer))[0]).id, text: '引用でした' })
      await takeUnread(other)
      for (const granted of [true, false])
        expect(outcomeOf(await desk.answer(other, id, granted))).toBe('unseen')
      expect((await desk.own(writer))[0]?.appeal).toMatchObject({ state: 'open' })
      await desk.read(other, id)
      expect(outcomeOf(await desk.answer(other, id, true))).toBe(200)
    })

    test('about a claim that also decides reports of members needs the case of them', async () => {
      const [, , staff] = people()
      const claim = await form.file({ kind: 'copyright', url: form.urlOf(post) })
      const body = {
        outcome: 'removed',
        text_to_sender: '非公開にしました。',
        measure: { ...hiding, seen: 2 },
      }
      expect(outcomeOf(await form.act(staff, claim, 'decide', body))).toBe('unseen')
      expect((await form.read(staff, claim)).state).toBe('in_progress')
      await desk.read(staff, id)
      expect(outcomeOf(await form.act(staff, claim, 'decide', body))).toBe(200)
    })
  })
})
