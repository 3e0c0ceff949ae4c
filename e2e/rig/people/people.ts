// The demo people, and signing in as one of them.
import { expect, type Page } from '@playwright/test'
import { COOKIE_MS } from '#contract/limits.ts'
import { AUTH_COOKIE, AUTH_EXPIRY_COOKIE } from '#contract/accounts/session.ts'

export interface Person {
  readonly email: string
  readonly password: string
}

const password = 'todoke-demo1'
export const creator: Person = { email: 'creator@demo.todoke.example', password }
export const fan: Person = { email: 'fan@demo.todoke.example', password }

/** Reviews identity checks. */
export const admin: Person = { email: 'admin@demo.todoke.example', password }
/** People of the demo whom no other story signs in. */
export const kami: Person = { email: 'kami@demo.todoke.example', password }
export const yuu: Person = { email: 'yuu@demo.todoke.example', password }
export const akari: Person = { email: 'akari@demo.todoke.example', password }
const kaede: Person = { email: 'kaede@demo.todoke.example', password }
const tsuki: Person = { email: 'tsuki@demo.todoke.example', password }
/** All who have posts with media. */
export const demoAuthors: readonly Person[] = [creator, fan, kami, yuu, akari, kaede, tsuki]

interface Session {
  readonly token: string
  readonly user: { readonly id: string; readonly name: string }
}

/**
 * Signs in without a browser.
 * @param agent user agent, by which the session is listed
 */
export async function sessionOf(url: string, person: Person, agent = 'rig'): Promise<Session> {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ email: person.email, password: person.password }),
  })
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`)
  return (await response.json()) as Session
}

/** Fills and submits the sign-in form of the open page. */
export async function fillSignIn(page: Page, person: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(person.email)
  await page.getByLabel('パスワード', { exact: true }).fill(person.password)
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
}

/**
 * Sets the cookie of a new session, so that the next page is signed in. The sign-in form has stories of its own, and
 * would take longer.
 * @param url the address that the browser opens
 * @param server the address that the rig sends requests to
 */
export async function signInByCookie(page: Page, url: string, person: Person, server = url): Promise<void> {
  const agent = await page.evaluate(() => navigator.userAgent)
  const { token } = await sessionOf(server, person, agent)
  const expires = Date.now() + COOKIE_MS
  const cookie = (name: string, value: string) => ({
    name,
    value: encodeURIComponent(value),
    url,
    expires: expires / 1000,
    sameSite: 'Lax' as const,
  })
  await page
    .context()
    .addCookies([cookie(AUTH_COOKIE, `Bearer ${token}`), cookie(AUTH_EXPIRY_COOKIE, String(expires))])
}

/** Signs in as this person and opens the home page. */
export async function signIn(page: Page, url: string, person: Person): Promise<void> {
  await signInByCookie(page, url, person)
  // A page for visitors only: a signed-in person is redirected from it.
  await page.goto(`${url}/login`)
  await expect(page).toHaveURL(`${url}/`)
}
