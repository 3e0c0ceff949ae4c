// Payment records of suspended people, by the link of the decision's email.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { recordsToken } from '#contract/moderation/records-token.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { outcomeOf } from '#server/testing/messages/chat.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { buy, filtersOf, issue, purchasesOf, receiptOf } from '#server/testing/payments/bought.ts'
import { openShop, type Shop } from '#server/testing/payments/shop.ts'
import { leave } from '#server/testing/people/leaving.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, type Member, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe('a suspended buyer', () => {
  let world: World
  let shop: Shop
  let staff: Member
  let bought: string
  let decision: string
  beforeAll(async () => {
    world = await openWorld({
      settings: { limits: { ...noLimits, noticesToOwner: { max: 1, timeWindow: DAY } } },
    })
  })
  afterAll(() => world.close())
  const desk = deskIn(() => world)
  beforeEach(async () => {
    shop = await openShop(world)
    staff = await desk.staff('admin')
    bought = await buy(world, shop.buyer, shop.postId)
    await desk.report(await signUp(world), `person/${shop.buyer.id}`)
    decision = await desk.caseOf(shop.buyer.id)
    await desk.act(staff, decision, { ...acting, person: 'suspend' })
  })

  /** The links in the emails of a kind. */
  const linksOf = async (kind: 'measure' | 'suspension_link') =>
    (await emailsTo(world, shop.buyer.email)).flatMap((it) =>
      it.is === kind && 'url' in it ? [new URLSearchParams(new URL(it.url).hash.slice(1))] : [],
    )
  /** The buyer with the link in place of a session. */
  const byLink = async (kind: 'measure' | 'suspension_link' = 'measure'): Promise<Member> => {
    const link = defined((await linksOf(kind)).at(-1))
    const [decisionId, token] = [defined(link.get('decision')), defined(link.get('token'))]
    return withToken(recordsToken({ decisionId, token }))
  }
  const withToken = (token: string): Member => ({
    ...shop.buyer,
    token,
    auth: { authorization: `Bearer ${token}` },
  })
  const signIn = () =>
    call(world, null, 'POST', '/auth/sign-in', { email: shop.buyer.email, password: PASSWORD })

  test('reads history, filters and receipts by the link, and issues a receipt', async () => {
    const buyer = await byLink()
    expect(await purchasesOf(world, buyer)).toMatchObject([{ id: bought, amount: 500, state: 'paid' }])
    expect((await filtersOf(world, buyer)).creators).toMatchObject([{ id: shop.creator.id }])
    expect((await call(world, buyer, 'GET', '/payments/surplus')).json()).toEqual({ charges: [] })
    expect((await receiptOf(world, buyer, bought)).issued).toBeNull()
    expect((await issue(world, buyer, bought, '山田 花子')).json()).toMatchObject({
      issued: { addressee: '山田 花子', count: 1 },
    })
  })

  test('does nothing else by the link, and nothing by the earlier session', async () => {
    const buyer = await byLink()
    const others: [Parameters<typeof call>[2], string, object?][] = [
      ['GET', '/auth/session'],
      ['POST', '/auth/sign-out'],
      ['GET', '/notifications'],
      ['PUT', `/posts/${shop.postId}/like`],
      ['GET', '/plans/joined'],
      ['GET', '/admin/cases'],
    ]
    for (const [method, path, body] of others) {
      const reply = await call(world, buyer, method, path, body)
      expect([path, [401, 404].includes(reply.statusCode)]).toEqual([path, true])
    }
    expect((await call(world, buyer, 'GET', `/posts/${shop.postId}`)).json().post?.access).not.toBe('full')
    for (const path of ['/payments', '/payments/filters', `/payments/${bought}/receipt`])
      expect(outcomeOf(await call(world, shop.buyer, 'GET', path))).toBe('suspended')
  })

  test('has no records by wrong links, of other people, and after the suspension was undone', async () => {
    const buyer = await byLink()
    const other = await openShop(world)
    const theirs = await buy(world, other.buyer, other.postId)
    expect(outcomeOf(await call(world, buyer, 'GET', `/payments/${theirs}/receipt`))).toBe('not_found')
    expect(outcomeOf(await issue(world, buyer, theirs, '山田'))).toBe('not_found')
    const token = defined(buyer.token.split('_').at(-1))
    const wrong = [
      recordsToken({ decisionId: newId(), token }),
      recordsToken({ decisionId: newId(), token: token.toLowerCase() }),
      `${buyer.token.slice(0, -1)}${buyer.token.endsWith('A') ? 'B' : 'A'}`,
    ]
    for (const it of wrong)
      expect(outcomeOf(await call(world, withToken(it), 'GET', '/payments'))).toBe('unauthenticated')
    await desk.undo(staff, decision)
    expect(outcomeOf(await call(world, buyer, 'GET', '/payments'))).toBe('unauthenticated')
  })

  test('learns from the decision whether the link opens records', async () => {
    const link = defined((await linksOf('measure')).at(-1))
    const body = { decision_id: link.get('decision'), token: link.get('token') }
    const read = async () => (await call(world, null, 'POST', '/decisions/read', body)).json().records
    expect(await read()).toBe(true)
    await desk.undo(staff, decision)
    expect(await read()).toBe(false)
  })

  test('receives the link again when signing in with the right password, once a day', async () => {
    const email = { email: shop.buyer.email, password: 'wrong-password-1' }
    expect(outcomeOf(await call(world, null, 'POST', '/auth/sign-in', email))).toBe('wrong_credentials')
    expect(await linksOf('suspension_link')).toEqual([])
    expect([outcomeOf(await signIn()), outcomeOf(await signIn())]).toEqual(['suspended', 'suspended'])
    expect(await linksOf('suspension_link')).toHaveLength(1)
    expect(await purchasesOf(world, await byLink('suspension_link'))).toHaveLength(1)
  })
})

test('a person who is leaving reads history and receipts', async () => {
  const world = await openWorld({ settings: { limits: noLimits } })
  try {
    const { buyer, postId } = await openShop(world)
    const bought = await buy(world, buyer, postId)
    await leave(world, buyer)
    expect(await purchasesOf(world, buyer)).toHaveLength(1)
    expect((await issue(world, buyer, bought, '山田 花子')).statusCode).toBe(200)
  } finally {
    await world.close()
  }
})
