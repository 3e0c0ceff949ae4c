// Tests the comparison of holders with legal names, and the hold after a change.
import { expect, test } from 'vitest'
import { heldUntilOf, isTransferable, maskedNumber, nameCheckOf } from './bank-account.ts'

test.each([
  ['ヤマダ　ハナコ', 'ヤマダ　ハナコ', 'same'],
  ['ヤマダハナコ', 'ヤマダ　ハナコ', 'same'],
  ['キョウコ', 'キヨウコ', 'same'],
  ['カオル', 'カヲル', 'same'],
  ['ヤマダ　タロウ', 'ヤマダ　ハナコ', 'differs'],
  ['カ）ヤマダ', 'ヤマダ　ハナコ', 'differs'],
  ['ヤマタ', 'ヤマダ', 'differs'],
  ['ヤマダ　ハナコ', '', 'unknown'],
  ['ヤマダ　ハナコ', 'ヷ', 'unknown'],
] as const)('the holder %s and the legal name %s are %s', (holder, kana, expected) => {
  expect(nameCheckOf(holder, kana)).toBe(expected)
})

test('a holder that no transfer file can have is not transferable', () => {
  expect(isTransferable('ヤマダ　ハナコ')).toBe(true)
  expect(isTransferable('ヷ')).toBe(false)
})

test('the first account holds nothing, a change holds payouts for three days', () => {
  expect(heldUntilOf(true, 1000)).toBeNull()
  expect(heldUntilOf(false, 1000)).toBe(1000 + 3 * 24 * 3600_000)
})

test('a masked number has its last three digits', () => {
  expect(maskedNumber('123')).toBe('＊＊＊＊123')
})
