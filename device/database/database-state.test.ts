// Whether a page can use the database: who hears of a change, and for how long.
import { afterEach, expect, test } from 'vitest'
import {
  databaseLost,
  databaseState,
  onDatabaseLost,
  onDatabaseState,
  setDatabaseState,
} from './database-state.ts'

afterEach(() => setDatabaseState('open'))

test('a listener hears each change of the state once, until it stops listening', () => {
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

test('a lost connection is announced each time, until a listener stops listening', () => {
  let lost = 0
  const stop = onDatabaseLost(() => (lost += 1))
  databaseLost()
  databaseLost()
  expect(lost).toBe(2)
  stop()
  databaseLost()
  expect(lost).toBe(2)
})
