// Resetting a password, from the address to the new password (specification sections 2, 5, 7).
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolations, expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { fillSignIn, signIn } from './rig/people/people.ts'
import { fillNewPassword, newPassword, press, repeatedPassword } from './rig/people/password-form.ts'
import { codeIn, registerPerson } from './rig/people/registered.ts'
import type { Server } from './rig/network/server.ts'
import { expect, test } from './rig/story.ts'

const code = (page: Page) => page.getByRole('textbox', { name: /確認コード/ })

/** Steps 1 and 2: the code is requested, read from the email and typed. */
async function prove(page: Page, url: string, server: Server, email: string): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByRole('link', { name: 'パスワードを忘れた方' }).click()
  // Both pages have a field with that name.
  await expect(page.getByRole('heading', { name: 'パスワードの再設定' })).toBeVisible()
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(email)
  await press(page, 'コードを送る')
  await expect(page).toHaveURL(`${url}/forgot-password/step-2`)
  await code(page).fill(codeIn(await emailTo(server, email, '再設定')))
  await press(page, '確認する')
  await expect(page).toHaveURL(`${url}/forgot-password/step-3`)
}

test('a password is reset by address, code and new password, and each step survives a reload', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const who = await registerPerson(server)
  await page.goto(`${network.url}/forgot-password/step-1`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(who.email.toUpperCase())
  await expectNoViolations(page)
  await press(page, 'コードを送る')
  await expect(page.getByRole('main').getByText(`${who.email} に6桁のコードを送りました。`)).toBeVisible()
  await reload(page, [who.email])

  const right = codeIn(await emailTo(server, who.email, '再設定'))
  const wrong = right === '000000' ? '000001' : '000000'
  await code(page).fill(wrong)
  await expectNoViolationsInEachLook(page)
  await press(page, '確認する')
  await expect(page.getByText('コードが違います。')).toBeVisible()
  await expect(code(page)).toBeFocused()
  // A copied code may contain spaces.
  const fullWidth = right.replaceAll(/\d/g, (it) => String.fromCodePoint(it.charCodeAt(0) + 0xfee0))
  await code(page).fill(` ${fullWidth.slice(0, 3)}　${fullWidth.slice(3)}`)
  await press(page, '確認する')
  await expect(page).toHaveURL(`${network.url}/forgot-password/step-3`)
  await reload(page, ['"proven"'])

  await newPassword(page).fill('Asayake-9')
  await repeatedPassword(page).fill('Asayake-8')
  await press(page, 'パスワードを変更する')
  await expect(page.getByText('2つの入力内容が一致していません')).toBeVisible()
  await expect(repeatedPassword(page)).toBeFocused()
  await expectNoViolationsInEachLook(page)
  await repeatedPassword(page).fill('Asayake-9')
  const shown = Promise.withResolvers<undefined>()
  await page.route('**/api/auth/reset/review', async (it) => {
    await shown.promise
    await it.continue()
  })
  await press(page, 'パスワードを変更する')
  await expect(page).toHaveURL(`${network.url}/forgot-password/step-4`)
  const onward = page.getByRole('link', { name: 'ログイン画面へ' })
  await expect(page.getByRole('status', { name: '読み込み中' })).toBeVisible()
  await onward.focus()
  shown.resolve(undefined)
  await expect(page.getByRole('heading', { name: 'ログアウトした端末' })).toBeVisible()
  // Data that arrives later does not move the focus.
  await expect(onward).toBeFocused()
  await expectNoViolationsInEachLook(page)

  await onward.click()
  await fillSignIn(page, who)
  await expect(page.getByText('メールアドレスまたはパスワードが違います。')).toBeVisible()
  await fillSignIn(page, { ...who, password: 'Asayake-9' })
  await expect(page).toHaveURL(`${network.url}/`)
})

test(
  'a review that failed to load is loaded again on request, and shows each failure',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await prove(page, network.url, server, who.email)
    let requests = 0
    await page.route('**/api/auth/reset/review', (it) => {
      requests += 1
      return requests === 1 ? it.abort() : it.fulfill({ status: 500, json: { error: { code: 'internal' } } })
    })
    await fillNewPassword(page, 'Asayake-9')
    await press(page, 'パスワードを変更する')
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-4`)
    const failed = page.getByText('残っているパスキーと端末を読み込めませんでした。')
    await expect(failed).toBeVisible()
    await expectNoViolationsInEachLook(page)
    const again = page.getByRole('button', { name: 'もう一度' })
    await again.click()
    await expect.poll(() => requests).toBe(2)
    await expect(failed).toBeVisible()
    await expect(again).toBeEnabled()
    await page.unroute('**/api/auth/reset/review')
    await again.click()
    await expect(page.getByRole('heading', { name: 'ログアウトした端末' })).toBeVisible()
    await expect(failed).toHaveCount(0)
    // The password is changed nevertheless.
    await page.getByRole('link', { name: 'ログイン画面へ' }).click()
    await fillSignIn(page, { ...who, password: 'Asayake-9' })
    await expect(page).toHaveURL(`${network.url}/`)
  },
)

test(
  'a step opened without the previous one leads to step 1',
  { tag: '@deep' },
  async ({ network, phone }) => {
    for (const step of ['step-2', 'step-3', 'step-4']) {
      await phone.page.goto(`${network.url}/forgot-password/${step}`)
      await expect(phone.page).toHaveURL(`${network.url}/forgot-password/step-1`)
    }
  },
)

test('an address without an account gets the same reply', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/forgot-password/step-1`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill('nobody@person.example')
  await press(page, 'コードを送る')
  await expect(page.getByText('nobody@person.example に6桁のコードを送りました。')).toBeVisible()
  await code(page).fill('123456')
  await press(page, '確認する')
  await expect(page.getByText('コードが違います。')).toBeVisible()
})

