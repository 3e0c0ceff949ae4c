// Changing the password and the email address, after validation of the current password.
import type { Page } from '@playwright/test'
import { expectNoViolations, expectNoViolationsInEachLook } from './rig/axe.ts'
import { reload } from './rig/browsers/leaving.ts'
import { emailTo } from './rig/people/mail.ts'
import { fillSignIn, signInByCookie, signIn } from './rig/people/people.ts'
import { fillNewPassword, newPassword, press } from './rig/people/password-form.ts'
import { codeIn, registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

/** Opens a page that requires validation, and enters the password. */
async function openValidated(page: Page, url: string, path: string, password: string): Promise<void> {
  await page.goto(url + path)
  await expect(page).toHaveURL(`${url}/user/password-validation?to=${encodeURIComponent(path)}`)
  await page.getByLabel('パスワード', { exact: true }).fill(password)
  await press(page, '確認する')
  await expect(page).toHaveURL(url + path)
}

test(
  'the email address is changed after the password, a wrong code and the right code',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    const next = `next-${who.email}`
    await signInByCookie(page, network.url, who)
    await page.goto(`${network.url}/user/change-email`)
    await page.getByLabel('パスワード', { exact: true }).fill('Yuugure-8')
    await expectNoViolations(page)
    await press(page, '確認する')
    await expect(page.getByText('パスワードが違います')).toBeVisible()
    await page.getByLabel('パスワード', { exact: true }).fill(who.password)
    await press(page, '確認する')
    await expect(page).toHaveURL(`${network.url}/user/change-email`)
    await expect(page.getByRole('main').getByText(who.email)).toBeVisible()
    await expectNoViolationsInEachLook(page)

    await page.getByRole('textbox', { name: '新しいメールアドレス' }).fill(next)
    await press(page, 'コードを送る')
    const right = codeIn(await emailTo(server, next, '変更のコード'))
    const code = page.getByRole('textbox', { name: /確認コード/ })
    await code.fill(right === '000000' ? '000001' : '000000')
    await expectNoViolationsInEachLook(page)
    await press(page, 'アドレスを変更する')
    await expect(page.getByText('コードが違います。')).toBeVisible()
    await expect(code).toBeFocused()
    await reload(page, [next])
    await code.fill(right)
    await press(page, 'アドレスを変更する')
    await expect(page).toHaveURL(`${network.url}/user/completed?what=email`)
    await expect(page.getByText('メールアドレスを変更しました。')).toBeVisible()
    await expectNoViolations(page)

    // The validation lasts for some minutes.
    await page.goto(`${network.url}/user/change-email`)
    await expect(page.getByRole('main').getByText(next)).toBeVisible()
  },
)

test(
  'a password change ends the session of the other browser, not of this one',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    const { page: elsewhere } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await signIn(elsewhere, network.url, who)
    await signInByCookie(page, network.url, who)
    await openValidated(page, network.url, '/user/change-password', who.password)
    await expectNoViolationsInEachLook(page)
    await fillNewPassword(page, 'Asayake-9')
    await press(page, 'パスワードを変更する')
    await expect(page).toHaveURL(`${network.url}/user/completed?what=password`)
    await expect(page.getByText('パスワードを変更しました。')).toBeVisible()
    await page.getByRole('link', { name: 'ホームへ' }).click()
    await expect(page).toHaveURL(`${network.url}/`)

    await elsewhere.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(elsewhere).toHaveURL(/\/login/)
    await fillSignIn(elsewhere, { ...who, password: 'Asayake-9' })
    await expect(elsewhere).toHaveURL(`${network.url}/`)
  },
)

test('the validation page does not redirect to another site', async ({ server, network, phone }) => {
  const { page } = phone
  const who = await registerPerson(server)
  await signInByCookie(page, network.url, who)
  await page.goto(`${network.url}/user/password-validation?to=${encodeURIComponent('//elsewhere.example/')}`)
  await page.getByLabel('パスワード', { exact: true }).fill(who.password)
  await press(page, '確認する')
  await expect(page).toHaveURL(`${network.url}/`)
})

test(
  'without a connection the page shows that, and continues when it returns',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await signInByCookie(page, network.url, who)
    await openValidated(page, network.url, '/user/change-password', who.password)
    await fillNewPassword(page, 'Asayake-9')
    await phone.context.setOffline(true)
    await expect(page.getByText('オフラインです。')).toBeVisible()
    await press(page, 'パスワードを変更する')
    await expect(page.getByRole('main').getByRole('alert')).toContainText('通信できませんでした。')
    await expect(newPassword(page)).toHaveValue('Asayake-9')
    await phone.context.setOffline(false)
    await press(page, 'パスワードを変更する')
    await expect(page).toHaveURL(`${network.url}/user/completed?what=password`)
  },
)
