// Persisted values that do not parse are ignored.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createPersistedValue } from './persisted-value.ts'

const schema = v.object({ email: v.string() })

function storage(): Storage {
  const rows = new Map<string, string>()
  return {
    getItem: (name: string) => rows.get(name) ?? null,
    setItem: (name: string, value: string) => void rows.set(name, value),
    removeItem: (name: string) => void rows.delete(name),
  } as Storage
}

test('a value that one page saves is read by the next one until it is deleted', () => {
  const area = storage()
  createPersistedValue(() => area, 'a', schema).save({ email: 'x@example.com' })
  const next = createPersistedValue(() => area, 'a', schema)
  expect(next.read()).toEqual({ email: 'x@example.com' })
  next.remove()
  expect(next.read()).toBeUndefined()
})

test.each([['{'], ['null'], ['{"email":5}']])('the stored text %s is ignored', (text) => {
  const area = storage()
  area.setItem('a', text)
  expect(createPersistedValue(() => area, 'a', schema).read()).toBeUndefined()
})

test('without storage a value stays in memory until the page closes', () => {
  const refusing = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const value = createPersistedValue(refusing, 'a', schema)
  value.save({ email: 'x@example.com' })
  expect(value.read()).toEqual({ email: 'x@example.com' })
  value.remove()
  expect(value.read()).toBeUndefined()
})
