// The browser asks before the page is left only while bytes are being copied.
import { afterEach, expect, test, vi } from 'vitest'
import { guardLeaving } from './leave-guard.ts'

afterEach(() => void vi.unstubAllGlobals())

test('the browser asks until the last of several copies has ended, also by an error', async () => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  expect(asks()).toBe(false)
  const ends = [guardLeaving(first.promise), guardLeaving(second.promise)]
  expect(asks()).toBe(true)
  first.resolve()
  await ends[0]
  expect(asks()).toBe(true)
  second.reject(new Error('unreadable'))
  await expect(ends[1]).rejects.toThrow('unreadable')
  expect(asks()).toBe(false)
})
