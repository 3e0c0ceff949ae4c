// A new version whose pages reload themselves must not end in a loop.
import { expect, test } from 'vitest'
import { mayReload } from './reload-guard.ts'

function tab() {
  const rows = new Map<string, string>()
  return {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
  }
}

test('a page loads itself anew once, and not again within 10 s', () => {
  const storage = tab()
  expect(mayReload(storage, 1_000_000)).toBe(true)
  expect(mayReload(storage, 1_009_999)).toBe(false)
  expect(mayReload(storage, 1_010_000)).toBe(true)
})

test('a clock that was set back does not hold a new version off', () => {
  const storage = tab()
  mayReload(storage, 9_000_000)
  expect(mayReload(storage, 1_000_000)).toBe(true)
})
