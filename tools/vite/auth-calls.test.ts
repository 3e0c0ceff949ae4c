// The configured calls of a session: their form, and the build that has them.
import { expect, test } from 'vitest'
import { authCallsOf } from './auth-calls.ts'

test('without a variable every call is the contract’s', () => {
  expect(authCallsOf({})).toBeUndefined()
  expect(authCallsOf({ VITE_SIGN_IN: ' ' })).toBeUndefined()
})

test('each variable is the method and the path of its call', () => {
  const env = {
    VITE_SIGN_IN: 'POST /login',
    VITE_SIGN_UP: 'PUT /members/new',
    VITE_SIGN_OUT: 'DELETE /session',
    VITE_GET_SESSION: 'GET /session',
  }
  expect(authCallsOf(env)).toEqual({
    signIn: { method: 'POST', path: '/login' },
    register: { method: 'PUT', path: '/members/new' },
    signOut: { method: 'DELETE', path: '/session' },
    getSession: { method: 'GET', path: '/session' },
  })
})

test.each([
  '/login',
  'POST login',
  'post /login',
  'GET /login',
  'POST /login?x=1',
  'POST https://a.example/',
])('another form is refused by the name of its variable: %s', (value) => {
  expect(() => authCallsOf({ VITE_SIGN_IN: value })).toThrow('VITE_SIGN_IN')
})
