// The duties of columns are complete by type.
import { expect, test } from 'vitest'
import { blocks } from '#server/store/tables/settings.ts'
import { anonymisedRows, exportedRow, personal, quotedRow, quotedText, storedQuoteText } from './duties.ts'
import { accountColumns } from './people.ts'

const duties = {
  shown: 'owner',
  exported: 'a',
  disclosed: null,
  quoted: null,
  erased: 'stays',
  anonymised: 'id',
} as const

test('a column without duties does not type-check, nor does a value of another type', () => {
  // @ts-expect-error -- created_at is missing
  personal(blocks, '', { blockerId: duties, blockedId: duties })
  const wrong = { ...duties, erased: { to: 5 } } as const
  // @ts-expect-error -- an id is a text
  personal(blocks, '', { blockerId: wrong, blockedId: duties, createdAt: duties })
  expect(
    Object.keys(personal(blocks, '', { blockerId: duties, blockedId: duties, createdAt: duties }).columns),
  ).toEqual(['blockerId', 'blockedId', 'createdAt'])
})

test('a row without a column that is copied or quoted does not type-check', () => {
  // @ts-expect-error -- name, bio and links are missing
  expect(() => quotedRow(accountColumns, { handle: 'hana' })).toThrow(TypeError)
  // @ts-expect-error -- nearly all are missing
  expect(exportedRow(accountColumns, { id: '1' })).toMatchObject({ id: '1', email: undefined })
})

test('a table of which some columns alone are removed from anonymised copies is an error', () => {
  const removed = { ...duties, anonymised: 'removed' } as const
  const table = personal(blocks, '', { blockerId: removed, blockedId: duties, createdAt: duties })
  expect(() => anonymisedRows(table)).toThrow('a row without blockerId')
})

test('a quote of a person is each text, and one text without empty lines', () => {
  const person = { name: '海', handle: null, bio: '', links: ['https://a.example', 'https://b.example'] }
  expect(quotedRow(accountColumns, person)).toEqual({
    name: '海',
    handle: '',
    bio: '',
    links: 'https://a.example\nhttps://b.example',
  })
  expect(quotedText(accountColumns, person)).toBe('海\nhttps://a.example\nhttps://b.example')
  expect(quotedText(accountColumns, { ...person, handle: 'umi' })).toContain('@umi')
  const stored = quotedRow(accountColumns, { ...person, handle: 'umi' })
  expect(storedQuoteText(accountColumns, stored)).toBe(
    quotedText(accountColumns, { ...person, handle: 'umi' }),
  )
  expect(storedQuoteText(accountColumns, { name: '海' })).toBe('海')
})
