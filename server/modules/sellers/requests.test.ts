// Tests requests for a seller's data: who answers, limits, the log, deadlines, and the operator.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { SELLER_ANSWER_MS, SELLER_SHOWN_MS } from '#contract/sellers/sellers.ts'
import { listReceived } from '#server/store/sellers/requests.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { admin } from '#server/testing/people/identity.ts'
import { deleteDue, leave, validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, identify, type Member, signInAgain, signUp } from '#server/testing/people/members.ts'
import { buy } from '#server/testing/payments/bought.ts'
import {
  openSellerShop,
  request,
  sellerPage,
  sellerValues,
  storeSeller,
} from '#server/testing/sellers/sellers.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepSellers } from './sweep.ts'

const DAY = 24 * 3600_000

let world: World
let creator: Member
let buyer: Member
let fan: Member
let postId: string

/** Kinds of the emails about sellers that a person got, with the state of those to creators. */
const told = async (as: Member) =>
  (await emailsTo(world, as.email)).flatMap((it) => {
    if (it.is === 'seller_requested') return [`requested ${it.state}`]
    return it.is.startsWith('seller_') && it.is !== 'seller_stored' ? [it.is] : []
  })
const received = async (as: Member) => (await call(world, as, 'GET', '/seller/requests')).json().requests
const waitingFor = async (as: Member) =>
  (await call(world, as, 'GET', '/admin/seller-requests')).json().requests
const answer = (as: Member, id: string, body: object) =>
  call(world, as, 'POST', `/admin/seller-requests/${id}/answer`, body)

