// What a buyer with a new account reads: limit, what is left, from when.
import { expect, test } from 'vitest'
import { tooNewText } from './too-new-text.ts'

const allowance = {
  limit: 30_000,
  left: 12_000,
  fits_at: '2026-12-11T03:00:00.000Z',
  ends_at: '2026-12-20T03:00:00.000Z',
}

test('a price that is exactly left needs no sentence', () => {
  expect(tooNewText(12_000, allowance)).toBeUndefined()
})

test('a higher price names the limit, what is left, and when it can be paid', () => {
  const text = tooNewText(12_001, allowance)
  for (const part of ['登録から30日未満', '30,000円まで', 'あと12,000円', '12月11日', '12月20日'])
    expect(text).toContain(part)
})

test('a time with seconds is named by the minute after it, from which it is true', () => {
  const text = tooNewText(50_000, { ...allowance, fits_at: '2026-12-11T03:00:00.001Z' })
  expect(text).toContain('12月11日 12:01から')
  expect(tooNewText(50_000, allowance)).toContain('12月11日 12:00から')
})

test('a price above the limit does not name what is left, which would not help', () => {
  expect(tooNewText(50_000, { ...allowance, fits_at: allowance.ends_at })).not.toContain('あと')
})
