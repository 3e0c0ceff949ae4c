// The token cookie and its companion.
import { expect, test } from 'vitest'
import { createSessionCookie, type CookiePlace } from './session-cookie.ts'

const DAY = 24 * 3600 * 1000
const NOW = Date.parse('2026-03-05T00:00:00Z')

/** A substitute for a document's cookies. */
function makeJar(now = NOW) {
  const set: string[] = []
  const stored = new Map<string, string>()
  return {
    set,
    get cookie() {
      return [...stored].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(line: string) {
      set.push(line)
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const expires = attributes.find((it) => it.startsWith('Expires='))?.slice(8)
      if (expires && Date.parse(expires) <= now) stored.delete(name)
      else stored.set(name, pair.slice(pair.indexOf('=') + 1))
    },
  }
}

const createCookie = (place: CookiePlace = { secure: true }) => {
  const jar = makeJar()
  return { jar, cookie: createSessionCookie(jar, place) }
}

test('the cookie has the token with its type, and both cookies last 31,536,000,000 ms', () => {
  const { jar, cookie } = createCookie()
  cookie.write('abc', NOW)
  expect(jar.set).toEqual([
    'todoke_token=Bearer%20abc; Path=/; Expires=Fri, 05 Mar 2027 00:00:00 GMT; SameSite=Lax; Secure',
    `todoke_token_expires=${NOW + 31_536_000_000}; Path=/; Expires=Fri, 05 Mar 2027 00:00:00 GMT; SameSite=Lax; Secure`,
  ])
  expect(cookie.read()).toBe('abc')
})

test('a parent domain is named when one is configured, and plain http has no Secure', () => {
  const { jar, cookie } = createCookie({ secure: false, domain: 'todoke.example' })
  cookie.write('abc', NOW)
  expect(jar.set[0]).toContain('; Domain=todoke.example')
  expect(jar.set[0]).not.toContain('Secure')
})

test('on unload both cookies are set again when less than about 300 days are left', () => {
  const { jar, cookie } = createCookie()
  cookie.write('abc', NOW)
  jar.set.length = 0
  cookie.renew(NOW + 60 * DAY)
  expect(jar.set).toEqual([])
  cookie.renew(NOW + 66 * DAY)
  expect(jar.set).toHaveLength(2)
  expect(jar.cookie).toContain(`todoke_token_expires=${NOW + 66 * DAY + 31_536_000_000}`)
})

test('an exchanged token gets the whole lifetime in both cookies, and is the one to be renewed', () => {
  const { jar, cookie } = createCookie()
  cookie.write('day-1', NOW)
  cookie.write('day-2', NOW + DAY)
  expect(cookie.read()).toBe('day-2')
  expect(jar.cookie).toContain(`todoke_token_expires=${NOW + DAY + 31_536_000_000}`)
  cookie.renew(NOW + 70 * DAY)
  expect(cookie.read()).toBe('day-2')
  expect(jar.cookie).toContain(`todoke_token_expires=${NOW + 70 * DAY + 31_536_000_000}`)
})

test('a token with an unknown expiry is renewed too', () => {
  const { jar, cookie } = createCookie()
  jar.cookie = 'todoke_token=Bearer%20abc'
  cookie.renew(NOW)
  expect(jar.cookie).toContain('todoke_token_expires=')
})

test('without a token nothing is renewed', () => {
  const { jar, cookie } = createCookie()
  cookie.renew(NOW)
  expect(jar.set).toEqual([])
})

test('clearing removes both cookies', () => {
  const { jar, cookie } = createCookie()
  cookie.write('abc', NOW)
  cookie.clear()
  expect(jar.cookie).toBe('')
  expect(cookie.read()).toBeUndefined()
})

test.each(['Basic%20abc', 'abc', 'Bearer%20', '%E0%A4%A'])('a cookie with %s has no token', (value) => {
  const { jar, cookie } = createCookie()
  jar.cookie = `other=1; todoke_token=${value}`
  expect(cookie.read()).toBeUndefined()
})