async function openScene() {
  ;({ creator, buyer, postId } = await openSellerShop(world))
  fan = await signUp(world)
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a request', () => {
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(openScene)

    test('of a buyer is answered at once, on the page and by email, and the creator is informed by whom', async () => {
      await storeSeller(world, creator)
      const reply = await request(world, buyer, creator, '返金について')
      const [at, until] = [world.clock.now, world.clock.now + SELLER_SHOWN_MS].map((it) =>
        new Date(it).toISOString(),
      )
      expect(reply.json()).toMatchObject({
        is: 'disclosed',
        seller: sellerValues,
        shown_until: until,
        request: { requested_at: at, answered_at: at, answer: 'disclosed', note: '' },
        may_request: 'no',
      })
      const email = (await emailsTo(world, buyer.email)).find((it) => it.is === 'seller_disclosed')
      const { name: seller, email: contact, ...rest } = sellerValues
      expect(email).toMatchObject({ seller, contact, ...rest })
      expect(await told(creator)).toEqual(['requested disclosed'])
      expect(JSON.stringify(await emailsTo(world, creator.email))).not.toContain('返金について')
      expect(await received(creator)).toMatchObject([
        { requester: { id: buyer.id }, requested_at: at, answered_at: at, answer: 'disclosed' },
      ])
      world.clock.now += SELLER_SHOWN_MS
      expect(await sellerPage(world, buyer, creator)).toMatchObject({
        is: 'on_request',
        may_request: 'at_once',
      })
    })

    test('is not made twice, and data that are shown are not requested again', async () => {
      await Promise.all([request(world, fan, creator), request(world, fan, creator)])
      await request(world, fan, creator)
      expect(await received(creator)).toHaveLength(1)
      expect(await told(fan)).toEqual(['seller_request_taken'])
      await storeSeller(world, creator)
      await request(world, buyer, creator)
      await request(world, buyer, creator)
      expect(await received(creator)).toHaveLength(2)
    })

    test('a block after the answer hides the data, and stays out of the log of the creator', async () => {
      await storeSeller(world, creator)
      await request(world, buyer, creator)
      await call(world, creator, 'PUT', `/blocks/${buyer.id}`)
      expect(await sellerPage(world, buyer, creator)).toMatchObject({
        is: 'on_request',
        seller: null,
        may_request: 'by_operator',
      })
      expect(await received(creator)).toMatchObject([{ requester: { id: buyer.id } }])
    })

    test('the fourth of a person within a day is refused', async () => {
      const creators = [creator]
      for (let i = 0; i < 3; i++) creators.push((await openSellerShop(world)).creator)
      const results: number[] = []
      for (const it of creators) results.push((await request(world, fan, it)).statusCode)
      expect(results).toEqual([200, 200, 200, 429])
      world.clock.now += DAY
      expect((await request(world, fan, creators[3] ?? creator)).statusCode).toBe(200)
    })

    test('is refused to visitors, to the creator, for public data, and with too long a reason', async () => {
      expect(errorOf(await request(world, null, creator)).code).toBe('unauthenticated')
      expect(errorOf(await request(world, creator, creator)).code).toBe('conflict')
      expect(errorOf(await request(world, fan, creator, 'あ'.repeat(501))).fields).toEqual({
        reason: 'too_long',
      })
      const heavy = '👩‍👩‍👧‍👦'.repeat(400)
      expect(errorOf(await request(world, fan, creator, heavy)).fields).toEqual({ reason: 'too_many_bytes' })
      expect(errorOf(await request(world, fan, await signUp(world))).code).toBe('not_found')
      await storeSeller(world, creator, { display: 'published' })
      expect(errorOf(await request(world, fan, creator)).code).toBe('conflict')
    })

    test('that waited is answered when data are stored, when the person buys, and after a block ends', async () => {
      await request(world, buyer, creator)
      await request(world, fan, creator)
      expect(await told(creator)).toEqual(['requested missing', 'requested missing'])
      await storeSeller(world, creator)
      expect(await told(buyer)).toEqual(['seller_request_taken', 'seller_disclosed'])
      await sweepSellers(world.deps)
      expect(await told(fan)).toEqual(['seller_request_taken'])
      await buy(world, fan, postId)
      await call(world, creator, 'PUT', `/blocks/${fan.id}`)
      await sweepSellers(world.deps)
      expect(await told(fan)).toEqual(['seller_request_taken'])
      await call(world, creator, 'DELETE', `/blocks/${fan.id}`)
      await sweepSellers(world.deps)
      await sweepSellers(world.deps)
      expect(await told(fan)).toEqual(['seller_request_taken', 'seller_disclosed'])
    })

    test('without data reminds the creator once, after a day', async () => {
      await request(world, buyer, creator)
      world.clock.now += DAY - 1
      await sweepSellers(world.deps)
      expect(await told(creator)).toEqual(['requested missing'])
      world.clock.now += 1
      await sweepSellers(world.deps)
      await sweepSellers(world.deps)
      expect(await told(creator)).toEqual(['requested missing', 'seller_missing'])
    })

    test('is removed three years later, unless it waits', async () => {
      await request(world, fan, creator)
      const { creator: other } = await openSellerShop(world)
      await storeSeller(world, other)
      await request(world, await identify(world, await signUp(world)), other)
      world.clock.now += 3 * 365 * DAY - 1
      const stored = async (of: Member) =>
        (await listReceived(world.deps.db, of.id, { after: undefined, limit: 9 })).length
      await sweepSellers(world.deps)
      expect(await stored(other)).toBe(1)
      world.clock.now += 1
      await sweepSellers(world.deps)
      expect([await stored(other), await stored(creator)]).toEqual([0, 1])
    })

    test('loses its person with the account, and stays in the log of the creator', async () => {
      await storeSeller(world, creator)
      await request(world, await identify(world, fan), creator, '住所を知りたい')
      await leave(world, fan)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      expect(await received(creator)).toMatchObject([{ requester: null, answer: 'disclosed' }])
    })
  })
})

