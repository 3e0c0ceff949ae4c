// Cases that staff open without a report, and the lists of one person.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { PersonContent, PersonDecision } from '#contract/moderation/person-cases.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { audited } from '#server/testing/people/identity.ts'
import { call, type Member, signInAgain, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a case that staff open', () => {
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
    const opened = async (as: Member, about: string, target: string): Promise<string> => {
      const reply = await desk.open(as, about, target)
      if (reply.statusCode !== 200) throw new Error(`refused: ${reply.body}`)
      return reply.json().case.id
    }
    const casesOf = async (as: Member, of: Member) =>
      (await call(world, as, 'GET', `/admin/people/${of.id}/cases`)).json()
    const contentOf = async (as: Member, of: Member, query = '') =>
      (await call(world, as, 'GET', `/admin/people/${of.id}/content${query}`)).json()
    const suspending = { ...acting, person: 'suspend', days: 7, text_to_reporters: '' }

    test('suspends a person, who is informed by email, appeals, and signs in again once it is undone', async () => {
      const [writer, one, staff] = people()
      const id = await opened(staff, 'person', writer.id)
      const note = '別の名義でも同じ行為があった'
      const decided = await desk.ask(staff, `/${id}/decide`, { seen: 0, decision: suspending, note })
      expect(outcomeOf(decided)).toBe(200)
      expect(decided.json().case).toMatchObject({ kind: 'person', state: 'decided', taken: null })
      expect(outcomeOf(await call(world, writer, 'GET', '/decisions/own'))).toBe('suspended')
      const email = (await emailsTo(world, writer.email)).find((it) => it.is === 'measure')
      expect(email).toMatchObject({ text: acting.text_to_person, rule: 'harassment' })
      const link = new URLSearchParams(new URL(String(email && 'url' in email && email.url)).hash.slice(1))
      const body = { decision_id: link.get('decision'), token: link.get('token') }
      const read = await call(world, null, 'POST', '/decisions/read', body)
      expect(read.json().decision).toMatchObject({ kind: 'person', measures: [{ kind: 'suspend' }] })
      // The note is for staff.
      expect(read.body).not.toContain(note)
      expect((await casesOf(staff, writer)).decisions).toMatchObject([{ note, by: { id: staff.id } }])

      expect(outcomeOf(await desk.undo(staff, id))).toBe(200)
      expect(outcomeOf(await call(world, writer, 'GET', '/decisions/own'))).toBe('unauthenticated')
      expect(await desk.own(await signInAgain(world, writer))).toMatchObject([
        { text: acting.text_to_person, undone_at: expect.any(String) },
      ])
      const emails = await emailsTo(world, writer.email)
      expect(emails.filter((it) => it.is === 'measure_undone')).toMatchObject([{ measures: ['suspend'] }])
      // Without a report or a hold nothing waits for another decision.
      expect((await desk.list(staff)).map((it) => it.id)).not.toContain(id)
      expect(outcomeOf(await call(world, one, 'GET', `/posts/${post}`))).toBe(200)
    })

    test('is not opened about oneself, other staff, what one has reported, and what is not there', async () => {
      const [writer, one, staff] = people()
      const before = (await audited(world)).length
      const [admin, finance] = [await desk.staff('admin'), await desk.staff('finance')]
      await desk.report(staff, `person/${one.id}`)
      for (const [as, target, code] of [
        [staff, staff.id, 'forbidden'],
        [staff, finance.id, 'forbidden'],
        [staff, admin.id, 'forbidden'],
        [staff, one.id, 'forbidden'],
        [staff, newId(), 'not_found'],
        [writer, one.id, 'not_found'],
        [finance, one.id, 'not_found'],
      ] as const)
        expect([target, outcomeOf(await desk.open(as, 'person', target))]).toEqual([target, code])
      expect(outcomeOf(await desk.open(staff, 'message', newId()))).toBe('invalid')
      expect(outcomeOf(await desk.open(staff, 'post', await desk.publish(staff)))).toBe('forbidden')
      await call(world, writer, 'DELETE', `/posts/${post}`)
      expect(outcomeOf(await desk.open(staff, 'post', post))).toBe('not_found')
      expect((await audited(world)).length).toBe(before)
      expect(outcomeOf(await desk.open(admin, 'person', finance.id))).toBe(200)
      // What was refused has left no case.
      expect(await desk.run('select 1 from cases where target_id = any($1)', [[staff.id, admin.id]])).toEqual(
        [],
      )
    })

    test('is of one of two people at a time, and left without a decision it is as before', async () => {
      const [writer, , staff] = people()
      const other = await desk.staff('moderator')
      const both = await Promise.all([staff, other].map((it) => desk.open(it, 'person', writer.id)))
      expect(both.map(outcomeOf).toSorted()).toEqual([200, 'conflict'])
      const [holder, waiting] = both[0]?.statusCode === 200 ? [staff, other] : [other, staff]
      const { case: shown } = await casesOf(waiting, writer)
      expect(shown.taken.by.id).toBe(holder.id)
      const decision = { seen: 0, decision: suspending }
      expect(outcomeOf(await desk.ask(waiting, `/${shown.id}/decide`, decision))).toBe('conflict')
      expect(outcomeOf(await desk.ask(holder, `/${shown.id}/leave`, {}))).toBe(200)
      expect((await casesOf(waiting, writer)).case).toBe(null)

      const id = await opened(waiting, 'person', writer.id)
      await desk.ask(waiting, `/${id}/decide`, {
        ...decision,
        decision: { ...suspending, person: 'warn', days: null },
      })
      await opened(holder, 'person', writer.id)
      await desk.ask(holder, `/${id}/leave`, {})
      expect((await casesOf(waiting, writer)).case).toMatchObject({ id, state: 'decided' })
    })

    test('with reports waits for them when it is left, and its decision answers them', async () => {
      const [writer, one, staff] = people()
      await desk.report(one, `post/${post}`)
      const id = await opened(staff, 'post', post)
      await desk.ask(staff, `/${id}/leave`, {})
      expect((await desk.list(staff, `?about=${writer.id}`)).map((it) => [it.id, it.reports])).toEqual([
        [id, 1],
      ])
      await opened(staff, 'post', post)
      const decision = { ...acting, content: 'hide', text_to_reporters: '' }
      const unanswered = await desk.ask(staff, `/${id}/decide`, { seen: 1, decision })
      expect(unanswered.json().error.fields).toEqual({ text_to_reporters: 'required' })
      await desk.ask(staff, `/${id}/decide`, {
        seen: 1,
        decision: { ...decision, text_to_reporters: 'はい' },
      })
      expect((await call(world, one, 'GET', '/reports/own')).json().reports[0].state).toBe('acted')
    })

    test('is not opened while its appeal waits for an answer', async () => {
      const [writer, , staff] = people()
      const id = await opened(staff, 'person', writer.id)
      const warning = { ...suspending, person: 'warn', days: null }
      await desk.ask(staff, `/${id}/decide`, { seen: 0, decision: warning })
      const [own] = await desk.own(writer)
      expect(outcomeOf(await desk.appeal(writer, { decision_id: own?.id, text: '違います' }))).toBe(200)
      expect(outcomeOf(await desk.open(await desk.staff('moderator'), 'person', writer.id))).toBe('conflict')
      expect(outcomeOf(await desk.undo(staff, id))).toBe('conflict')
    })

    test('an earlier decision is undone without the later one', async () => {
      const [writer, one, staff] = people()
      const id = await opened(staff, 'person', writer.id)
      const limiting = { ...suspending, person: 'limit', days: null }
      await desk.ask(staff, `/${id}/decide`, { seen: 0, decision: limiting })
      world.clock.now += 1000
      await opened(staff, 'person', writer.id)
      await desk.ask(staff, `/${id}/decide`, { seen: 0, decision: { ...limiting, person: 'warn' } })
      const [, limited] = (await casesOf(staff, writer)).decisions as PersonDecision[]
      const latest = async () => (await call(world, one, 'GET', '/feed/latest')).body.includes(post)
      expect(await latest()).toBe(false)
      expect(outcomeOf(await desk.undo(staff, id, limited?.id))).toBe(200)
      expect(await latest()).toBe(true)
      expect(outcomeOf(await desk.undo(staff, id, limited?.id))).toBe('gone')
      expect((await casesOf(staff, writer)).decisions).toMatchObject([{ undone: null }, { undone: {} }])
    })

    test('hides a post and a comment of the list of a person, where they stay with their state', async () => {
      const [writer, one, staff] = people()
      const comment = await desk.comment(writer, post)
      const removed = await desk.publish(writer, '本人が消した投稿')
      await call(world, writer, 'DELETE', `/posts/${removed}`)
      const states = async (query: string) =>
        (await contentOf(staff, writer, query)).content.map((it: PersonContent) => [
          it.id,
          it.post_id,
          it.state,
        ])
      expect(await states('')).toEqual([[post, post, 'present']])
      expect(await states('?kind=comment')).toEqual([[comment, post, 'present']])
      for (const [what, target] of [
        ['comment', comment],
        ['post', post],
      ] as const) {
        const id = await opened(staff, what, target)
        const decision = { ...acting, content: 'hide', text_to_reporters: '' }
        expect(outcomeOf(await desk.ask(staff, `/${id}/decide`, { seen: 0, decision }))).toBe(200)
      }
      expect(outcomeOf(await call(world, one, 'GET', `/posts/${post}`))).toBe('not_found')
      expect(await states('')).toEqual([[post, post, 'withheld']])
      expect(await states('?kind=comment')).toEqual([[comment, post, 'withheld']])
      for (let n = 0; n < 25; n++) await desk.publish(writer, `投稿${n}`)
      const first = await contentOf(staff, writer)
      const second = await contentOf(staff, writer, `?cursor=${first.next}`)
      const ids = [...first.content, ...second.content].map((it: PersonContent) => it.id)
      expect([first.content.length, new Set(ids).size, second.next]).toEqual([20, 26, null])
    })

    test('of staff is seen by others alone: neither its count, nor its list, nor the page shows it to them', async () => {
      const [, one, staff] = people()
      const admin = await desk.staff('admin')
      const waiting = async (as: Member) =>
        (await call(world, as, 'GET', '/admin/desk')).json().waiting[0].count as number
      const before = [await waiting(staff), await waiting(admin)]
      await desk.report(one, `person/${staff.id}`)
      expect([await waiting(staff), await waiting(admin)]).toEqual([before[0], (before[1] ?? 0) + 1])
      for (const it of [casesOf, contentOf]) expect((await it(staff, staff)).error.code).toBe('not_found')
      const about = async (as: Member) =>
        (await call(world, as, 'GET', `/admin/people/${staff.id}`)).json().activity.reports_about
      expect([await about(staff), await about(admin)]).toEqual([null, 1])
      expect(await desk.list(staff, `?about=${staff.id}`)).toEqual([])
      expect(await desk.list(admin, `?about=${staff.id}`)).toHaveLength(1)
      expect(await desk.list(admin, `?by=${one.id}`)).toHaveLength(1)
      expect(await desk.list(admin, `?by=${staff.id}`)).toEqual([])
      expect(await casesOf(admin, one)).toMatchObject({ decisions: [], waiting: { about: false, by: true } })
    })

    test('needs a validation, as every decision, and the lock of 15 minutes', async () => {
      const [writer, , staff] = people()
      const id = await opened(staff, 'person', writer.id)
      world.clock.now += DAY
      const decision = { seen: 0, decision: suspending }
      expect(outcomeOf(await desk.ask(staff, `/${id}/decide`, decision))).toBe('validation_required')
      await desk.run('update sessions set validated_at = $1', [new Date(world.clock.now).toISOString()])
      expect(outcomeOf(await desk.ask(staff, `/${id}/decide`, decision))).toBe('conflict')
      expect(await opened(staff, 'person', writer.id)).toBe(id)
      expect(outcomeOf(await desk.ask(staff, `/${id}/decide`, decision))).toBe(200)
    })
  })
})
