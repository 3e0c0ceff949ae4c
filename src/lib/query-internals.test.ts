// Undocumented behaviour of TanStack Query that this app needs.
import { type Query, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { changeState, fetchAgain, isObserved, queryEventOf, type QueryEvent } from './query-internals.ts'

const queryKey = ['getOperator'] as const
const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

function queryOf(client: QueryClient): Query {
  const query = client.getQueryCache().find({ queryKey })
  if (!query) throw new Error('there is no such query')
  return query
}

test('changed data leaves the age, the error and the invalidation as they were', async () => {
  const client = newClient()
  client.setQueryData(queryKey, 'old', { updatedAt: 5 })
  const failing = () => Promise.reject(new Error('away'))
  await client.fetchQuery({ queryKey, queryFn: failing }).catch(() => undefined)
  await client.invalidateQueries({ queryKey, refetchType: 'none' })
  const query = queryOf(client)
  changeState(query, { data: 'new' })
  expect(client.getQueryData(queryKey)).toBe('new')
  expect(query.state).toMatchObject({ dataUpdatedAt: 5, status: 'error', isInvalidated: true })
  expect(query.state.error).toEqual(new Error('away'))
})

test('components receive a change of the state', () => {
  const client = newClient()
  client.setQueryData(queryKey, 'old')
  const observer = new QueryObserver<string>(client, { queryKey, staleTime: Number.POSITIVE_INFINITY })
  const stop = observer.subscribe(() => {})
  changeState(queryOf(client), { data: 'new', dataUpdatedAt: 7, isInvalidated: true })
  expect(observer.getCurrentResult()).toMatchObject({ data: 'new', dataUpdatedAt: 7, isStale: true })
  stop()
})

test('a query without a component is fetched with its own function, and its failure is in its state', async () => {
  const client = newClient()
  let replies = 0
  const queryFn = () => (replies++ === 0 ? Promise.resolve('first') : Promise.reject(new Error('away')))
  await client.fetchQuery({ queryKey, queryFn })
  const query = queryOf(client)
  fetchAgain(query)
  expect(query.state.fetchStatus).toBe('fetching')
  await expect.poll(() => query.state.status).toBe('error')
  expect(replies).toBe(2)
})

test('a query is observed as long as a component shows it', () => {
  const client = newClient()
  client.setQueryData(queryKey, 'here')
  expect(isObserved(queryOf(client))).toBe(false)
  const stop = new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {})
  expect(isObserved(queryOf(client))).toBe(true)
  stop()
  expect(isObserved(queryOf(client))).toBe(false)
})

test('events report a reply, changed data, and the start or failure of a fetch', async () => {
  const client = newClient()
  const events: QueryEvent[] = []
  client.getQueryCache().subscribe((event) => {
    const it = queryEventOf(event)
    if (it) events.push(it)
  })
  const take = () => events.splice(0)
  await client.fetchQuery({ queryKey, queryFn: () => Promise.resolve('answer') })
  expect(take()).toEqual([{ is: 'started' }, { is: 'fetched' }])
  client.setQueryData(queryKey, 'set')
  expect(take()).toEqual([{ is: 'changed' }])
  changeState(queryOf(client), { data: 'changed' })
  expect(take()).toEqual([{ is: 'changed' }])
  const error = new Error('away')
  await client.fetchQuery({ queryKey, queryFn: () => Promise.reject(error) }).catch(() => undefined)
  expect(take()).toEqual([{ is: 'started' }, { is: 'failed', error }])
  await client.invalidateQueries({ queryKey, refetchType: 'none' })
  expect(take()).toEqual([])
  client.removeQueries({ queryKey })
  expect(take()).toEqual([{ is: 'removed' }])
})
