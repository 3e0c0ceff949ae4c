// Tests a seller's page for every kind of viewer, and the own data.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { findSeller } from '#server/store/sellers/sellers.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import {
  openSellerShop,
  readSeller,
  sellerBody,
  sellerPage,
  sellerValues,
  storeSeller,
} from '#server/testing/sellers/sellers.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

type Viewer = 'visitor' | 'fan' | 'identified' | 'buyer' | 'refunded' | 'blockedFan' | 'blockedBuyer'
const viewers: readonly Viewer[] = [
  'visitor',
  'fan',
  'identified',
  'buyer',
  'refunded',
  'blockedFan',
  'blockedBuyer',
]
type State = 'published' | 'onRequest' | 'noData' | 'stopped' | 'suspended' | 'leaving'

/** What each viewer gets: the data, a request answered at once or by the operator, or 404. */
const table: Record<State, Record<Viewer, string>> = {
  published: {
    visitor: 'published no',
    fan: 'published no',
    identified: 'published no',
    buyer: 'published no',
    refunded: 'published no',
    blockedFan: 'not_found',
    blockedBuyer: 'published no',
  },
  onRequest: {
    visitor: 'on_request sign_in',
    fan: 'on_request by_operator',
    identified: 'on_request at_once',
    buyer: 'on_request at_once',
    refunded: 'on_request by_operator',
    blockedFan: 'not_found',
    blockedBuyer: 'on_request by_operator',
  },
  noData: {
    visitor: 'on_request sign_in',
    fan: 'on_request by_operator',
    identified: 'on_request by_operator',
    buyer: 'on_request by_operator',
    refunded: 'on_request by_operator',
    blockedFan: 'not_found',
    blockedBuyer: 'on_request by_operator',
  },
  stopped: forBuyers(),
  suspended: forBuyers(),
  leaving: forBuyers(),
}

function forBuyers(): Record<Viewer, string> {
  return {
    visitor: 'not_found',
    fan: 'not_found',
    identified: 'not_found',
    buyer: 'on_request at_once',
    refunded: 'on_request by_operator',
    blockedFan: 'not_found',
    blockedBuyer: 'on_request by_operator',
  }
}

async function openScene(world: World, state: State) {
  const { creator, buyer, postId, paymentId } = await openSellerShop(world)
  const next = () => signUp(world)
  const [fan, identified, blockedFan] = [await next(), await identify(world, await next()), await next()]
  await call(world, creator, 'PUT', `/blocks/${blockedFan.id}`)
  const run = (text: string, id: string) => world.database.executeSql(text, [id])
  if (state !== 'noData')
    await storeSeller(world, creator, state === 'published' ? { display: 'published' } : {})
  if (state === 'stopped') await run('update posts set deleted_at = now() where id = $1', postId)
  if (state === 'suspended') await run('update users set suspended_at = now() where id = $1', creator.id)
  if (state === 'leaving') await leave(world, creator)
  return { creator, people: { visitor: null, fan, identified, buyer, blockedFan }, paymentId }
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)("a seller's page", () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })

    const result = async (as: Member | null, creator: Member) => {
      const reply = await readSeller(world, as, creator)
      if (reply.statusCode !== 200) return errorOf(reply).code
      const { is, may_request: may, seller } = reply.json()
      expect(seller).toEqual(is === 'published' ? sellerValues : null)
      return `${is} ${may}`
    }

    test.each(Object.keys(table) as State[])('of a creator who is: %s', async (state) => {
      const { creator, people, paymentId } = await openScene(world, state)
      const got: Record<string, string> = {}
      for (const viewer of viewers) {
        if (viewer === 'refunded') {
          await call(world, people.buyer, 'DELETE', `/blocks/${creator.id}`)
          await refundPayment(world.deps, paymentId, { actorId: creator.id, ip: '' })
        }
        const as = viewer === 'refunded' || viewer === 'blockedBuyer' ? people.buyer : people[viewer]
        if (viewer !== 'blockedBuyer') got[viewer] = await result(as, creator)
        if (viewer !== 'buyer') continue
        await call(world, people.buyer, 'PUT', `/blocks/${creator.id}`)
        got['blockedBuyer'] = await result(people.buyer, creator)
      }
      expect(got).toEqual(table[state])
    })

    test('of a person who sells nothing is not there, except for themselves', async () => {
      const person = await signUp(world)
      expect((await readSeller(world, null, person)).statusCode).toBe(404)
      expect((await readSeller(world, null, { ...person, id: 'x' })).statusCode).toBe(422)
      expect(await sellerPage(world, person, person)).toMatchObject({ is: 'on_request', may_request: 'no' })
    })

    test('is there for a plan that is open or paused, and not for one that has ended', async () => {
      const creator = await signUp(world)
      const createdAt = new Date(world.clock.now)
      await addPlan(world.deps.db, {
        id: creator.id,
        creatorId: creator.id,
        name: '応援',
        price: 500,
        createdAt,
      })
      const status = async () => (await readSeller(world, null, creator)).statusCode
      const set = (text: string) =>
        world.database.executeSql(`update plans set ${text} where id = $1`, [creator.id])
      expect(await status()).toBe(200)
      await set('accepts_members = false')
      expect(await status()).toBe(200)
      await set(`ends_at = '${createdAt.toISOString()}'`)
      expect(await status()).toBe(404)
    })
  })
})