describe('the operator', () => {
  let operator: Member
  beforeAll(async () => {
    world = await openWorld()
    return () => world.close()
  })
  beforeEach(async () => {
    await openScene()
    operator = await admin(world)
    await validate(world, operator)
    await storeSeller(world, creator)
    await request(world, fan, creator, '届かないため')
  })
  const own = async () =>
    (await waitingFor(operator)).find((it: { creator: { id: string } }) => it.creator.id === creator.id)

  test('sees what waits, with what decides it, and each reading is in the audit log', async () => {
    const due = new Date(world.clock.now + SELLER_ANSWER_MS).toISOString()
    expect(await own()).toMatchObject({
      requester: { id: fan.id },
      relation: 'none',
      blocked: false,
      has_data: true,
      reason: '届かないため',
      due_at: due,
    })
    const { rows } = await world.database.executeSql(
      `select act, detail from audit_log where actor_id = $1`,
      [operator.id],
    )
    expect(rows).toMatchObject([{ act: 'seller_requests.list', detail: { requests: expect.any(Array) } }])
  })

  test('gives the stored data or answers in words, once, and it is in the audit log', async () => {
    const { id } = await own()
    expect((await answer(operator, id, { is: 'disclosed' })).statusCode).toBe(200)
    expect(errorOf(await answer(operator, id, { is: 'mediated', note: '取り次ぎます' })).code).toBe(
      'conflict',
    )
    expect(await sellerPage(world, fan, creator)).toMatchObject({ is: 'disclosed', seller: sellerValues })
    expect(await told(creator)).toEqual(['requested waiting', 'requested disclosed'])
    world.clock.now += SELLER_SHOWN_MS
    await request(world, fan, creator)
    await validate(world, operator)
    const second = (await own()).id
    await answer(operator, second, { is: 'mediated', note: '取り次ぎます' })
    expect((await emailsTo(world, fan.email)).at(-1)).toMatchObject({
      is: 'seller_mediated',
      note: '取り次ぎます',
    })
    expect(await sellerPage(world, fan, creator)).toMatchObject({
      is: 'on_request',
      request: { answer: 'mediated', note: '取り次ぎます' },
      may_request: 'by_operator',
    })
    const { rows } = await world.database.executeSql(
      `select detail->>'answer' as answer from audit_log where act = 'seller_request.answer' and subject_id in ($1, $2) order by seq`,
      [id, second],
    )
    expect(rows).toEqual([{ answer: 'disclosed' }, { answer: 'mediated' }])
  })

  test('answers only what a list has shown to this admin since it was requested', async () => {
    const { id } = await own()
    const other = await admin(world)
    await validate(world, other)
    const bodies = [{ is: 'disclosed' }, { is: 'mediated', note: '取り次ぎます' }]
    for (const body of bodies) expect(errorOf(await answer(other, id, body)).code).toBe('unseen')
    expect(await told(fan)).toEqual(['seller_request_taken'])
    await waitingFor(other)
    const { creator: another } = await openSellerShop(world)
    world.clock.now += 1000
    await request(world, fan, another)
    const { rows } = await world.database.executeSql('select id from seller_requests where creator_id = $1', [
      another.id,
    ])
    const later = (rows[0] as { id: string }).id
    expect(errorOf(await answer(other, later, { is: 'mediated', note: '取り次ぎます' })).code).toBe('unseen')
    expect((await answer(other, id, { is: 'disclosed' })).statusCode).toBe(200)
  })

  test('needs a recent validation, words for an answer, and data to disclose', async () => {
    const { id } = await own()
    const fresh = await signInAgain(world, operator)
    expect(errorOf(await answer(fresh, id, { is: 'disclosed' })).code).toBe('validation_required')
    expect(errorOf(await answer(operator, id, { is: 'mediated', note: ' ' })).fields).toEqual({
      note: 'required',
    })
    expect(errorOf(await answer(operator, creator.id, { is: 'disclosed' })).code).toBe('not_found')
    await call(world, creator, 'DELETE', '/seller')
    expect(errorOf(await answer(operator, id, { is: 'disclosed' })).code).toBe('conflict')
    for (const as of [fan, creator])
      expect(errorOf(await answer(as, id, { is: 'disclosed' })).code).toBe('not_found')
    expect((await call(world, fan, 'GET', '/admin/seller-requests')).statusCode).toBe(404)
  })
})
