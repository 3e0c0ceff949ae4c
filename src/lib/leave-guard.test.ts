// The browser warns before the page is left only while bytes are copied.
import { afterEach, expect, test, vi } from 'vitest'
import { guardLeaving } from './leave-guard.ts'

afterEach(() => void vi.unstubAllGlobals())

test('the browser warns until the last of several copies has ended, also by an error', async () => {
  const page = new EventTarget()
  vi.stubGlobal('window', page)
  const isWarned = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  expect(isWarned()).toBe(false)
  const guarded = [guardLeaving(first.promise), guardLeaving(second.promise)]
  expect(isWarned()).toBe(true)
  first.resolve()
  await guarded[0]
  expect(isWarned()).toBe(true)
  second.reject(new Error('unreadable'))
  await expect(guarded[1]).rejects.toThrow('unreadable')
  expect(isWarned()).toBe(false)
})
