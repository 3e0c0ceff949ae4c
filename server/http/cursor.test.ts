// Cursors are opaque text; those of earlier versions stay readable.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { ApiError } from './errors.ts'
import { createCursor, timeCursor } from './cursor.ts'

const place = { at: new Date('2026-11-21T03:04:05.678Z'), id: '0192f0c1-2345-7abc-8def-0123456789ab' }
/** A cursor of the first version, for lists ordered by time. */
const former = 'WyIyMDI2LTExLTIxVDAzOjA0OjA1LjY3OFoiLCIwMTkyZjBjMS0yMzQ1LTdhYmMtOGRlZi0wMTIzNDU2Nzg5YWIiXQ'

test('a place is written as before, and a cursor of the first version is read', () => {
  expect([timeCursor.write(place), timeCursor.read(former)]).toEqual([former, place])
})

test('without a cursor a list begins at its first page', () => {
  expect(timeCursor.read(undefined)).toBeUndefined()
})

const text = (it: unknown) => Buffer.from(JSON.stringify(it)).toString('base64url')
const malformed = {
  'not base64url of JSON': 'x',
  'not an array': text({ at: 1 }),
  'a missing part': text([place.at.toISOString()]),
  'not a time': text(['yesterday', place.id]),
  'not an id': text([place.at.toISOString(), '1']),
  'null instead of a time': text([null, place.id]),
}
for (const [name, cursor] of Object.entries(malformed))
  test(`refused as malformed, at its own field: ${name}`, () => {
    expect.assertions(2)
    try {
      timeCursor.read(cursor, 'before')
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'invalid', fields: { before: 'malformed' } })
    }
  })

test('a full page has the cursor of the next one; the last page has none', () => {
  const numbers = createCursor<readonly [number], number>(
    v.tuple([v.number()]),
    (it) => [it],
    ([it]) => it,
  )
  const page = numbers.pageOf([1, 2, 3], 2, (it) => it)
  expect([page.shown, numbers.read(defined(page.next))]).toEqual([[1, 2], 2])
  expect(numbers.pageOf([1, 2], 2, (it) => it)).toEqual({ shown: [1, 2], next: null })
  expect(numbers.pageOf([], 2, (it: number) => it)).toEqual({ shown: [], next: null })
})
