// Persisted values are used only as far as they can be parsed.
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

test('what one page saves the next one reads, until it is dropped', () => {
  const place = storage()
  createPersistedValue(() => place, 'a', schema).save({ email: 'x@example.com' })
  const next = createPersistedValue(() => place, 'a', schema)
  expect(next.read()).toEqual({ email: 'x@example.com' })
  next.drop()
  expect(next.read()).toBeUndefined()
})

test.each([['{'], ['null'], ['{"email":5}']])('%s is nothing', (text) => {
  const place = storage()
  place.setItem('a', text)
  expect(createPersistedValue(() => place, 'a', schema).read()).toBeUndefined()
})

test('a browser that stores nothing keeps it while the page lives', () => {
  const refusing = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const it = createPersistedValue(refusing, 'a', schema)
  it.save({ email: 'x@example.com' })
  expect(it.read()).toEqual({ email: 'x@example.com' })
  it.drop()
  expect(it.read()).toBeUndefined()
})
