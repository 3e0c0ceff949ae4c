// The anonymous row of a deleted account.
import { expect, test } from 'vitest'
import { departed } from './departed.ts'

test('the row of a deleted account has no personal data and an undeliverable address', () => {
  expect(departed('018f')).toEqual({
    email: 'deleted-018f@invalid',
    passwordHash: '',
    name: '退会したユーザー',
    birthDate: '1900-01-01',
    handle: null,
    bio: '',
    links: [],
    role: 'member',
    identifiedAt: null,
  })
})
