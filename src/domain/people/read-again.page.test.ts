// Readings that are shown are read again after events, gaps and times.
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { personChannel } from '#contract/realtime/channels.ts'
import type { RuledName } from '#src/domain/queries/reading-rules.ts'
import type { Live, LiveHandlers } from '#src/domain/realtime/realtime.ts'

const ME = '01890000-0000-7000-8000-000000000001'
const channel = personChannel(ME)
const MINUTE = 60_000

const page = { visibilityState: 'visible' as DocumentVisibilityState }
const network = { onLine: true }
const events = new EventTarget()
const user = { id: ME, email: 'a@example.com', name: 'A', avatar_url: null, role: 'member' as const }

let client: QueryClient
let live: LiveHandlers
let reads: Record<string, number>
const stops: (() => void)[] = []

/** Lets promises and timers of no duration run. */
const settle = () => vi.advanceTimersByTimeAsync(1)
const pass = (minutes: number) => vi.advanceTimersByTimeAsync(minutes * MINUTE)

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00+09:00') })
  vi.resetModules()
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', network)
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
  page.visibilityState = 'visible'
  network.onLine = true
  reads = {}
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const { liveFor } = await import('#src/domain/realtime/realtime.ts')
  const { readAfterEvents, readAgainByRules } = await import('./read-again.ts')
  liveFor(
    {
      get: () => ({ is: 'authenticated', user }),
      refresh: async () => undefined,
      subscribe: () => () => undefined,
    },
    async (to): Promise<Live> => {
      live = to
      to.connected('1.1')
      return { join: () => undefined, leave: () => undefined, type: () => undefined, close: () => undefined }
    },
  )
  stops.push(readAgainByRules(client), readAfterEvents(client, channel))
  await settle()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  client.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Shows a reading, and counts how often it is read. @returns hides it */
async function show(name: RuledName): Promise<() => void> {
  const queryKey: QueryKey = [name, 'one', {}]
  const queryFn = async () => (reads[name] = (reads[name] ?? 0) + 1)
  const hide = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(
    () => undefined,
  )
  await settle()
  return hide
}

async function receive(event: 'sales.changed' | 'notifications.changed'): Promise<void> {
  live.received(channel, event, {})
  await settle()
}

test('an event reads again what its rule names, and nothing else', async () => {
  for (const it of ['getSales', 'listStatements', 'getProfile'] as const) await show(it)
  await receive('sales.changed')
  expect(reads).toEqual({ getSales: 2, listStatements: 2, getProfile: 1 })
})

test('events in quick succession cause two readings: one at once, and one after the last', async () => {
  await show('getSales')
  for (let i = 0; i < 20; i += 1) await receive('sales.changed')
  await pass(1)
  expect(reads).toEqual({ getSales: 3 })
})

test('what is not shown is not read, and is old when it is shown next', async () => {
  const hide = await show('getSales')
  hide()
  await receive('sales.changed')
  expect(reads).toEqual({ getSales: 1 })
  await show('getSales')
  expect(reads).toEqual({ getSales: 2 })
})

test('a hidden page reads nothing; what changed is old', async () => {
  await show('getSales')
  page.visibilityState = 'hidden'
  await receive('sales.changed')
  await pass(60)
  expect(reads).toEqual({ getSales: 1 })
  expect(client.getQueryState(['getSales', 'one', {}])?.isInvalidated).toBe(true)
})

test('money is read again every five minutes while it is shown, also without an event', async () => {
  for (const it of ['getSales', 'getProfile'] as const) await show(it)
  await pass(4)
  expect(reads).toEqual({ getSales: 1, getProfile: 1 })
  await pass(7)
  expect(reads).toEqual({ getSales: 3, getProfile: 1 })
})

test('nothing is read without a network; the return of the network reads what is old', async () => {
  for (const it of ['getSales', 'getProfile'] as const) await show(it)
  network.onLine = false
  await pass(10)
  expect(reads).toEqual({ getSales: 1, getProfile: 1 })
  network.onLine = true
  events.dispatchEvent(new Event('online'))
  await settle()
  expect(reads).toEqual({ getSales: 2, getProfile: 2 })
  events.dispatchEvent(new Event('online'))
  await settle()
  expect(reads).toEqual({ getSales: 2, getProfile: 2 })
})

test('without a live connection, what events change is read again every five minutes', async () => {
  for (const it of ['getIdentity', 'getProfile'] as const) await show(it)
  await pass(11)
  expect(reads).toEqual({ getIdentity: 1, getProfile: 1 })
  live.connected(undefined)
  await pass(1)
  expect(reads).toEqual({ getIdentity: 2, getProfile: 1 })
})

test('after a gap, what events change is read again at once, and the rest if it is older than half a minute', async () => {
  await show('getProfile')
  await pass(1)
  for (const it of ['getSales', 'listFollows'] as const) await show(it)
  live.recovered()
  await settle()
  expect(reads).toEqual({ getSales: 2, listFollows: 1, getProfile: 2 })
})

test('what was read before the channel was joined is read again, once', async () => {
  for (const it of ['getSales', 'countNewer', 'getProfile'] as const) await show(it)
  live.joined(channel)
  live.joined(channel)
  await settle()
  expect(reads).toEqual({ getSales: 2, countNewer: 1, getProfile: 1 })
})

test('figures of a day are read again in the minute after midnight in Tokyo', async () => {
  vi.setSystemTime(Date.parse('2026-11-30T23:58:30+09:00'))
  for (const it of ['getPayouts', 'listOwnPlans'] as const) await show(it)
  await pass(1)
  expect(reads).toEqual({ getPayouts: 1, listOwnPlans: 1 })
  await pass(1)
  expect(reads).toEqual({ getPayouts: 2, listOwnPlans: 1 })
})

test('a reading that is audited, fixed or followed by code of its own is never read again by rule', async () => {
  for (const it of ['readPerson', 'getStatement', 'listFeed'] as const) await show(it)
  await receive('sales.changed')
  live.recovered()
  events.dispatchEvent(new Event('online'))
  await pass(60)
  expect(reads).toEqual({ readPerson: 1, getStatement: 1, listFeed: 1 })
})

test('a reading that fails leaves what is shown, and is tried again', async () => {
  const queryKey: QueryKey = ['getSales', 'one', {}]
  const replies = ['720円', new Error('no network'), '3420円']
  let failures = 0
  const queryFn = async () => {
    const reply = replies.shift()
    if (!(reply instanceof Error)) return reply
    failures += 1
    throw reply
  }
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity, retry: false })
  stops.push(observer.subscribe(() => undefined))
  await settle()
  await pass(6)
  expect([failures, observer.getCurrentResult().data]).toEqual([1, '720円'])
  await pass(1)
  expect(observer.getCurrentResult().data).toBe('3420円')
})
