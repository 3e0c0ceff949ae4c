// Notifications are shown and listed one after the other; a call that never ends holds up none for long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serialNotifications } from './serial-notifications.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A registration whose calls end when the test says so. */
function registration() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const fails: ((error: Error) => void)[] = []
  const call = async (name: string): Promise<void> => {
    begun.push(name)
    await new Promise<void>((end, fail) => {
      ends.push(end)
      fails.push(fail)
    })
  }
  const it = serialNotifications({
    showNotification: (title) => call(`show ${title}`),
    getNotifications: async (filter) => {
      await call(`list ${filter?.tag ?? 'all'}`)
      return []
    },
  })
  return { it, begun, ends, fails }
}

const moment = () => vi.advanceTimersByTimeAsync(0)

test('a notification is not shown while others are listed, nor listed while one is shown', async () => {
  const { it, begun, ends } = registration()
  const listed = it.getNotifications({ tag: 'a' })
  const shown = it.showNotification('b')
  void it.getNotifications()
  await moment()
  expect(begun).toEqual(['list a'])
  ends[0]?.()
  await moment()
  expect(begun).toEqual(['list a', 'show b'])
  ends[1]?.()
  await moment()
  expect(begun).toEqual(['list a', 'show b', 'list all'])
  expect(await listed).toEqual([])
  expect(await shown).toBeUndefined()
})

test('lists that wait for the same turn are one call, and a later one is a new call', async () => {
  const { it, begun, ends } = registration()
  void it.showNotification('a')
  for (let i = 0; i < 100; i++) void it.getNotifications()
  void it.showNotification('b')
  await moment()
  ends[0]?.()
  await moment()
  void it.getNotifications()
  expect(begun).toEqual(['show a', 'list all'])
  ends[1]?.()
  await moment()
  ends[2]?.()
  await moment()
  expect(begun).toEqual(['show a', 'list all', 'show b', 'list all'])
})

test('a call that fails says so to its caller alone; the next one is made', async () => {
  const { it, begun, fails } = registration()
  const refused = it.showNotification('a').catch((error: Error) => error.message)
  void it.showNotification('b')
  await moment()
  fails[0]?.(new Error('denied'))
  expect(await refused).toBe('denied')
  await moment()
  expect(begun).toEqual(['show a', 'show b'])
})

test('a list that the browser never gives delays a notification by five seconds', async () => {
  const { it, begun } = registration()
  void it.getNotifications()
  void it.showNotification('b')
  await vi.advanceTimersByTimeAsync(4999)
  expect(begun).toEqual(['list all'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['list all', 'show b'])
})

test('a notification that has waited for long still waits for the list before it', async () => {
  const { it, begun, ends } = registration()
  void it.showNotification('a')
  void it.getNotifications()
  void it.showNotification('b')
  await vi.advanceTimersByTimeAsync(4000)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(4000)
  expect(begun).toEqual(['show a', 'list all'])
  ends[1]?.()
  await moment()
  expect(begun).toEqual(['show a', 'list all', 'show b'])
})
