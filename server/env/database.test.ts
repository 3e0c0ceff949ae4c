// Addresses of replicas: what is refused, with one sentence each.
import { expect, test } from 'vitest'
import { EnvError, readEnv } from './env.ts'

const PRIMARY = 'postgres://todoke@10.0.0.1/todoke'
const replica = (n: number) => `postgresql://todoke:p%2Cw@10.0.1.${n}:5432/todoke?sslmode=require`

function read(urls: string, primary = PRIMARY): readonly string[] {
  try {
    return readEnv({ DATABASE_URL: primary, DATABASE_REPLICA_URLS: urls }).DATABASE_REPLICA_URLS
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return [error.message]
  }
}

test('up to eight different addresses are read, without spaces and empty ones', () => {
  expect(read(` ${replica(1)}, ${replica(2)},`)).toEqual([replica(1), replica(2)])
  expect(read('')).toEqual([])
  expect(read(Array.from({ length: 8 }, (_, n) => replica(n)).join(','))).toHaveLength(8)
})

test.each([
  ['another kind of address', 'mysql://10.0.1.1/todoke'],
  ['no address', `${replica(1)},10.0.1.2`],
  ['a port that is none', 'postgres://10.0.1.1:port/todoke'],
  ['one twice', `${replica(1)},${replica(1)}`],
  ['nine', Array.from({ length: 9 }, (_, n) => replica(n)).join(',')],
])('%s is refused', (_, urls) => {
  expect(read(urls)).toEqual([
    expect.stringContaining('環境変数 DATABASE_REPLICA_URLS の値が正しくありません'),
  ])
})

test('the address of the primary, and replicas of the embedded database, are refused', () => {
  expect(read(PRIMARY)).toEqual([expect.stringContaining('DATABASE_URL とは別の URL')])
  expect(read(replica(1), '')).toEqual([expect.stringContaining('DATABASE_URL も設定してください')])
})
