// What a page has read of people, when one of them is hidden from it.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { forgetAfterBlock } from './after-block.ts'

vi.mock('#src/domain/session/session.ts', () => ({ viewer: {} }))
vi.mock('#src/domain/offline/response-cache.ts', () => ({ forgetAll: () => Promise.resolve() }))

const KEY = ['getProfile', 'kami']
let client: QueryClient

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
})

const known = () => client.getQueryData(KEY)

/** An observer of a query that returns `said` each time. */
function look(said: () => Promise<string>): () => void {
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: said })
  return observer.subscribe(() => undefined)
}

test('what is not shown is forgotten at once', async () => {
  client.setQueryData(KEY, '紙と余白')
  await forgetAfterBlock(client)
  expect(known()).toBeUndefined()
})

test('nothing listens any more once nothing of before is left', async () => {
  const listening = () => client.getQueryCache().hasListeners()
  await forgetAfterBlock(client)
  expect(listening()).toBe(false)
  client.setQueryData(KEY, '紙と余白')
  const leave = look(() => Promise.reject(new Error('no network')))
  await forgetAfterBlock(client)
  expect(listening()).toBe(true)
  await client.invalidateQueries()
  leave()
  expect(listening()).toBe(false)
})

test('what does not depend on whom one sees stays', async () => {
  client.setQueryData(['getPrivacySettings'], 'mine')
  await forgetAfterBlock(client)
  expect(client.getQueryData(['getPrivacySettings'])).toBe('mine')
})

test('what a page that opens waits for is not taken away from it', async () => {
  let answer: (it: string) => void = () => undefined
  const opening = client.ensureQueryData({
    queryKey: KEY,
    queryFn: () => new Promise<string>((resolve) => (answer = resolve)),
  })
  await forgetAfterBlock(client)
  answer('紙と余白')
  expect(await opening).toBe('紙と余白')
})

test('what is shown is forgotten when it is left without having been read again', async () => {
  client.setQueryData(KEY, '紙と余白')
  const leave = look(() => Promise.reject(new Error('no network')))
  await forgetAfterBlock(client)
  await client.invalidateQueries()
  expect(known()).toBe('紙と余白')
  leave()
  expect(known()).toBeUndefined()
})

test('what is left while it is read again without success is forgotten then', async () => {
  client.setQueryData(KEY, '紙と余白')
  let fail: (why: Error) => void = () => undefined
  const leave = look(() => new Promise<string>((_, reject) => (fail = reject)))
  await forgetAfterBlock(client)
  const reading = client.invalidateQueries()
  await Promise.resolve()
  leave()
  fail(new Error('no network'))
  await reading
  await expect.poll(known).toBeUndefined()
})

test('what was read again stays when it is left', async () => {
  client.setQueryData(KEY, '紙と余白')
  const leave = look(() => Promise.resolve('紙と余白（まだ見える）'))
  await forgetAfterBlock(client)
  await client.invalidateQueries()
  leave()
  expect(known()).toBe('紙と余白（まだ見える）')
})
