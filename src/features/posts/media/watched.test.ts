// The stored position of a video.
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

test('a video continues at its stored position, for the same person alone', () => {
  createWatchedNote('hikari', 'a').save({ currentTime: 42, duration: 300 })
  expect(createWatchedNote('hikari', 'a').position()).toBe(42)
  expect(createWatchedNote('hikari', 'b').position()).toBeUndefined()
  expect(createWatchedNote('sora', 'a').position()).toBeUndefined()
  expect(createWatchedNote(undefined, 'a').position()).toBeUndefined()
})

test('the position is stored every few seconds during playback', () => {
  const it = createWatchedNote('hikari', 'a')
  it.onProgress({ currentTime: 20, duration: 300 })
  it.onProgress({ currentTime: 22, duration: 300 })
  expect(it.position()).toBe(20)
  it.onProgress({ currentTime: 26, duration: 300 })
  expect(it.position()).toBe(26)
})

test.each([
  ['near its end', 295, 300],
  ['near its beginning', 3, 300],
])('%s no position is stored', (_, currentTime, duration) => {
  const it = createWatchedNote('hikari', 'a')
  it.save({ currentTime: 42, duration: 300 })
  it.save({ currentTime, duration })
  expect(it.position()).toBeUndefined()
})

test('a short video starts at its beginning', () => {
  createWatchedNote('hikari', 'a').save({ currentTime: 15, duration: 29 })
  expect(createWatchedNote('hikari', 'a').position()).toBeUndefined()
})

test('signing out deletes a person’s positions, and those of others stay', () => {
  createWatchedNote('hikari', 'a').save({ currentTime: 42, duration: 300 })
  createWatchedNote('sora', 'a').save({ currentTime: 50, duration: 300 })
  deleteOwnNotes('hikari')
  expect(createWatchedNote('hikari', 'a').position()).toBeUndefined()
  expect(createWatchedNote('sora', 'a').position()).toBe(50)
})
