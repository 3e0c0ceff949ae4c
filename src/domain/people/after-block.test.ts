// Cached data of people is removed or read again after a block or a mute.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { removeAfterBlock } from './after-block.ts'

vi.mock('#src/domain/session/session.ts', () => ({ viewer: {} }))
vi.mock('#src/domain/offline/response-cache.ts', () => ({ evictAll: () => Promise.resolve() }))

const KEY = ['getProfile', 'kami'] as const
let client: QueryClient

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
})

const data = () => client.getQueryData(KEY)

/** Displays the query, which returns `reply` each time. */
function display(reply: () => Promise<string>): () => void {
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: reply })
  return observer.subscribe(() => undefined)
}

test('data that is not displayed is removed at once', async () => {
  client.setQueryData(KEY, '紙と余白')
  await removeAfterBlock(client)
  expect(data()).toBeUndefined()
})

test('the cache has no listener when no earlier data is left', async () => {
  const listening = () => client.getQueryCache().hasListeners()
  await removeAfterBlock(client)
  expect(listening()).toBe(false)
  client.setQueryData(KEY, '紙と余白')
  const leave = display(() => Promise.reject(new Error('no network')))
  await removeAfterBlock(client)
  expect(listening()).toBe(true)
  await client.invalidateQueries()
  leave()
  expect(listening()).toBe(false)
})

test('data that does not depend on blocks stays', async () => {
  client.setQueryData(['getPrivacySettings'], 'own')
  await removeAfterBlock(client)
  expect(client.getQueryData(['getPrivacySettings'])).toBe('own')
})

test('a request of an opening page is not cancelled', async () => {
  let reply: (it: string) => void = () => undefined
  const opening = client.ensureQueryData({
    queryKey: KEY,
    queryFn: () => new Promise<string>((resolve) => (reply = resolve)),
  })
  await removeAfterBlock(client)
  reply('紙と余白')
  expect(await opening).toBe('紙と余白')
})

test('displayed data is removed after display if it was not read again', async () => {
  client.setQueryData(KEY, '紙と余白')
  const leave = display(() => Promise.reject(new Error('no network')))
  await removeAfterBlock(client)
  await client.invalidateQueries()
  expect(data()).toBe('紙と余白')
  leave()
  expect(data()).toBeUndefined()
})

test('data whose display ended during a failed request is removed after it', async () => {
  client.setQueryData(KEY, '紙と余白')
  let fail: (why: Error) => void = () => undefined
  const leave = display(() => new Promise<string>((_, reject) => (fail = reject)))
  await removeAfterBlock(client)
  const reading = client.invalidateQueries()
  await Promise.resolve()
  leave()
  fail(new Error('no network'))
  await reading
  await expect.poll(data).toBeUndefined()
})

test('data that was read again stays after its display', async () => {
  client.setQueryData(KEY, '紙と余白')
  const leave = display(() => Promise.resolve('紙と余白（まだ見える）'))
  await removeAfterBlock(client)
  await client.invalidateQueries()
  leave()
  expect(data()).toBe('紙と余白（まだ見える）')
})
