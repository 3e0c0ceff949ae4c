// The session of an open app (specification sections 4, 7 and 9).
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { creator, fan, fillSignIn, signIn } from './rig/people/people.ts'
import { expectNoDrafts } from './rig/posting/editor.ts'
import { expect, test } from './rig/story.ts'

const sessionRequest = (page: Page) =>
  page.waitForRequest((it) => new URL(it.url()).pathname === '/api/auth/session')
const DAY = 24 * 3600 * 1000

test('the session is requested again when the window gets the focus', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  const [request] = await Promise.all([
    sessionRequest(page),
    page.evaluate(() => window.dispatchEvent(new Event('focus'))),
  ])
  expect(await request.headerValue('authorization')).toMatch(/^Bearer [\w-]{43}$/)
})

test('the session is requested again every five minutes', async ({ network, phone }) => {
  const { page } = phone
  await page.clock.install()
  await signIn(page, network.url, fan)
  await Promise.all([sessionRequest(page), page.clock.runFor('05:01')])
})

test('a sign-in whose token is not text is logged and does not sign in', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  const user = { id: newId(), email: fan.email, name: fan.email, avatar_url: null }
  const body = JSON.stringify({ token: 42, token_type: 'Bearer', user })
  network.once('POST /api/auth/sign-in HTTP', { is: 'answered', status: 200, body })
  const logged = page.waitForEvent('console', (it) => it.text() === 'sign-in: the token is not a string')
  await fillSignIn(page, fan)
  // Settled: a logged line does not change.
  expect((await logged).type()).toBe('error')
  await expect(page.getByText('ログインできませんでした。もう一度お試しください。')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  // Settled: the page has refused the reply, as its sentence says.
  expect((await phone.context.cookies()).map((it) => it.name)).not.toContain('todoke_token')
})

test('a session unknown to the server ends here: token and cookie are deleted, and the login page is shown', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  const cookie = (await phone.context.cookies()).find((it) => it.name === 'todoke_token')
  await fetch(`${server.url}/api/auth/sign-out`, {
    method: 'POST',
    headers: { authorization: decodeURIComponent(defined(cookie).value) },
  })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page).toHaveURL(/\/login/)
  const remaining = async () => (await phone.context.cookies()).map((it) => it.name)
  await expect.poll(remaining).not.toContain('todoke_token')
  await expect.poll(remaining).not.toContain('todoke_token_expires')
})

test('cookies with less than 300 days remaining are set again when the page is left', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  const soon = Date.now() + 200 * DAY
  await page.evaluate((expires) => {
    const token = document.cookie.split('; ').find((it) => it.startsWith('todoke_token='))
    document.cookie = `${token ?? ''}; path=/; expires=${new Date(expires).toUTCString()}`
    document.cookie = `todoke_token_expires=${expires}; path=/; expires=${new Date(expires).toUTCString()}`
  }, soon)
  // A document of the same site: Chromium gives the last code of a page half a second on the way to another site.
  await page.goto(`${network.url}/icons/icon-192.png`)
  const expiry = async (name: string) => {
    const cookies = await phone.context.cookies(network.url)
    return cookies.find((it) => it.name === name)?.expires
  }
  const inAYear = (Date.now() + 364 * DAY) / 1000
  await expect.poll(() => expiry('todoke_token')).toBeGreaterThan(inAYear)
  await expect.poll(() => expiry('todoke_token_expires')).toBeGreaterThan(inAYear)
})

test('another person who signs in on this device does not see a draft', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('私だけの下書き')
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
  await page.goto(`${network.url}/`)
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'ログアウトする' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue('')
  await expectNoDrafts(page)
})
