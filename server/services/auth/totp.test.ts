// One-time codes by the test vectors of RFC 6238, and the window of accepted steps.
import { expect, test } from 'vitest'
import { codeAt, keyOf, stepOf } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at second %i the code is that of RFC 6238, appendix B', (second, code) => {
  expect(codeAt(secret, second * 1000)).toBe(code)
  expect(stepOf(secret, code, second * 1000)).toBe(Math.floor(second / 30))
})

test('the step is that of the code, not of the moment', () => {
  const now = 1_234_567_890_000
  const step = Math.floor(now / 30_000)
  for (const by of [-1, 0, 1]) expect(stepOf(secret, codeAt(secret, now + by * 30_000), now)).toBe(step + by)
  for (const by of [-2, 2]) expect(stepOf(secret, codeAt(secret, now + by * 30_000), now)).toBeUndefined()
  for (const wrong of ['', '12345', '1234567', 'abcdef']) expect(stepOf(secret, wrong, now)).toBeUndefined()
})

test('the key has the secret in Base32 and the account in its address', () => {
  const { secret: text, uri } = keyOf(secret, 'haru@example.com')
  expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(decodeURIComponent(uri)).toContain('otpauth://totp/とどけ:haru@example.com?')
})
