// The reload guard prevents a loop of reloads after an update.
import { expect, test } from 'vitest'
import { mayReload } from './reload-guard.ts'

function tab() {
  const rows = new Map<string, string>()
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
  }
}

test('a page reloads itself once, and not again within 10 s', () => {
  const storage = tab()
  expect(mayReload(storage, 1_000_000)).toBe(true)
  expect(mayReload(storage, 1_009_999)).toBe(false)
  expect(mayReload(storage, 1_010_000)).toBe(true)
})

test('a clock that was set back does not prevent a reload', () => {
  const storage = tab()
  mayReload(storage, 9_000_000)
  expect(mayReload(storage, 1_000_000)).toBe(true)
})
