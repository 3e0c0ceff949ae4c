// Which errors mean that the database is gone for now.
import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isDatabaseGone, openPool } from './connecting.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })
const ofQuery = (cause: Error) => new DrizzleQueryError('select 1', [], cause)

const unavailable = [
  '57P01',
  '57P03',
  '57014',
  '53200',
  '53300',
  '08006',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
]
test.each(unavailable)('a statement that fails with %s found no database that can serve it now', (code) =>
  expect(isDatabaseGone(ofQuery(withCode(code)))).toBe(true),
)

test.each(['Connection terminated unexpectedly', 'Connection terminated', 'timeout expired'])(
  'so did one with the text %s',
  (text) => expect(isDatabaseGone(ofQuery(new Error(text)))).toBe(true),
)

test.each(['23505', '53100', '40001', '42P01', 'ENOENT'])(
  'a statement that fails with %s had one',
  (code) => {
    expect(isDatabaseGone(ofQuery(withCode(code)))).toBe(false)
  },
)

test('an error of another connection says nothing about the database', () => {
  expect(isDatabaseGone(withCode('ECONNREFUSED'))).toBe(false)
  expect(isDatabaseGone(undefined)).toBe(false)
})

test('a pool without a database says so, and names the cause', async () => {
  const pool = openPool('postgres://x@127.0.0.1:1/none', 1)
  const error: unknown = await pool.connect().catch((why: unknown) => why)
  expect([isDatabaseGone(error), error]).toEqual([true, expect.objectContaining({ code: 'ECONNREFUSED' })])
  await pool.end()
})
