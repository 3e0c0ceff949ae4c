// Masked addresses.
import { expect, test } from 'vitest'
import { maskedEmail } from './masked-email.ts'

test.each([
  ['hanako@example.com', 'h•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
  ['花子@example.jp', '花•••@example.jp'],
  ['"x@y"@example.com', '"•••@example.com'],
  ['@example.com', '•••@example.com'],
])('%s is shown as %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked)
})
