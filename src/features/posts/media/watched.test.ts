// Where a video was left.
import { beforeEach, expect, test } from 'vitest'
import { deleteOwnNotes } from '#src/domain/drafts/own-notes.ts'
import { createWatchedNote } from './watched.ts'

beforeEach(() => {
  const rows = new Map<string, string>()
  // A minimal browser storage; its names are its own keys.
  const storage = new Proxy(
    {
      getItem: (name: string) => rows.get(name) ?? null,
      setItem: (name: string, value: string) => void rows.set(name, value),
      removeItem: (name: string) => void rows.delete(name),
    },
    {
      ownKeys: () => [...rows.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
})

test('a video is gone on with where it was left, by the same person alone', () => {
  createWatchedNote('hikari', 'a').keep({ currentTime: 42, duration: 300 })
  expect(createWatchedNote('hikari', 'a').place()).toBe(42)
  expect(createWatchedNote('hikari', 'b').place()).toBeUndefined()
  expect(createWatchedNote('sora', 'a').place()).toBeUndefined()
  expect(createWatchedNote(undefined, 'a').place()).toBeUndefined()
})

test('its place is kept every few seconds while it plays', () => {
  const it = createWatchedNote('hikari', 'a')
  it.passes({ currentTime: 20, duration: 300 })
  it.passes({ currentTime: 22, duration: 300 })
  expect(it.place()).toBe(20)
  it.passes({ currentTime: 26, duration: 300 })
  expect(it.place()).toBe(26)
})

test.each([
  ['near its end', 295, 300],
  ['near its beginning', 3, 300],
])('%s there is none any more', (_, currentTime, duration) => {
  const it = createWatchedNote('hikari', 'a')
  it.keep({ currentTime: 42, duration: 300 })
  it.keep({ currentTime, duration })
  expect(it.place()).toBeUndefined()
})

test('a short video is begun anew', () => {
  createWatchedNote('hikari', 'a').keep({ currentTime: 15, duration: 29 })
  expect(createWatchedNote('hikari', 'a').place()).toBeUndefined()
})

test('who signs out leaves no place behind, and those of others stay', () => {
  createWatchedNote('hikari', 'a').keep({ currentTime: 42, duration: 300 })
  createWatchedNote('sora', 'a').keep({ currentTime: 50, duration: 300 })
  deleteOwnNotes('hikari')
  expect(createWatchedNote('hikari', 'a').place()).toBeUndefined()
  expect(createWatchedNote('sora', 'a').place()).toBe(50)
})
