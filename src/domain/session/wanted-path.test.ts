// The path that opens after signing in.
import { expect, test } from 'vitest'
import { pathAfterSignIn, returnPath } from './wanted-path.ts'

test('a path of this app is opened with its query and fragment', () => {
  expect(returnPath('/post/123?uidc=4#comments')).toBe('/post/123?uidc=4#comments')
})

test.each([
  undefined,
  '',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '/\\/evil.example',
  '/..//evil.example',
  '/./\\evil.example',
  'javascript:alert(1)',
  ' /post',
  42,
])('%j is not a page of this app', (to) => {
  expect(returnPath(to)).toBe('/')
})

test('from /login to / with a reset in the session: its step 3', () => {
  const resetting = { password_reset_token: 'a' }
  expect(pathAfterSignIn(undefined, '/login', resetting)).toBe('/forgot-password/step-3')
  expect(pathAfterSignIn('/', '/login', resetting)).toBe('/forgot-password/step-3')
  expect(pathAfterSignIn('/plan', '/login', resetting)).toBe('/plan')
  expect(pathAfterSignIn(undefined, '/register', resetting)).toBe('/')
  expect(pathAfterSignIn(undefined, '/login', {})).toBe('/')
})
