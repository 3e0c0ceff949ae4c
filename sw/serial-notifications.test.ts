// Tests that calls to show and list notifications run one after the other.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serialNotifications } from './serial-notifications.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A registration whose calls end when the test ends them. */
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
  const serial = serialNotifications({
    showNotification: (title) => call(`show ${title}`),
    getNotifications: async (filter) => {
      await call(`list ${filter?.tag ?? 'all'}`)
      return []
    },
  })
  return { serial, begun, ends, fails }
}

const nextMoment = () => vi.advanceTimersByTimeAsync(0)

test('a notification is not shown while others are listed, nor listed while one is shown', async () => {
  const { serial, begun, ends } = registration()
  const listed = serial.getNotifications({ tag: 'a' })
  const shown = serial.showNotification('b')
  void serial.getNotifications()
  await nextMoment()
  expect(begun).toEqual(['list a'])
  ends[0]?.()
  await nextMoment()
  expect(begun).toEqual(['list a', 'show b'])
  ends[1]?.()
  await nextMoment()
  expect(begun).toEqual(['list a', 'show b', 'list all'])
  expect(await listed).toEqual([])
  expect(await shown).toBeUndefined()
})

test('equal lists that wait share one call, and a later list is a new call', async () => {
  const { serial, begun, ends } = registration()
  void serial.showNotification('a')
  for (let i = 0; i < 100; i++) void serial.getNotifications()
  void serial.showNotification('b')
  await nextMoment()
  ends[0]?.()
  await nextMoment()
  void serial.getNotifications()
  expect(begun).toEqual(['show a', 'list all'])
  ends[1]?.()
  await nextMoment()
  ends[2]?.()
  await nextMoment()
  expect(begun).toEqual(['show a', 'list all', 'show b', 'list all'])
})

test('a failed call rejects for its own caller only, and the next call is made', async () => {
  const { serial, begun, fails } = registration()
  const refused = serial.showNotification('a').catch((error: Error) => error.message)
  void serial.showNotification('b')
  await nextMoment()
  fails[0]?.(new Error('denied'))
  expect(await refused).toBe('denied')
  await nextMoment()
  expect(begun).toEqual(['show a', 'show b'])
})

test('a list that never ends delays a notification by five seconds', async () => {
  const { serial, begun } = registration()
  void serial.getNotifications()
  void serial.showNotification('b')
  await vi.advanceTimersByTimeAsync(4999)
  expect(begun).toEqual(['list all'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['list all', 'show b'])
})

test('a notification that has waited long still waits for the list before it', async () => {
  const { serial, begun, ends } = registration()
  void serial.showNotification('a')
  void serial.getNotifications()
  void serial.showNotification('b')
  await vi.advanceTimersByTimeAsync(4000)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(4000)
  expect(begun).toEqual(['show a', 'list all'])
  ends[1]?.()
  await nextMoment()
  expect(begun).toEqual(['show a', 'list all', 'show b'])
})
