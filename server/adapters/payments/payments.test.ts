// The provider's form has the specified fields in order, and notices are read strictly.
import { expect, test } from 'vitest'
import { createLinkForm } from './link-form.ts'
import { readNoticeQuery } from './notice-query.ts'

const shop = { url: 'https://pay.example/form', storeId: '123456', sendsCod: false }
const payment = { id: 'p-1', sessionId: 's-1', authId: 'a-1', amount: 500, itemName: 'とどけの有料投稿' }
const specified = 'am sf aofm tx jb aid payment_id session_id auth_id inm'
const id = '01890000-0000-7000-8000-000000000001'
const right = `gid=30486154&rst=1&ap=000306&ec=&god=30485311&cod=&am=500&tx=0&sf=0&ta=500&payment_id=${id}&session_id=s-1&auth_id=a-1`

test('the form has exactly the fields of the specification, and `cod` where the provider wants it', () => {
  const { action, fields } = createLinkForm(shop).form(payment)
  expect(action).toBe(shop.url)
  expect(fields.map((it) => it.name).join(' ')).toBe(specified)
  expect(Object.fromEntries(fields.map((it) => [it.name, it.value]))).toEqual({
    am: '500',
    sf: '0',
    aofm: '500',
    tx: '0',
    jb: 'CAPTURE',
    aid: '123456',
    payment_id: 'p-1',
    session_id: 's-1',
    auth_id: 'a-1',
    inm: 'とどけの有料投稿',
  })
  const withCod = createLinkForm({ ...shop, sendsCod: true }).form(payment).fields
  expect(withCod.at(-1)).toEqual({ name: 'cod', value: 'p-1' })
  expect(withCod).toHaveLength(11)
})

test('what the link form cannot do is a task', async () => {
  const provider = createLinkForm(shop)
  const all = [provider.stop('1'), provider.changeAmount('1', 500), provider.refund('1'), provider.list()]
  expect(await Promise.all(all)).toEqual(all.map(() => ({ is: 'task' })))
})

test('a notice is read, also with further fields and without `aid`', () => {
  const notice = {
    gid: '30486154',
    result: '1',
    paymentId: id,
    sessionId: 's-1',
    authId: 'a-1',
    storeId: null,
    orderCode: '',
    total: 500,
  }
  expect(readNoticeQuery(right)).toEqual({ is: 'notice', notice })
  expect(readNoticeQuery(`${right}&aid=123456&em=a%40b.example`)).toEqual({
    is: 'notice',
    notice: { ...notice, storeId: '123456' },
  })
})

test.each([
  ['encoding', right.replace('ap=000306', 'ap=%E3%81')],
  ['encoding', `${right}&x=%zz`],
  ['repeated', `${right}&ta=500`],
  ['repeated', `${right}&%74a=1`],
  ['missing', ''],
  ['missing', right.replace('gid=30486154&', '')],
  ['missing', right.replace('ta=500', 'ta=')],
  ['missing', right.replace('auth_id=a-1', '')],
  ['malformed', right.replace('ta=500', 'ta=-500')],
  ['malformed', right.replace('ta=500', 'ta=5e2')],
  ['malformed', right.replace('ta=500', 'ta=0500')],
  ['malformed', right.replace('ta=500', 'ta=99999999999999999999')],
  ['malformed', right.replace('ta=500', 'ta=%EF%BC%95%EF%BC%90%EF%BC%90')],
  ['malformed', right.replace('rst=1', 'rst=9')],
  ['malformed', right.replace('gid=30486154', `gid=${'1'.repeat(65)}`)],
  ['malformed', right.replace(id, 'x')],
  ['sum', right.replace('tx=0', 'tx=50')],
])('a notice is refused as `%s`: %s', (why, query) => {
  expect(readNoticeQuery(query)).toMatchObject({ is: 'problem', why })
})

test('the number and the result of an unreadable notice are named where they can be read', () => {
  const { gid, result } = { gid: '30486154', result: '1' }
  expect(readNoticeQuery(right.replace('ta=500', 'ta=x'))).toEqual({
    is: 'problem',
    why: 'malformed',
    gid,
    result,
  })
  expect(readNoticeQuery(right.replace('gid=30486154', 'gid=%00'))).toMatchObject({ gid: '', result: '1' })
})
