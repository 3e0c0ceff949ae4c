// The pages of an account by keyboard alone, from the forgotten password to the deletion.
import type { Page } from '@playwright/test'
import { pressFocused, pressOn, pressTab, tabAndPress, tabAndType } from './rig/browsers/keyboard.ts'
import { emailTo } from './rig/people/mail.ts'
import { fan, type Person, sessionOf, signInByCookie } from './rig/people/people.ts'
import { codeIn, registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

const desktop = { viewport: { width: 1280, height: 800 } }
const NEW = 'Asayake-9'

const press = (page: Page, control: RegExp) => tabAndPress(page, control, 'Enter')

/** Types into the field, and submits its form. */
async function submit(page: Page, field: RegExp, typed: string): Promise<void> {
  await tabAndType(page, field, typed)
  await pressFocused(page, field, 'Enter')
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await tabAndType(page, /^メールアドレス/, email)
  await submit(page, /^パスワード$/, password)
}

async function typeTwice(page: Page, password: string): Promise<void> {
  await tabAndType(page, /^新しいパスワード$/, password)
  await submit(page, /^新しいパスワード（確認）$/, password)
}

test(
  'a forgotten password is replaced, and the person signs in with the new one',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const { page } = await newPhone(desktop)
    const who = await registerPerson(server)
    await page.goto(`${network.url}/login`)
    await page.getByRole('main').waitFor()
    await press(page, /^パスワードを忘れた方/)
    await expect(page.getByRole('heading', { name: 'パスワードの再設定' })).toBeVisible()
    await submit(page, /^メールアドレス/, who.email)
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-2`)
    await submit(page, /^確認コード/, codeIn(await emailTo(server, who.email, '再設定')))
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-3`)
    await typeTwice(page, NEW)
    await expect(page).toHaveURL(`${network.url}/forgot-password/step-4`)
    await press(page, /^ログイン画面へ$/)
    await expect(page).toHaveURL(`${network.url}/login`)
    await signIn(page, { ...who, password: NEW })
    await expect(page).toHaveURL(`${network.url}/`)
  },
)

test(
  'address and password are changed, another session is ended, a deletion is requested and cancelled',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const { page } = await newPhone(desktop)
    const who = await registerPerson(server)
    const next = `next-${who.email}`
    await page.goto(`${network.url}/user/change-email`)
    await page.getByRole('main').waitFor()
    await signIn(page, who)
    await expect(page).toHaveURL(/\/user\/password-validation/)
    // Wait for the login page, which has a field of that name too, to be replaced.
    await expect(page.getByRole('button', { name: 'ログイン', exact: true })).toHaveCount(0)
    await submit(page, /^パスワード$/, who.password)
    await expect(page).toHaveURL(`${network.url}/user/change-email`)
    await submit(page, /^新しいメールアドレス/, next)
    await submit(page, /^確認コード/, codeIn(await emailTo(server, next, '変更のコード')))
    await expect(page).toHaveURL(`${network.url}/user/completed?what=email`)

    await page.goto(`${network.url}/user/change-password`)
    await page.getByRole('main').waitFor()
    await typeTwice(page, NEW)
    await expect(page).toHaveURL(`${network.url}/user/completed?what=password`)

    await sessionOf(server.url, { email: next, password: NEW })
    await page.goto(`${network.url}/settings/privacy-and-security`)
    await page.getByRole('button', { name: /をログアウトさせる$/ }).waitFor()
    await press(page, /をログアウトさせる$/)
    await page.getByRole('alertdialog').waitFor()
    await press(page, /^ログアウトさせる$/)
    await expect(page.getByText('端末をログアウトさせました。')).toBeVisible()

    await page.goto(`${network.url}/user/delete-account`)
    await page.getByRole('radio').first().waitFor()
    await press(page, /^削除の確認へ進む$/)
    await page.getByRole('alertdialog').waitFor()
    await press(page, /^削除を申し込む$/)
    await expect(page).toHaveURL(`${network.url}/user/delete-account/waiting`)
    await press(page, /^削除を取り消す$/)
    await expect(page).toHaveURL(`${network.url}/`)
  },
)

test('the skip link is hidden until it has the focus, and moves the focus to the content', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/search`)
  const link = page.getByRole('link', { name: '本文へ移動' })
  const edges = () => link.evaluate((it) => it.getBoundingClientRect().toJSON() as DOMRect)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // An edge at 0 shows a line when the link's height is a fraction of pixels.
  await expect.poll(async () => (await edges()).bottom).toBeLessThan(-1)
  await pressTab(page)
  await expect(link).toBeFocused()
  await expect.poll(async () => (await edges()).top).toBeGreaterThan(0)
  await pressOn(link, 'Enter')
  await expect(page).toHaveURL(/#main$/)
})
