// Whether a page can use the database: calls of listeners at each change.
import { afterEach, expect, test, vi } from 'vitest'
import {
  databaseLost,
  databaseState,
  onDatabaseLost,
  onDatabaseState,
  setDatabaseState,
} from './database-state.ts'

afterEach(() => setDatabaseState('open'))

test('a page can use the database until the contrary is known', async () => {
  vi.resetModules()
  const loaded = await import('./database-state.ts')
  expect(loaded.databaseState()).toBe('open')
})

test('a listener is called once for each change of the state until it unsubscribes', () => {
  const states: string[] = []
  const stop = onDatabaseState(() => states.push(databaseState()))
  expect(databaseState()).toBe('open')
  setDatabaseState('open')
  setDatabaseState('blocked')
  setDatabaseState('blocked')
  setDatabaseState('outdated')
  expect(states).toEqual(['blocked', 'outdated'])
  stop()
  setDatabaseState('open')
  expect([databaseState(), states.length]).toEqual(['open', 2])
})

test('a listener is called for each lost connection until it unsubscribes', () => {
  let lost = 0
  const stop = onDatabaseLost(() => (lost += 1))
  databaseLost()
  databaseLost()
  expect(lost).toBe(2)
  stop()
  databaseLost()
  expect(lost).toBe(2)
})
