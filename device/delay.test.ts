// A wait ends by its time, or by the abort of its caller.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delay } from './delay.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('resolves after the time, and not before', async () => {
  let isOver = false
  const wait = delay(7000).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(6999)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await wait).toBe(true)
})

test('rejects with the reason when the caller aborts, and leaves no timer', async () => {
  const controller = new AbortController()
  const wait = delay(7000, controller.signal)
  controller.abort(new Error('left the page'))
  await expect(wait).rejects.toThrow('left the page')
  expect(vi.getTimerCount()).toBe(0)
  await expect(delay(1, controller.signal)).rejects.toThrow('left the page')
})
