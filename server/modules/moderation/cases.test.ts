// Cases: their reports, who sees and takes them, and two people on one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn, dismissing } from '#server/testing/moderation/desk.ts'
import { audited, identify } from '#server/testing/people/identity.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a case', () => {
    let world: World
    let [author, reader, moderator]: Member[] = []
    let post: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, settings: { limits: noLimits } })
    })
    afterAll(() => world.close())
    const desk = deskIn(() => world)
    beforeEach(async () => {
      await desk.run(`update cases set state = 'decided'`, [])
      author = await signUp(world)
      reader = await signUp(world)
      moderator = await desk.staff('moderator')
      post = await desk.publish(author)
    })
    const people = () => [author, reader, moderator] as [Member, Member, Member]

    test('joins all reports of one thing, with their reasons and the text as it was', async () => {
      const [, one, staff] = people()
      const two = await signUp(world)
      await desk.report(one, `post/${post}`, 'spam')
      await desk.report(two, `post/${post}`, 'harassment', '怖いです')
      await desk.report(two, `post/${post}`, 'spam')
      await desk.run(`update posts set content = '直した投稿' where id = $1`, [post])
      const [row, ...others] = await desk.list(staff)
      expect(others).toEqual([])
      expect(row).toMatchObject({
        kind: 'post',
        target_id: post,
        state: 'open',
        reports: 2,
        reasons: ['spam'],
        excerpt: 'ひどい投稿',
        taken: null,
      })
      const view = await desk.read(staff, defined(row?.id))
      expect(view).toMatchObject({
        reported: { content: 'ひどい投稿' },
        current: { state: 'present', text: '直した投稿' },
        counts: { reports_about: 2, reports_by: 0 },
        may_measure_person: true,
      })
      expect(view.history.map((it) => it.reporter?.id).toSorted()).toEqual([one.id, two.id].toSorted())
    })

    test('is listed by age and weight, by kind and state, in pages, each reading audited', async () => {
      const [writer, one, staff] = people()
      const heavy = await desk.publish(writer)
      await desk.report(one, `post/${post}`)
      world.clock.now += 1000
      for (const by of [one, await signUp(world)]) await desk.report(by, `post/${heavy}`)
      world.clock.now += 1000
      await desk.report(one, `person/${writer.id}`)
      const targets = async (query: string) => (await desk.list(staff, query)).map((it) => it.target_id)
      expect(await targets('?order=age')).toEqual([post, heavy, writer.id])
      expect(await targets('?order=weight')).toEqual([heavy, post, writer.id])
      expect(await targets('?kind=person')).toEqual([writer.id])
      expect(await targets('?kind=person&order=weight')).toEqual([writer.id])
      const before = (await audited(world)).length
      await desk.act(staff, await desk.caseOf(post), dismissing)
      expect(await targets('?state=decided')).toContain(post)
      expect(await targets('')).toEqual([heavy, writer.id])
      const acts = (await audited(world)).slice(before).map((it) => it.act)
      expect(acts).toEqual(['case.take', 'case.read', 'case.decide', 'cases.list', 'cases.list'])
    })

    test('pages continue in each order', async () => {
      const [, , staff] = people()
      await desk.run(
        `insert into cases (id, target_kind, target_id, state, reports, since)
         select gen_random_uuid(), 'post', gen_random_uuid(), 'open', n % 3, now() - n * interval '1 minute' from generate_series(1, 70) n`,
        [],
      )
      for (const order of ['age', 'weight']) {
        const ids: string[] = []
        for (let cursor: string | null = ''; cursor !== null;) {
          const query: string = cursor === '' ? '' : `&cursor=${cursor}`
          const page = (await desk.ask(staff, `?order=${order}${query}`)).json()
          ids.push(...page.cases.map((it: { id: string }) => it.id))
          cursor = page.next
        }
        expect([order, ids.length, new Set(ids).size]).toEqual([order, 70, 70])
      }
    })

    test('is not there for its owner and its reporters, although they are staff', async () => {
      const [writer, one, staff] = people()
      await desk.report(one, `post/${post}`)
      const id = await desk.caseOf(post)
      for (const it of [writer, one]) {
        await desk.run(`update users set role = 'moderator' where id = $1`, [it.id])
        await identify(world, it)
        expect(await desk.list(it)).toEqual([])
        for (const reply of [
          await desk.ask(it, `/${id}`),
          await desk.take(it, id),
          await desk.decide(it, id, dismissing),
          await desk.undo(it, id),
        ])
          expect(outcomeOf(reply)).toBe('not_found')
      }
      expect(outcomeOf(await desk.take(staff, id))).toBe(200)
      expect(outcomeOf(await desk.ask(staff, `/${newId()}`))).toBe('not_found')
    })

    test('is locked for others for 15 minutes; a demoted person can do nothing with it', async () => {
      const [, one, staff] = people()
      const other = await desk.staff('moderator')
      await desk.report(one, `post/${post}`)
      const id = await desk.caseOf(post)
      const taken = await Promise.all([desk.take(staff, id), desk.take(other, id)])
      expect(taken.map(outcomeOf).toSorted()).toEqual([200, 'conflict'])
      const [holder, waiting] = outcomeOf(taken[0]) === 200 ? [staff, other] : [other, staff]
      expect((await desk.list(waiting))[0]?.taken?.by.id).toBe(holder.id)
      expect(outcomeOf(await desk.decide(waiting, id, dismissing))).toBe('conflict')
      await desk.run(`update users set role = 'member' where id = $1`, [holder.id])
      expect(outcomeOf(await desk.decide(holder, id, dismissing))).toBe('not_found')
      await desk.run(`update users set role = 'moderator' where id = $1`, [holder.id])
      world.clock.now += CASE_LOCK_MS
      expect(outcomeOf(await desk.decide(holder, id, dismissing))).toBe('validation_required')
      await desk.run('update sessions set validated_at = $1', [new Date(world.clock.now).toISOString()])
      expect(outcomeOf(await desk.decide(holder, id, dismissing))).toBe('conflict')
      expect(outcomeOf(await desk.take(waiting, id))).toBe(200)
      expect(outcomeOf(await desk.ask(holder, `/${id}/leave`, {}))).toBe(200)
      expect(outcomeOf(await desk.decide(waiting, id, dismissing))).toBe(200)
    })

    test('cannot be decided while a report came that the page has not shown', async () => {
      const [, one, staff] = people()
      await desk.report(one, `post/${post}`)
      const id = await desk.caseOf(post)
      await desk.take(staff, id)
      await desk.report(await signUp(world), `post/${post}`)
      expect(outcomeOf(await desk.decide(staff, id, dismissing, 1))).toBe('conflict')
      expect(outcomeOf(await desk.decide(staff, id, dismissing, 2))).toBe(200)
    })

    test('a dismissal answers its reporters, and a later report of another person opens the case again', async () => {
      const [, one, staff] = people()
      await desk.report(one, `post/${post}`)
      const id = await desk.caseOf(post)
      await desk.act(staff, id, dismissing)
      const own = (await call(world, one, 'GET', '/reports/own')).json().reports
      expect(own[0]).toMatchObject({ state: 'dismissed', answer: dismissing.text_to_reporters })
      const listed = (await call(world, one, 'GET', '/notifications')).json().notifications
      expect(listed.map((it: { setting_cd: string }) => it.setting_cd)).toContain('report')
      expect((await desk.report(one, `post/${post}`)).json().is).toBe('decided')
      expect(await desk.list(staff)).toEqual([])
      await desk.report(await signUp(world), `post/${post}`)
      expect(await desk.list(staff)).toMatchObject([{ id, reports: 1 }])
      expect((await desk.read(staff, id)).decisions).toMatchObject([{ outcome: 'dismissed' }])
    })

    test('measures that a kind of content does not have are refused, and nothing is done', async () => {
      const [writer, one, staff] = people()
      await desk.report(one, `person/${writer.id}`)
      const id = await desk.caseOf(writer.id)
      await desk.take(staff, id)
      for (const [wrong, field] of [
        [{}, 'content'],
        [{ content: 'remove' }, 'content'],
        [{ person: 'warn', days: 7 }, 'days'],
        [{ person: 'warn', text_to_person: ' ' }, 'decision.text_to_person'],
      ] as const) {
        const reply = await desk.decide(staff, id, { ...acting, ...wrong })
        expect([outcomeOf(reply), Object.keys(reply.json().error.fields)]).toEqual(['invalid', [field]])
      }
      expect(outcomeOf(await desk.decide(staff, id, { ...acting, person: 'suspend', days: 8 }))).toBe(
        'invalid',
      )
      expect(await desk.own(writer)).toEqual([])
    })

    test('of two admins who suspend each other at once, one stays', async () => {
      const admins = [await desk.staff('admin'), await desk.staff('admin')] as const
      const ids: string[] = []
      for (const [n, it] of admins.entries()) {
        await desk.report(await signUp(world), `person/${it.id}`)
        ids.push(await desk.caseOf(it.id))
        await desk.take(admins[1 - n] ?? it, defined(ids[n]))
      }
      const suspending = { ...acting, person: 'suspend' }
      const outcomes = await Promise.all(
        admins.map((it, n) => desk.decide(it, defined(ids[1 - n]), suspending).then(outcomeOf)),
      )
      expect(outcomes.filter((it) => it === 200)).toHaveLength(1)
      const [left] = await desk.run(
        'select count(*)::int as n from users where id = any($1) and suspended_at is null',
        [admins.map((it) => it.id)],
      )
      expect(left?.['n']).toBe(1)
    })

    test('a moderator takes no measure about other staff, an admin does', async () => {
      const [writer, one, staff] = people()
      await desk.run(`update users set role = 'finance' where id = $1`, [writer.id])
      await desk.report(one, `post/${post}`)
      const id = await desk.caseOf(post)
      expect((await desk.read(staff, id)).may_measure_person).toBe(false)
      await desk.take(staff, id)
      expect(outcomeOf(await desk.decide(staff, id, { ...acting, person: 'suspend' }))).toBe('forbidden')
      await desk.ask(staff, `/${id}/leave`, {})
      await desk.act(await desk.staff('admin'), id, { ...acting, person: 'suspend' })
    })
  })
})
