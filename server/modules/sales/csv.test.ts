// Sales as CSV: rows, encodings, filters, and many entries.
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShop, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let shop: Shop
beforeAll(async () => {
  world = await openWorld()
  world.clock.now = inTokyo('2026-11-05T12:00')
  shop = await openShop(world)
  await buy(world, shop.buyer, shop.postId)
})
afterAll(() => world.close())

const download = (query = '') => call(world, shop.creator, 'GET', `/sales/entries.csv?${query}`)
const HEAD =
  '"日付","内容","種類","対象","金額（円・税込）","手数料（円・税込）","差引額（円）","決済番号","明細番号"\r\n'

describe('sales as CSV', () => {
  test('have a head and a row for each entry, as UTF-8 with BOM', async () => {
    const reply = await download('month=2026-11')
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="todoke-sales-2026-11.csv"',
      'cache-control': 'private, no-store',
    })
    const [{ id, payment_id } = { id: '', payment_id: '' }] = await rowsOf<{
      id: string
      payment_id: string
    }>(world, 'select e.id, c.payment_id from ledger_entries e join charges c on c.id = e.charge_id')
    expect(reply.rawPayload.toString()).toBe(
      `\uFEFF${HEAD}"2026-11-05","販売","有料の投稿","有料の投稿です","500","50","450","${payment_id}","${id}"\r\n`,
    )
  })

  test.each([
    ['', 'todoke-sales.csv'],
    ['month=2026-10', 'todoke-sales-2026-10.csv'],
    ['day=2026-11-05', 'todoke-sales-2026-11-05.csv'],
  ])('of "%s" are the file %s', async (query, name) => {
    const { headers } = await download(query)
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`)
  })

  test('are the same as Shift_JIS', async () => {
    const reply = await download('encoding=shift_jis')
    expect(reply.headers['content-type']).toBe('text/csv; charset=Shift_JIS')
    const utf8 = (await download()).rawPayload.toString()
    expect(`\uFEFF${iconv.decode(reply.rawPayload, 'Shift_JIS')}`).toBe(utf8)
  })

  test('without an entry are a head', async () => {
    expect((await download('month=2026-10')).rawPayload.toString()).toBe(`\uFEFF${HEAD}`)
  })

  test('cannot be calculated by a spreadsheet', async () => {
    await rowsOf(world, `update posts set content = '=HYPERLINK("x")' where id = $1`, [shop.postId])
    expect((await download()).rawPayload.toString()).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('have every entry once when there are more than are read at once', async () => {
    const other = (await openShop(world)).creator
    const creator = other.id
    const buyer = (await signUp(world)).id
    await rowsOf(
      world,
      `with n as (select gen_random_uuid() as id, gen_random_uuid() as charge, gen_random_uuid() as entry, i
         from generate_series(1, 2500) i),
       p as (insert into payments (id, user_id, creator_id, kind, amount, fee_rate, state, session_id, auth_id,
           created_at, expires_at, paid_at)
         select id, $2, $1, 'post', 100, 1000, 'paid', 's', 'a', now(), now(), now() from n),
       c as (insert into charges (id, provider, gid, payment_id, amount, is_surplus, charged_at)
         select charge, 'many', i, id, 100, false, now() from n),
       e as (insert into ledger_entries (id, at, cause, charge_id, creator_id)
         select entry, '2026-11-10'::timestamptz + (i / 100) * interval '1 minute', 'sale', charge, $1 from n)
       insert into ledger_lines (id, entry_id, account, creator_id, amount)
         select gen_random_uuid(), entry, 'creator_payable', $1::uuid, -100 from n
         union all select gen_random_uuid(), entry, 'provider_receivable', null, 100 from n`,
      [creator, buyer],
    )
    const owner = await rowsOf<{ id: string }>(world, 'select id from ledger_entries where creator_id = $1', [
      creator,
    ])
    expect(owner).toHaveLength(2500)
    const reply = await call(world, other, 'GET', '/sales/entries.csv')
    const ids = reply.rawPayload
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(-37, -1))
    expect(ids.toSorted()).toEqual(owner.map((it) => it.id).toSorted())
  })

  test.each(['encoding=utf-16', 'item=1', 'day=2026-02-30'])('with %j are refused', async (query) => {
    expect(errorOf(await download(query)).code).toBe('invalid')
  })
})
