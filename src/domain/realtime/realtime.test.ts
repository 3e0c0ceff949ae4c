// The live connection of pages: one per person, opened at the first subscription, with recovery after gaps.
import { beforeEach, expect, test, vi } from 'vitest'
import type { Live, LiveHandlers } from './realtime.ts'
import type { Viewer } from '#src/domain/session/viewer-state.ts'

const ME = '01890000-0000-7000-8000-000000000001'
const mine = `private-person.${ME}`

/** A page with its own modules, with or without a session, and connections that record their calls. */
async function page(signedIn: boolean) {
  vi.resetModules()
  const realtime = await import('./realtime.ts')
  const { bearer } = await import('#src/domain/api/api.ts')
  const user = { id: ME, email: 'a@example.com', name: 'A', avatar_url: null, role: 'member' as const }
  let viewer: Viewer = signedIn ? { is: 'authenticated', user } : { is: 'unauthenticated' }
  const listeners = new Set<() => void>()
  const log: string[] = []
  let ears: LiveHandlers | undefined
  realtime.liveFor(
    {
      get: () => viewer,
      refresh: async () => void log.push('asked who is signed in'),
      subscribe: (it) => (listeners.add(it), () => void listeners.delete(it)),
    },
    async (to): Promise<Live> => {
      ears = to
      log.push('opened')
      return {
        join: (channel) => void log.push(`joined ${channel}`),
        leave: (channel) => void log.push(`left ${channel}`),
        close: () => void log.push('closed'),
      }
    },
  )
  return {
    ...realtime,
    bearer,
    log,
    ears: () => ears,
    become(next: Viewer) {
      viewer = next
      for (const it of listeners) it()
    },
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => vi.restoreAllMocks())

test('a visitor has no connection, and a member none before something is listened to', async () => {
  const visitor = await page(false)
  visitor.listen(mine, 'feed.newer', () => undefined)
  const member = await page(true)
  await settled()
  expect([visitor.log, member.log]).toEqual([[], []])
})

test('two who listen on one channel share it, and it is left with the last', async () => {
  const it = await page(true)
  const heard: unknown[] = []
  const stops = [1, 2].map((n) => it.listen(mine, 'notifications.changed', (said) => heard.push([n, said])))
  await settled()
  it.ears()?.received(mine, 'notifications.changed', { unread: 1 })
  it.ears()?.received(mine, 'feed.newer', {})
  stops[0]?.()
  await settled()
  expect(it.log).toEqual(['opened', `joined ${mine}`])
  stops[1]?.()
  await settled()
  expect(it.log.at(-1)).toBe(`left ${mine}`)
  expect(heard).toEqual([
    [1, { unread: 1 }],
    [2, { unread: 1 }],
  ])
})

test('signing out ends the connection, and calls no longer name it', async () => {
  const it = await page(true)
  it.listen(mine, 'feed.newer', () => undefined)
  await settled()
  it.ears()?.connected('1.2')
  expect([it.isLive(), it.bearer.socketId]).toEqual([true, '1.2'])
  it.become({ is: 'unauthenticated' })
  await settled()
  expect([it.log.at(-1), it.isLive(), it.bearer.socketId]).toEqual(['closed', false, undefined])
})

test('after a gap everybody who shows something is told, until they stop', async () => {
  const it = await page(true)
  let told = 0
  const stop = it.onRecovered(() => (told += 1))
  it.listen(mine, 'feed.newer', () => undefined)
  await settled()
  it.ears()?.recovered()
  stop()
  it.ears()?.recovered()
  expect(told).toBe(1)
})

test('a session the server refuses is asked about at once', async () => {
  const it = await page(true)
  it.listen(mine, 'feed.newer', () => undefined)
  await settled()
  await it.ears()?.refused()
  expect(it.log.at(-1)).toBe('asked who is signed in')
})
