// Passkeys with a virtual authenticator: registration, sign-in, the browser's offer, removal.
import type { CDPSession, Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { emailTo } from './rig/people/mail.ts'
import { creator, fillSignIn, sessionOf } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { codeIn } from './rig/people/registered.ts'
import type { Server } from './rig/network/server.ts'
import { expect, test } from './rig/story.ts'

/** Passkeys are bound to a host name, so an IP address cannot be used. */
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

/** Disables the browser's own offer, so that only the button signs in. */
const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`)
  await fillSignIn(page, creator)
  await expect(page).toHaveURL(`${url}/`)
}

/** Validates the password as /user/password-validation does. */
async function prove(page: Page, url: string): Promise<void> {
  const cookie = (await page.context().cookies(url)).find((it) => it.name === 'todoke_token')
  const answer = await page.request.post(`${url}/api/auth/validation`, {
    headers: { authorization: decodeURIComponent(defined(cookie).value) },
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

test('a passkey is registered, renamed and signs in without an address; a removed one does not', async ({
  server,
  phone,
}) => {
  const url = named(server)
  const { page } = phone
  await withoutAutofill(page)
  await plugIn(phone)
  await register(page, url)
  await page.getByRole('button', { name: /の名前を変更$/ }).click()
  await page.getByRole('dialog').getByLabel('名前').fill('わたしのスマートフォン')
  await page.getByRole('button', { name: '保存する' }).click()
  await expect(page.getByText('名前を変更しました。')).toBeVisible()
  await expect(page.getByRole('main').getByText('わたしのスマートフォン', { exact: true })).toBeVisible()

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

test(
  'the browser offers the passkey in the address field, and choosing it signs in',
  { tag: '@deep' },
  async ({ server, phone }) => {
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
    // A virtual authenticator chooses from the browser's offer at once, or never.
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled: true })
    await reload(page, nothingWritten)
    await expect(page).toHaveURL(`${url}/`)
  },
)

test(
  'a key without user verification is refused with an explanation, and the password signs in',
  { tag: '@deep' },
  async ({ server, phone }) => {
    const url = named(server)
    const { page } = phone
    await withoutAutofill(page)
    const { devtools, id } = await plugIn(phone)
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false })
    await page.goto(`${url}/login`)
    await page.getByRole('button', { name: 'パスキーでログイン' }).click()
    await expect(page.getByRole('alert').getByText('パスキーでの確認が終わりませんでした。')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    // The server's reply to a key without user verification, as older ones were registered.
    await page.route('**/api/auth/sign-in/passkey', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'passkey_unverified' } } }),
    )
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true })
    await register(page, url)
    await signOut(page, url)
    await page.getByRole('button', { name: 'パスキーでログイン' }).click()
    await expect(
      page.getByText('確認のないパスキーは使えません。パスワードでログインしてください。'),
    ).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${url}/`)
  },
)

test('a browser without passkeys shows no passkey controls', { tag: '@deep' }, async ({ server, phone }) => {
  const url = named(server)
  const { page } = phone
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: 'ログイン', exact: true }).waitFor()
  await expect(page.getByRole('button', { name: 'パスキーでログイン' })).toHaveCount(0)
  await signIn(page, url)
  await page.goto(url + security)
  await expect(page.getByText('このブラウザーではパスキーを使えません。')).toBeVisible()
})

test(
  'after a reset the remaining passkeys and devices are shown, and can be removed there',
  { tag: '@deep' },
  async ({ server, phone }) => {
    const url = named(server)
    const { page } = phone
    await withoutAutofill(page)
    await plugIn(phone)
    await register(page, url)
    // Settled: the text of an email that has arrived.
    expect((await emailTo(server, creator.email, 'パスキーが追加されました')).text).toContain('追加した日時')
    await signOut(page, url)
    await page.getByRole('link', { name: 'パスワードを忘れた方' }).click()
    // The previous page has a field of the same name and is shown until the next one is ready.
    const send = page.getByRole('button', { name: 'コードを送る' })
    await expect(send).toBeVisible()
    await page.getByRole('textbox', { name: 'メールアドレス' }).fill(creator.email)
    await send.click()
    await page
      .getByRole('textbox', { name: /確認コード/ })
      .fill(codeIn(await emailTo(server, creator.email, '再設定')))
    await page.getByRole('button', { name: '確認する' }).click()
    const password = 'Asayake-9'
    await page.getByLabel('新しいパスワード', { exact: true }).fill(password)
    await page.getByLabel('新しいパスワード（確認）').fill(password)
    await page.getByRole('button', { name: 'パスワードを変更する' }).click()
    await expect(page).toHaveURL(`${url}/forgot-password/step-4`)

    const passkeys = page.getByRole('region', { name: '残っているパスキー' })
    const devices = page.getByRole('region', { name: '変更のあとにログインした端末' })
    await expect(passkeys.getByRole('listitem')).toHaveCount(1)
    await expect(devices.getByText('変更のあとにログインした端末はありません。')).toBeVisible()
    const { token } = await sessionOf(server.url, { ...creator, password })
    await sessionOf(server.url, { ...creator, password })
    await reload(page, nothingWritten)
    await expect(devices.getByRole('listitem')).toHaveCount(2)
    await expectNoViolationsInEachLook(page)

    await passkeys.getByRole('button', { name: /を削除$/ }).click()
    const question = page.getByRole('alertdialog')
    await expectNoViolationsInEachLook(page)
    await question.getByRole('button', { name: '削除する' }).click()
    await expect(passkeys.getByText('パスキーは登録されていません。')).toBeVisible()
    // Settled: the text of an email that has arrived.
    expect((await emailTo(server, creator.email, 'パスキーが削除されました')).text).toContain('削除した日時')
    await devices
      .getByRole('button', { name: /をログアウトさせる$/ })
      .first()
      .click()
    await question.getByRole('button', { name: 'ログアウトさせる' }).click()
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    await reload(page, nothingWritten)
    await devices.getByRole('button', { name: /をログアウトさせる$/ }).click()
    await question.getByRole('button', { name: 'ログアウトさせる' }).click()
    await expect(devices.getByText('変更のあとにログインした端末はありません。')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    const answer = await fetch(`${server.url}/api/auth/session`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(401)

    // Without network the change is still confirmed, and the list is read when it returns.
    await page.route('**/api/auth/reset/review', (route) => route.abort())
    await reload(page, nothingWritten)
    await expect(page.getByText('残っているパスキーと端末を読み込めませんでした。')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.unroute('**/api/auth/reset/review')
    await page.getByRole('button', { name: 'もう一度' }).click()
    await expect(passkeys.getByText('パスキーは登録されていません。')).toBeVisible()

    await page.route('**/api/auth/reset/review', (route) =>
      route.fulfill({ status: 410, json: { error: { code: 'link_invalid' } } }),
    )
    await reload(page, nothingWritten)
    await expect(page.getByText(/ここではパスキーと端末を表示できません。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
  },
)
