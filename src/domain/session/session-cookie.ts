// The token cookie and its companion cookie with their expiry (specification sections 7 and 9).
import { COOKIE_MS, COOKIE_RENEW_BELOW_MS } from '#contract/limits.ts'
import { AUTH_COOKIE, AUTH_EXPIRY_COOKIE } from '#contract/accounts/session.ts'

/** `document.cookie`, or a test double. */
export interface CookieJar {
  cookie: string
}

export interface CookiePlace {
  secure: boolean
  domain?: string | undefined
}

const TYPE = 'Bearer '

function read(jar: CookieJar, name: string): string | undefined {
  for (const part of jar.cookie.split('; ')) {
    const equals = part.indexOf('=')
    if (part.slice(0, equals) !== name) continue
    try {
      return decodeURIComponent(part.slice(equals + 1))
    } catch {
      return undefined
    }
  }
  return undefined
}

function write(jar: CookieJar, place: CookiePlace, name: string, value: string, expires: number): void {
  const attributes = [
    `${name}=${encodeURIComponent(value)}`,
    'Path=/',
    `Expires=${new Date(expires).toUTCString()}`,
    'SameSite=Lax',
    ...(place.domain ? [`Domain=${place.domain}`] : []),
    ...(place.secure ? ['Secure'] : []),
  ]
  jar.cookie = attributes.join('; ')
}

/** The session's cookies in one jar. */
export function createSessionCookie(jar: CookieJar, place: CookiePlace) {
  return {
    /** The token without its type, or `undefined`. */
    read(): string | undefined {
      const value = read(jar, AUTH_COOKIE)
      return value?.startsWith(TYPE) && value.length > TYPE.length ? value.slice(TYPE.length) : undefined
    },
    /** Sets both cookies for their whole lifetime. */
    write(token: string, now: number): void {
      write(jar, place, AUTH_COOKIE, TYPE + token, now + COOKIE_MS)
      write(jar, place, AUTH_EXPIRY_COOKIE, String(now + COOKIE_MS), now + COOKIE_MS)
    },
    /** Sets both again when less than about 300 days are left or the expiry is unknown. */
    renew(now: number): void {
      const token = this.read()
      if (token === undefined) return
      const expires = Number(read(jar, AUTH_EXPIRY_COOKIE) ?? Number.NaN)
      if (!(expires - now >= COOKIE_RENEW_BELOW_MS)) this.write(token, now)
    },
    clear(): void {
      write(jar, place, AUTH_COOKIE, '', 0)
      write(jar, place, AUTH_EXPIRY_COOKIE, '', 0)
    },
  }
}

export type SessionCookie = ReturnType<typeof createSessionCookie>
