// The form of a notice: times of Asia/Tokyo, audiences, and what is sent.
import { expect, test } from 'vitest'
import type { NoticeDetail, NoticeFields } from '#contract/notices/admin-notices.ts'
import {
  audienceOf,
  builtAt,
  fieldsOf,
  formFrom,
  formOf,
  localTime,
  momentOf,
  problemsOf,
  refusedOf,
  typedOf,
} from './notice-form.ts'

const fields: NoticeFields = {
  title: '振込日',
  body: '本文',
  audience: { is: 'members', creator: '0190f1a0-0000-7000-8000-000000000001', plan_id: null },
  pushes: false,
  mails: true,
  is_advertising: false,
  is_urgent: true,
  bar_until: '2026-12-31T15:00:00.000Z',
}

test('what is stored is sent again unchanged', () => {
  const audiences: NoticeFields['audience'][] = [
    fields.audience,
    { is: 'members', creator: 'hana', plan_id: '0190f1a0-0000-7000-8000-000000000002' },
    { is: 'build', build: '202611262030', which: 'same' },
    { is: 'creators' },
  ]
  for (const audience of audiences) {
    const stored = { ...fields, audience }
    const form = formOf(stored as NoticeDetail)
    expect([audienceOf(form), problemsOf(form)]).toEqual([audience, {}])
    expect(fieldsOf(form, audience)).toEqual(stored)
  }
})

test('times of fields are of Asia/Tokyo, wherever the browser is', () => {
  expect(localTime('2026-12-31T15:00:00.000Z')).toBe('2027-01-01T00:00')
  expect(momentOf('2027-01-01T00:00')).toBe('2026-12-31T15:00:00.000Z')
  for (const wrong of ['', '2027-01-01', 'あ']) expect(momentOf(wrong)).toBeNull()
  expect(builtAt('202611262030')).toBe(Date.parse('2026-11-26T20:30:00Z'))
})

test('a bar that is not shown has no end', () => {
  const form = { ...formOf(fields as NoticeDetail), urgent: false }
  expect(fieldsOf(form, { is: 'all' }).bar_until).toBeNull()
})

test('a title, a creator and a build are required where they belong', () => {
  const form = formOf(undefined)
  expect(Object.keys(problemsOf(form))).toEqual(['title'])
  expect(Object.keys(problemsOf({ ...form, title: 'a', audience: 'members' }))).toEqual(['creator'])
  expect(Object.keys(problemsOf({ ...form, title: 'a', audience: 'build' }))).toEqual(['build'])
  expect(audienceOf({ ...form, audience: 'members', creator: ' ' })).toBeUndefined()
})

test('what the server refused is shown at its field', () => {
  expect(
    Object.keys(refusedOf({ title: 'too_long', creator: 'unknown_person', plan_id: 'unknown_plan' })),
  ).toEqual(['title', 'creator', 'plan'])
})

test('the texts of a form give the same form; what is no value of a field is that of the stored one', () => {
  const stored = formOf(undefined)
  const form = {
    ...stored,
    title: '題名',
    audience: 'build',
    which: 'same',
    mails: true,
    pushes: false,
  } as const
  expect(formFrom(typedOf(form), stored)).toEqual(form)
  expect(Object.keys(formFrom(typedOf(form), stored))).toEqual(Object.keys(stored))
  expect(formFrom({ ...typedOf(form), audience: 'nobody' }, stored).audience).toBe('all')
})
