// The address of a deleted account.
import { expect, test } from 'vitest'
import { departedEmail } from './departed.ts'

test('the address of a deleted account is its own and undeliverable', () => {
  expect(departedEmail('018f')).toBe('deleted-018f@invalid')
})
