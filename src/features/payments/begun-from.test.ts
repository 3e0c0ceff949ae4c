// The post at whose gate joining a plan began.
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { begunFrom, saveBegunFrom } from './begun-from.ts'

const [payment, other, post] = [1, 2, 3].map((n) => `0192f0c0-0000-7000-8000-00000000000${n}`)

test('the post belongs to one payment, and is removed when the next one begins elsewhere', () => {
  saveBegunFrom(defined(payment), post)
  expect([begunFrom(defined(payment)), begunFrom(defined(other))]).toEqual([post, undefined])
  saveBegunFrom(defined(other), undefined)
  expect([begunFrom(defined(payment)), begunFrom(defined(other))]).toEqual([undefined, undefined])
})