describe('the own data', () => {
  let world: World
  let creator: Member
  beforeAll(async () => {
    world = await openWorld({
      settings: { limits: { ...noLimits, sellers: { max: 3, timeWindow: 60_000 } } },
    })
    return () => world.close()
  })
  beforeEach(async () => {
    creator = await identify(world, await signUp(world))
  })

  test('are stored sealed for their owner, replaced, and removed, each announced by email', async () => {
    const stored = await storeSeller(world, creator)
    const at = new Date(world.clock.now).toISOString()
    expect(stored.json()).toEqual({
      stored: { ...sellerBody, registration_number: '', registered_on: '', stored_at: at },
      may_store: 'yes',
      sells: false,
      legal_name: '',
    })
    const row = await findSeller(world.deps.db, creator.id)
    if (!row) throw new Error('no row')
    expect(JSON.stringify(row)).not.toMatch(/山田|1234|一番町|seller@/)
    expect(openSeller(world.deps, row)).toEqual({
      ...sellerValues,
      registration_number: '',
      registered_on: '',
    })
    expect(() => openSeller(world.deps, { ...row, userId: 'another' })).toThrow('unable to authenticate')
    await storeSeller(world, creator, { display: 'published' })
    expect((await call(world, creator, 'DELETE', '/seller')).json().stored).toBeNull()
    const told = (await emailsTo(world, creator.email)).map((it) =>
      it.is === 'seller_stored' ? it.published : it.is,
    )
    expect(told).toEqual([false, true, 'seller_removed'])
  })

  test.each([
    [{ name: ' ' }, { name: 'required' }],
    [{ name: 'あ'.repeat(101) }, { name: 'too_long' }],
    [{ address: 'あ'.repeat(201) }, { address: 'too_long' }],
    [{ address: '👩‍👩‍👧‍👦'.repeat(150) }, { address: 'too_many_bytes' }],
    [{ address: '一\n二' }, { address: 'control_characters' }],
    [{ phone: '03-12' }, { phone: 'phone' }],
    [{ phone: '03--1234-5678' }, { phone: 'phone' }],
    [{ phone: '1'.repeat(100_000) }, { phone: 'too_long' }],
    [{ email: 'seller' }, { email: 'email' }],
    [{ hours: 'あ'.repeat(101) }, { hours: 'too_long' }],
    [{ display: 'hidden' }, { display: 'malformed' }],
  ])('%j is refused', async (change, fields) => {
    const reply = await storeSeller(world, creator, change)
    expect([reply.statusCode, errorOf(reply).fields]).toEqual([422, fields])
  })

  test('the longest data of every field fit the table', async () => {
    const heavy = (most: number) => '👩‍👩‍👧'.repeat(Math.floor((most * 16) / 18))
    const longest = { name: heavy(100), address: heavy(200), hours: heavy(100) }
    expect((await storeSeller(world, creator, longest)).statusCode).toBe(200)
  })

  test('a telephone number is folded', async () => {
    const reply = await storeSeller(world, creator, { phone: ' ０３ー１２３４−５６７８ ', hours: '' })
    expect(reply.json().stored).toMatchObject({ phone: '03-1234-5678', hours: '' })
  })

  test('need an approved identity check, the age of 18 and a session, and have a rate limit', async () => {
    expect(errorOf(await storeSeller(world, await signUp(world))).code).toBe('identity_required')
    const young = await identify(world, await signUp(world, '2020-01-01'))
    expect(errorOf(await storeSeller(world, young)).code).toBe('under_age')
    for (const path of ['/seller', '/seller/requests'])
      expect(errorOf(await call(world, null, 'GET', path)).code).toBe('unauthenticated')
    for (let i = 0; i < 3; i++) await storeSeller(world, creator)
    expect(errorOf(await storeSeller(world, creator)).code).toBe('rate_limited')
  })

  test('are in the data export', async () => {
    await storeSeller(world, creator)
    const file = (await exportOf(world, creator)).find((it) => it.name === 'seller.json')
    expect(JSON.parse(defined(file?.bytes.toString()))).toMatchObject({ own: sellerBody, requests: [] })
  })
})