test(
  'a person who signs in after the right code is sent from / to step 3, and the reset ends the session',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await prove(page, network.url, server, who.email)
    // The person signs in with the old password instead.
    await page.goto(`${network.url}/login`)
    await fillSignIn(page, who)
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-3`)
    // Only / opened from /login redirects.
    await page.goto(`${network.url}/`)
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page).toHaveURL(`${network.url}/`)
    // The session has the reset token, not only this tab.
    const other = await phone.context.newPage()
    await other.goto(`${network.url}/forgot-password/step-3`)
    await fillNewPassword(other, 'Asayake-9')
    await press(other, 'パスワードを変更する')
    await expect(other).toHaveURL(`${network.url}/forgot-password/step-4`)
    await other.goto(`${network.url}/`)
    await expect(other).toHaveURL(/\/login/)
  },
)

test('a used reset is shown as no longer valid', { tag: '@deep' }, async ({ server, network, phone }) => {
  const { page } = phone
  const who = await registerPerson(server)
  await prove(page, network.url, server, who.email)
  const stored = await page.evaluate(() => sessionStorage.getItem('todoke.reset'))
  const change = async () => {
    await fillNewPassword(page, 'Asayake-9')
    await press(page, 'パスワードを変更する')
  }
  await change()
  await expect(page).toHaveURL(`${network.url}/forgot-password/step-4`)
  await page.evaluate((text) => sessionStorage.setItem('todoke.reset', text), defined(stored))
  await page.goto(`${network.url}/forgot-password/step-3`)
  await change()
  await expect(page.getByRole('alert').getByText('再設定の有効期限が切れました。')).toBeVisible()
  await page.getByRole('link', { name: '最初からやり直す' }).click()
  await expect(page).toHaveURL(`${network.url}/forgot-password/step-1`)
})

test(
  'a reset ends sessions on other devices',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const who = await registerPerson(server)
    const { page: elsewhere } = await newPhone()
    await signIn(elsewhere, network.url, who)
    await prove(phone.page, network.url, server, who.email)
    await fillNewPassword(phone.page, 'Asayake-9')
    await press(phone.page, 'パスワードを変更する')
    await expect(phone.page).toHaveURL(`${network.url}/forgot-password/step-4`)
    await elsewhere.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(elsewhere).toHaveURL(/\/login/)
  },
)

test(
  'the link in the email gives the recipient a new code, and stops codes they did not request',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    // Another person requests a reset in another browser.
    await fetch(`${server.url}/api/auth/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: who.email }),
    })
    const first = await emailTo(server, who.email, '再設定')
    await page.goto(network.url + linkIn(first))
    await expect(page).toHaveURL(`${network.url}/forgot-password/mail`)
    await expect(page.getByRole('heading', { level: 1, name: 'コードの受け取りと停止' })).toBeVisible()
    await expect(page.getByRole('main').getByText(`${who.email} に、`)).toBeVisible()
    await expect(page.getByRole('button', { name: '7日間止める' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await press(page, '7日間止める')
    await expect(page.getByText(/まで、心当たりのないコードのメールを止めています。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await reload(page, nothingWritten)
    await expect(page.getByText(/まで、心当たりのないコードのメールを止めています。/)).toBeVisible()
    await press(page, 'また受け取る')
    await expect(page.getByText('コードのメールを、また受け取ります。')).toBeVisible()

    await page.route('**/api/auth/reset/mail', (route) => route.abort())
    await reload(page, nothingWritten)
    await expect(page.getByRole('button', { name: 'もう一度' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.unroute('**/api/auth/reset/mail')
    await page.getByRole('button', { name: 'もう一度' }).click()

    await press(page, 'コードを送る')
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-2`)
    const second = async () => {
      const it = await emailTo(server, who.email, '再設定')
      return it.text === first.text ? undefined : codeIn(it)
    }
    await expect.poll(second).toMatch(/^\d{6}$/)
    await code(page).fill(defined(await second()))
    await press(page, '確認する')
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-3`)
  },
)

test(
  'an unusable link of an email shows that, and leads to the first step',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/forgot-password/mail?token=made-up`)
    await expect(page.getByText(/^このリンクは使えません。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.getByRole('link', { name: 'パスワードの再設定へ' }).click()
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-1`)
  },
)

test(
  'a second request within the hour waits, and shows how to get a new code',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await page.goto(`${network.url}/forgot-password/step-1`)
    await page.getByRole('textbox', { name: 'メールアドレス' }).fill(who.email)
    await press(page, 'コードを送る')
    await expect(page.getByRole('button', { name: /あと約(60|59)分で再送できます/ })).toBeDisabled()
    await expect(page.getByText(/「コードの受け取りと停止」から、新しいコードを受け取れます。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
  },
)

test('a paused sign-in shows the other ways to sign in', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  await page.route('**/api/auth/sign-in', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'sign_in_paused' } } }),
  )
  await page.goto(`${network.url}/login`)
  await fillSignIn(page, { email: 'someone@person.example', password: 'Asayake-9' })
  await expect(page.getByText(/パスワードでのログインを一時的に止めています。/)).toBeVisible()
  await expectNoViolationsInEachLook(page)
})
