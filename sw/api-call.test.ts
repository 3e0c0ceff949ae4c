// The worker reads once more where the page does, within its time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listNotifications, readNotifications } from '#contract/notifications/notifications.ts'
import type { Fetch } from '#contract/client.ts'
import { createApiCall } from './api-call.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refused = (headers: Record<string, string> = {}) =>
  new Response('{"error":{"code":"unavailable"}}', { status: 503, headers })

function answered(...replies: Response[]) {
  const fetch = vi.fn<Fetch>(async () => replies.shift() ?? Response.error())
  return { fetch, call: createApiCall('https://todoke.example', 8000, fetch) }
}

test('a GET that is refused for now is sent a second time after Retry-After, and no third time', async () => {
  const { fetch, call } = answered(
    refused({ 'Retry-After': '5' }),
    refused({ 'Retry-After': '1' }),
    refused(),
  )
  const reply = call(listNotifications, {}, 'token')
  await vi.advanceTimersByTimeAsync(4999)
  expect(fetch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await reply).toBeUndefined()
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('a wait that is longer than the time of the event is not begun', async () => {
  const { fetch, call } = answered(refused({ 'Retry-After': '9' }))
  expect(await call(listNotifications, {}, 'token')).toBeUndefined()
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a change is sent once', async () => {
  const { fetch, call } = answered(refused())
  await call(readNotifications, { body: {} }, 'token')
  expect(fetch).toHaveBeenCalledTimes(1)
})
