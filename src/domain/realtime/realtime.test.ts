// A person has one live connection, opened at the first subscription.
import { beforeEach, expect, test, vi } from 'vitest'
import { nextTask } from '#contract/testing/next-task.ts'
import type { Live, LiveHandlers } from './realtime.ts'
import type { Viewer } from '#src/domain/session/viewer-state.ts'

const ME = '01890000-0000-7000-8000-000000000001'
const ownChannel = `private-person.${ME}`

/** A page with its own modules, and connections that record their calls. */
async function page(signedIn: boolean, failures = 0) {
  vi.resetModules()
  const realtime = await import('./realtime.ts')
  const { bearer } = await import('#src/domain/api/api.ts')
  const user = { id: ME, email: 'a@example.com', name: 'A', avatar_url: null, role: 'member' as const }
  let viewer: Viewer = signedIn ? { is: 'authenticated', user } : { is: 'unauthenticated' }
  const listeners = new Set<() => void>()
  const log: string[] = []
  let handlers: LiveHandlers | undefined
  realtime.liveFor(
    {
      get: () => viewer,
      refresh: async () => void log.push('requested the session'),
      subscribe: (it) => (listeners.add(it), () => void listeners.delete(it)),
    },
    async (to): Promise<Live> => {
      handlers = to
      if (failures-- > 0) throw new Error('the address could not be read')
      log.push('opened')
      return {
        join: (channel) => void log.push(`joined ${channel}`),
        leave: (channel) => void log.push(`left ${channel}`),
        type: (channel) => void log.push(`typed on ${channel}`),
        close: () => void log.push('closed'),
      }
    },
  )
  return {
    ...realtime,
    bearer,
    log,
    handlers: () => handlers,
    become(next: Viewer) {
      viewer = next
      for (const it of listeners) it()
    },
  }
}

beforeEach(() => vi.restoreAllMocks())

test('a visitor has no connection, and a member none before the first subscription', async () => {
  const visitor = await page(false)
  visitor.listen(ownChannel, 'feed.newer', () => undefined)
  const member = await page(true)
  await nextTask()
  expect([visitor.log, member.log]).toEqual([[], []])
})

test('two listeners share a channel, which is left with the last one', async () => {
  const it = await page(true)
  const received: unknown[] = []
  const stops = [1, 2].map((n) =>
    it.listen(ownChannel, 'notifications.changed', (data) => received.push([n, data])),
  )
  await nextTask()
  it.handlers()?.received(ownChannel, 'notifications.changed', { unread: 1 })
  it.handlers()?.received(ownChannel, 'feed.newer', {})
  stops[0]?.()
  await nextTask()
  expect(it.log).toEqual(['opened', `joined ${ownChannel}`])
  stops[1]?.()
  await nextTask()
  expect(it.log.at(-1)).toBe(`left ${ownChannel}`)
  expect(received).toEqual([
    [1, { unread: 1 }],
    [2, { unread: 1 }],
  ])
})

test('a connection that could not be opened is opened later, without a further subscription', async () => {
  const it = await page(true, 1)
  vi.useFakeTimers()
  it.listen(ownChannel, 'feed.newer', () => undefined)
  await vi.advanceTimersByTimeAsync(1000)
  expect(it.log).toEqual([])
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(it.log).toEqual(['opened', `joined ${ownChannel}`])
})

test('signing out closes the connection, and calls no longer send its id', async () => {
  const it = await page(true)
  it.listen(ownChannel, 'feed.newer', () => undefined)
  await nextTask()
  it.handlers()?.connected('1.2')
  expect([it.isLive(), it.bearer.socketId]).toEqual([true, '1.2'])
  it.become({ is: 'unauthenticated' })
  await nextTask()
  expect([it.log.at(-1), it.isLive(), it.bearer.socketId]).toEqual(['closed', false, undefined])
})

test('listeners are called after a gap until they unsubscribe', async () => {
  const it = await page(true)
  let calls = 0
  const stop = it.onRecovered(() => (calls += 1))
  it.listen(ownChannel, 'feed.newer', () => undefined)
  await nextTask()
  it.handlers()?.recovered()
  stop()
  it.handlers()?.recovered()
  expect(calls).toBe(1)
})

test('a refused session is checked at once', async () => {
  const it = await page(true)
  it.listen(ownChannel, 'feed.newer', () => undefined)
  await nextTask()
  await it.handlers()?.refused()
  expect(it.log.at(-1)).toBe('requested the session')
})
