// Plans of creators: added once, changed for new members, ordered, closed, and shown to others.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_PLANS } from '#contract/limits.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { defined } from '#contract/testing/defined.ts'
import { joinPlan } from '#server/store/plans/plans.ts'
import { addPost, call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000
const offer = {
  name: '応援プラン',
  description: '裏側の写真を、\n毎週お届けします。',
  thanks: 'ご加入ありがとうございます。',
  price: 500,
  member_limit: null,
  accepts_members: true,
  opens_cheaper: true,
  back_numbers: 'all',
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('plans of a creator', () => {
    let world: World
    let creator: Member
    let fan: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      creator = await identify(world, await signUp(world))
      fan = await signUp(world)
    })

    const add = (by: Member, change: object = {}, id = newId()) =>
      call(world, by, 'POST', '/plans', { id, ...offer, ...change })
    const added = async (change: object = {}) => (await add(creator, change)).json<OwnPlan>()
    const change = (by: Member, id: string, body: object) => call(world, by, 'PATCH', `/plans/${id}`, body)
    const close = (by: Member, id: string, day: string) =>
      call(world, by, 'POST', `/plans/${id}/close`, { ends_on: day })
    const ownNames = async (by: Member) =>
      (await call(world, by, 'GET', '/plans/own')).json<{ plans: OwnPlan[] }>().plans.map((it) => it.name)
    const offeredTo = async (by: Member) =>
      (await call(world, by, 'GET', `/users/${creator.id}`)).json<{ plans: { name: string }[] }>().plans
    const join = (id: string, by: Member) => joinPlan(world.deps.db, id, by.id, world.clock.now)
    const dayIn = (days: number) =>
      new Date(world.clock.now + 9 * 3600_000 + days * DAY).toISOString().slice(0, 10)

    test('a plan is added with everything it offers, and the profile shows it to fans', async () => {
      const plan = await added()
      expect(plan).toEqual({
        id: plan.id,
        ...offer,
        picture: null,
        next_picture: 'none',
        state: 'open',
        ends_at: null,
        member_count: 0,
        monthly_yen: 0,
      })
      const { thanks: _thanks, accepts_members: _accepts, member_limit: _limit, ...shown } = offer
      expect(await offeredTo(fan)).toEqual([
        { id: plan.id, ...shown, picture: null, state: 'open', ends_at: null },
      ])
    })

    test('the same request again changes nothing; the id of another person’s plan is a conflict', async () => {
      const id = newId()
      await add(creator, { price: 500 }, id)
      expect((await add(creator, { price: 900 }, id)).json().price).toBe(500)
      const other = await identify(world, await signUp(world))
      expect(errorOf(await add(other, {}, id)).code).toBe('conflict')
      expect(await ownNames(other)).toEqual([])
    })

    test('twenty equal requests at once add one plan', async () => {
      const id = newId()
      const replies = await Promise.all(Array.from({ length: 20 }, () => add(creator, {}, id)))
      expect(new Set(replies.map((it) => it.statusCode))).toEqual(new Set([200]))
      expect(await ownNames(creator)).toEqual([offer.name])
    })

    test('a person without an approved identity check, and one under 18, can neither add nor change', async () => {
      expect(errorOf(await add(fan)).code).toBe('identity_required')
      const plan = await added()
      await world.database.executeSql('update users set identified_at = null where id = $1', [creator.id])
      expect(errorOf(await change(creator, plan.id, { price: 600 })).code).toBe('identity_required')
      const young = await identify(world, await signUp(world, '2012-04-01'))
      expect(errorOf(await add(young)).code).toBe('under_age')
    })

    test('there are at most ten that have not ended, also with requests at once', async () => {
      const replies = await Promise.all(Array.from({ length: MAX_PLANS + 3 }, () => add(creator)))
      const codes = replies.map((it) => (it.statusCode === 200 ? 'added' : errorOf(it).code))
      expect(codes.toSorted()).toEqual([
        ...Array.from({ length: MAX_PLANS }, () => 'added'),
        ...Array.from({ length: 3 }, () => 'plan_limit'),
      ])
      const [first] = (await call(world, creator, 'GET', '/plans/own')).json<{ plans: OwnPlan[] }>().plans
      await close(creator, defined(first?.id), dayIn(0))
      expect(errorOf(await add(creator)).code).toBe('plan_limit')
      world.clock.now += DAY
      expect((await add(creator)).statusCode).toBe(200)
    })

    test.each([
      [{ price: 99 }, { price: 'too_small' }],
      [{ price: 50_001 }, { price: 'too_large' }],
      [{ price: 100.5 }, { price: 'malformed' }],
      [{ price: '500' }, { price: 'malformed' }],
      [{ name: ' ' }, { name: 'required' }],
      [{ name: 'あ'.repeat(51) }, { name: 'too_long' }],
      [{ name: '名\u202Eり' }, { name: 'control_characters' }],
      [{ description: 'あ'.repeat(2001) }, { description: 'too_long' }],
      [{ thanks: 'あ'.repeat(1001) }, { thanks: 'too_long' }],
      [{ member_limit: 0 }, { member_limit: 'too_small' }],
      [{ back_numbers: 'some' }, { back_numbers: 'malformed' }],
    ])('%j is refused at its field, when added and when changed', async (wrong, fields) => {
      const plan = await added()
      for (const reply of [await add(creator, wrong), await change(creator, plan.id, wrong)])
        expect([reply.statusCode, errorOf(reply)]).toEqual([422, { code: 'invalid', fields }])
      expect(await ownNames(creator)).toEqual([offer.name])
    })

    test('a change leaves out what it does not name; another person finds no plan', async () => {
      const plan = await added()
      const reply = await change(creator, plan.id, { price: 800, accepts_members: false })
      expect(reply.json()).toEqual({ ...plan, price: 800, accepts_members: false, state: 'paused' })
      const other = await identify(world, await signUp(world))
      for (const refused of [
        await change(other, plan.id, { price: 100 }),
        await close(other, plan.id, dayIn(40)),
        await call(world, other, 'GET', `/plans/${plan.id}/members`),
        await call(world, other, 'DELETE', `/plans/${plan.id}/picture`),
        await change(creator, newId(), {}),
      ])
        expect(errorOf(refused).code).toBe('not_found')
    })

    test('plans are in the creator’s order, and a new one comes last', async () => {
      const ids = []
      for (const name of ['い', 'ろ', 'は']) ids.push((await added({ name, price: 900 })).id)
      const [i = '', , ha = ''] = ids
      expect(await ownNames(creator)).toEqual(['い', 'ろ', 'は'])
      await call(world, creator, 'PUT', '/plans/order', { plan_ids: [ha, newId(), i] })
      expect(await ownNames(creator)).toEqual(['は', 'い', 'ろ'])
      expect((await offeredTo(fan)).map((it) => it.name)).toEqual(['は', 'い', 'ろ'])
      await added({ name: 'に', price: 100 })
      expect((await ownNames(creator)).at(-1)).toBe('に')
    })

    test('an order names no plan of another person', async () => {
      const plan = await added({ name: '一番' })
      await added({ name: '二番' })
      const other = await identify(world, await signUp(world))
      await call(world, other, 'PUT', '/plans/order', { plan_ids: [plan.id] })
      expect(await ownNames(creator)).toEqual(['一番', '二番'])
    })

    test('a limit of members is reached by members, and shown as full', async () => {
      const plan = await added({ member_limit: 1 })
      await join(plan.id, fan)
      expect(await offeredTo(fan)).toMatchObject([{ state: 'full' }])
      expect((await change(creator, plan.id, { member_limit: 2 })).json()).toMatchObject({
        state: 'open',
        member_count: 1,
      })
    })

    test('with members a plan ends in 30 days or later, without it may end today; the day is final', async () => {
      const plan = await added()
      await join(plan.id, fan)
      expect(errorOf(await close(creator, plan.id, dayIn(29)))).toEqual({
        code: 'invalid',
        fields: { ends_on: 'too_small' },
      })
      expect(errorOf(await close(creator, plan.id, dayIn(366))).fields).toEqual({ ends_on: 'too_large' })
      const day = dayIn(30)
      const closed = (await close(creator, plan.id, day)).json<OwnPlan>()
      expect(closed).toMatchObject({ state: 'closing', member_count: 1 })
      expect((await close(creator, plan.id, day)).json()).toEqual(closed)
      expect(errorOf(await close(creator, plan.id, dayIn(31))).code).toBe('conflict')
      expect(errorOf(await change(creator, plan.id, { price: 100 })).code).toBe('conflict')
      expect(await offeredTo(fan)).toMatchObject([{ state: 'closing', ends_at: closed.ends_at }])
      const empty = await added()
      await close(creator, empty.id, dayIn(0))
      world.clock.now += DAY
      expect(await offeredTo(fan)).toMatchObject([{ id: plan.id }])
      world.clock.now += 31 * DAY
      expect(await offeredTo(fan)).toEqual([])
      expect(await ownNames(creator)).toEqual([offer.name, offer.name])
    })

    test('a post cannot be written for an ended plan; one that it opened keeps it', async () => {
      const plan = await added()
      const post = (id: string) =>
        addPost(world, creator, [
          ['content', '海の便り'],
          ['type', '2'],
          ['plan_id[]', id],
        ])
      const postId = (await post(plan.id)).json().data[0].item.id
      await call(world, creator, 'POST', `/post/release-uploaded/${postId}`)
      await close(creator, plan.id, dayIn(0))
      world.clock.now += DAY
      expect(errorOf(await post(plan.id)).fields).toEqual({ 'plan_id[]': 'unknown_plan' })
      const audience = (ids: string[]) =>
        call(world, creator, 'PATCH', `/posts/${postId}`, { audience: { type: 2, plan_ids: ids } })
      expect((await audience([plan.id])).statusCode).toBe(200)
      await audience([(await added()).id])
      expect(errorOf(await audience([plan.id])).fields).toEqual({ plan_ids: 'unknown_plan' })
    })

    test('members are listed newest first, for the creator alone, without people a block hides', async () => {
      const plan = await added()
      const [first, second, third] = [fan, await signUp(world), await signUp(world)]
      for (const it of [first, second, third]) {
        await join(plan.id, it)
        world.clock.now += 1000
      }
      await call(world, second, 'PUT', `/blocks/${creator.id}`)
      const reply = await call(world, creator, 'GET', `/plans/${plan.id}/members`)
      expect(reply.json()).toMatchObject({
        members: [{ person: { id: third.id } }, { person: { id: first.id } }],
        next: null,
      })
      expect(errorOf(await call(world, fan, 'GET', `/plans/${plan.id}/members`)).code).toBe('not_found')
    })

    test('members and joined plans come in pages, each once', async () => {
      const plan = await added()
      const people = []
      for (let n = 0; n < 33; n++) {
        people.push(await signUp(world))
        await join(plan.id, people.at(-1) ?? fan)
        world.clock.now += n % 3
      }
      const ids: string[] = []
      let cursor = ''
      for (let page = 0; page < 3 && (page === 0 || cursor !== ''); page++) {
        const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
        const { members, next } = (
          await call(world, creator, 'GET', `/plans/${plan.id}/members${query}`)
        ).json<{ members: { person: { id: string } }[]; next: string | null }>()
        ids.push(...members.map((it) => it.person.id))
        cursor = next ?? ''
      }
      expect(ids.toSorted()).toEqual(people.map((it) => it.id).toSorted())
    })

    test('a member sees the plans they have joined, until each membership ends', async () => {
      const plan = await added()
      await join(plan.id, fan)
      const joined = async (by: Member) => (await call(world, by, 'GET', '/plans/joined')).json()
      expect(await joined(fan)).toEqual({
        plans: [
          {
            id: plan.id,
            name: offer.name,
            price: 500,
            creator: expect.objectContaining({ id: creator.id }),
            joined_at: new Date(world.clock.now).toISOString(),
            ends_at: null,
            membership: null,
          },
        ],
        ended: [],
        next: null,
      })
      expect(await joined(creator)).toEqual({ plans: [], ended: [], next: null })
      await world.database.executeSql('update plan_members set ends_at = $2 where plan_id = $1', [
        plan.id,
        new Date(world.clock.now + DAY),
      ])
      expect((await joined(fan)).plans).toHaveLength(1)
      world.clock.now += DAY
      expect((await joined(fan)).plans).toEqual([])
    })
  })
})
