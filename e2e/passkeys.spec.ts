// Passkeys with a virtual authenticator: registered, used to sign in, filled in by the browser, removed.
import type { CDPSession, Page } from '@playwright/test'
import { creator, fillSignIn } from './rig/people.ts'
import type { Phone } from './rig/phone.ts'
import type { Server } from './rig/server.ts'
import { expect, test } from './rig/story.ts'

/** Passkeys are bound to a name: an address of digits has none. */
const named = ({ port }: Server) => `http://localhost:${port}`
const security = '/settings/privacy-and-security'

async function plugIn({ page, context }: Phone): Promise<{ devtools: CDPSession; id: string }> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId: id } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { devtools, id }
}

/** The browser offers nothing by itself: what signs in is the press of the button. */
const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await fillSignIn(page, creator)
  await expect(page).toHaveURL(`${url}/`)
}

/** The password, as /user/password-validation sends it. */
async function prove(page: Page, url: string): Promise<void> {
  const cookie = (await page.context().cookies(url)).find((it) => it.name === 'todoke_token')
  const answer = await page.request.post(`${url}/api/auth/validation`, {
    headers: { authorization: decodeURIComponent(cookie?.value ?? '') },
    data: { password: creator.password },
  })
  expect(answer.status()).toBe(200)
}

async function register(page: Page, url: string): Promise<void> {
  await signIn(page, url)
  await prove(page, url)
  await page.goto(url + security)
  await page.getByRole('button', { name: 'パスキーを登録' }).click()
  await expect(page.getByText('パスキーを登録しました。')).toBeVisible()
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.locator('button[aria-haspopup=menu]:visible').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login/)
}

test.use({ ownServer: true })

test('a passkey is registered, renamed, signs in without an address, and after its removal no more', async ({
  server,
  phone,
}) => {
  const url = named(server)
  const { page } = phone
  await withoutAutofill(page)
  await plugIn(phone)
  await register(page, url)
  await page.getByRole('button', { name: /の名前を変える$/ }).click()
  await page.getByRole('dialog').getByLabel('名前').fill('わたしのスマートフォン')
  await page.getByRole('button', { name: '保存する' }).click()
  await expect(page.getByText('名前を変えました。')).toBeVisible()
  await expect(page.getByText('わたしのスマートフォン', { exact: true })).toBeVisible()

  await signOut(page, url)
  await page.getByRole('button', { name: 'パスキーでログイン' }).click()
  await expect(page).toHaveURL(`${url}/`)
  await page.goto(url + security)
  await expect(page.getByText(/^・?パスキー$/).last()).toBeVisible()

  await prove(page, url)
  await page.getByRole('button', { name: 'わたしのスマートフォンを削除' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
  await expect(page.getByText('まだ登録されていません。')).toBeVisible()
  await signOut(page, url)
  await page.getByRole('button', { name: 'パスキーでログイン' }).click()
  await expect(page.getByText('パスキーを確認できませんでした。もう一度お試しください。')).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
})

test('the browser offers the passkey in the address field, and choosing it signs in', async ({
  server,
  phone,
}) => {
  const url = named(server)
  const { page } = phone
  const { devtools, id } = await plugIn(phone)
  await register(page, url)
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: false })
  await signOut(page, url)
  await expect(page.getByRole('textbox', { name: 'メールアドレス' })).toHaveAttribute(
    'autocomplete',
    'username webauthn',
  )
  // The person chooses what the browser offers: a stand-in does at once, when it is asked, and never later.
  await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
  await page.reload()
  await expect(page).toHaveURL(`${url}/`)
})

test('a person who closes the browser’s question is told nothing and can sign in by password', async ({
  server,
  phone,
}) => {
  const url = named(server)
  const { page } = phone
  await withoutAutofill(page)
  const { devtools, id } = await plugIn(phone)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'パスキーでログイン' }).click()
  await expect(page.getByRole('button', { name: 'パスキーでログイン' })).not.toHaveAttribute('aria-busy')
  await fillSignIn(page, creator)
  await expect(page).toHaveURL(`${url}/`)
})

test('a browser without passkeys is offered none', async ({ server, phone }) => {
  const url = named(server)
  const { page } = phone
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'ログイン', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('button', { name: 'パスキーでログイン' })).toHaveCount(0)
  await signIn(page, url)
  await page.goto(url + security)
  await expect(page.getByText('このブラウザーではパスキーを使えません。')).toBeVisible()
})
