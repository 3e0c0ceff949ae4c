// The provider's form has the specified fields in order, and notices are read strictly.
import { expect, test } from 'vitest'
import { createLinkForm } from './link-form.ts'
import { readNoticeQuery } from './notice-query.ts'

const shop = { url: 'https://pay.example/form', storeId: '123456', sendsCod: false, planJob: 'AUTH' }
const payment = {
  id: 'p-1',
  sessionId: 's-1',
  authId: 'a-1',
  amount: 500,
  itemName: 'とどけの有料投稿',
  chargeDay: null,
}
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

test('the form of a plan has the fields of the recurring charge besides, and the configured `jb`', () => {
  const { fields } = createLinkForm(shop).form({ ...payment, chargeDay: 28 })
  expect(fields.map((it) => it.name).join(' ')).toBe(`${specified} acam actx acsf actp ac1`)
  expect(Object.fromEntries(fields.map((it) => [it.name, it.value]))).toMatchObject({
    am: '500',
    jb: 'AUTH',
    acam: '500',
    actx: '0',
    acsf: '0',
    actp: '4',
    ac1: '28',
  })
  const withCod = createLinkForm({ ...shop, sendsCod: true }).form({ ...payment, chargeDay: 1 }).fields
  expect(withCod.map((it) => it.name).join(' ')).toBe(`${specified} cod acam actx acsf actp ac1`)
})

test('what the link form cannot do is a task', async () => {
  const provider = createLinkForm(shop)
  const all = [
    provider.stop('1'),
    provider.resume('1', 500),
    provider.changeAmount('1', 500),
    provider.refund('1', 500),
    provider.list(),
  ]
  expect(await Promise.all(all)).toEqual(all.map(() => ({ is: 'task' })))
})

test('a notice is read, also with further fields and without `aid`', () => {
  const notice = {
    gid: '30486154',
    result: '1',
    acid: '',
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
  expect(readNoticeQuery(`${right}&acid=77`)).toEqual({ is: 'notice', notice: { ...notice, acid: '77' } })
})

test.each([
  [`rst=2&cod=${id}`, { gid: '', result: '2', acid: '', paymentId: id }],
  [`rst=4&cod=${id}&acid=77&gid=9`, { gid: '9', result: '4', acid: '77', paymentId: id }],
  ['rst=3&acid=77&cod=', { gid: '', result: '3', acid: '77', paymentId: '' }],
])('a notice of a recurring charge without the fields of the form is read: %s', (query, notice) => {
  expect(readNoticeQuery(query)).toEqual({ is: 'stop', notice })
})

test.each([`rst=1&cod=${id}&acid=77`, 'rst=2', `rst=2&cod=${id}&acid=%20`, 'rst=2&cod=x&acid=77'])(
  'such a notice never charges, and needs one readable number: %s',
  (query) => expect(readNoticeQuery(query)).toMatchObject({ is: 'problem' }),
)

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
