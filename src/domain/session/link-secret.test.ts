// The secret of a link leaves the address, and stays in the tab.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { linkSecret, takeSecret } from './link-secret.ts'

let shown = new EventTarget()
const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('document', (shown = new EventTarget()))
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

const at = (href: string) => {
  const { pathname, search, hash } = new URL(href, 'https://todoke.example')
  return { pathname, searchStr: search, hash: hash.slice(1) }
}

test.each([
  ['/confirmed#token=abc', '/confirmed', { token: 'abc' }],
  ['/user/account-recovery#stop=abc', '/user/account-recovery', { stop: 'abc' }],
  ['/register#invite=ABC', '/register', { invite: 'ABC' }],
  ['/contact?request=1#token=abc', '/contact?request=1', { token: 'abc' }],
  ['/appeal#decision=1&token=abc', '/appeal#decision=1', { token: 'abc' }],
  // The payment provider adds it to the query.
  ['/payment/return?payment_id=1&session_id=abc', '/payment/return?payment_id=1', { session_id: 'abc' }],
  // Links of earlier versions.
  ['/confirmed?token=abc', '/confirmed', { token: 'abc' }],
  ['/user/account-recovery?stop=abc', '/user/account-recovery', { stop: 'abc' }],
  ['/register?to=%2Fplan&invite=ABC', '/register?to=%2Fplan', { invite: 'ABC' }],
])('of %s is taken, and the address becomes %s', (href, bare, secret) => {
  expect(takeSecret('page', at(href))).toBe(bare)
  expect(linkSecret('page', at(bare)).read()).toEqual(secret)
})

test('belongs to its page, and there to one inquiry', () => {
  takeSecret('contact', at('/contact?request=1#token=one'))
  takeSecret('contact', at('/contact?request=2#token=two'))
  const tokenOf = (page: string, href: string) => linkSecret(page, at(href)).read()?.['token']
  expect(tokenOf('contact', '/contact?request=1')).toBe('one')
  expect(tokenOf('contact', '/contact?request=2')).toBe('two')
  expect(tokenOf('contact', '/contact')).toBeUndefined()
  expect(tokenOf('appeal', '/appeal?request=1')).toBeUndefined()
})

test('that a prerendered page took is stored again when the page is shown', () => {
  takeSecret('prerendered', at('/confirmed#token=abc'))
  stored.clear()
  shown.dispatchEvent(new Event('prerenderingchange'))
  expect([...stored.values()]).toEqual(['{"token":"abc"}'])
})

test('stays in the page where the browser denies storage', () => {
  vi.stubGlobal('sessionStorage', undefined)
  takeSecret('denied', at('/confirmed#token=abc'))
  expect(linkSecret('denied').read()).toEqual({ token: 'abc' })
})
