// Staff find a person, act on the sign-in, and read the audit log by keyboard.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { admin, fillSignIn, sessionOf, signIn } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: 'file' })

const address = '/administration'
const look = async (page: Page, name: string) => {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoViolationsInEachLook(page, `${name} at ${width}`)
  }
}

test(
  'an admin finds a person, signs them out, and finds it in the audit log',
  { tag: '@deep' },
  async ({ server, network: { url }, newPhone, phone: { page } }) => {
    const person = await registerPerson(server)
    const other = (await newPhone()).page
    await signIn(other, url, person)
    await signIn(page, url, admin)
    await page.setViewportSize({ width: 1280, height: 844 })
    await page.goto(`${url}${address}?show=people`)
    await page.getByRole('searchbox').fill(person.email)
    await pressOn(page.getByRole('searchbox'), 'Enter')
    const results = page.getByRole('list', { name: '検索結果' })
    await expect(results.getByRole('listitem')).toHaveCount(1)
    await look(page, 'people')
    await page.locator('h2').click()
    const row = results.getByRole('listitem')
    await pressAnywhere(row, 'j')
    await pressOn(row, '?')
    const keys = page.getByRole('dialog', { name: 'キーボード操作' })
    await expect(keys).toBeVisible()
    await pressOn(keys, 'Escape')
    await expect(keys).toBeHidden()
    await pressAnywhere(row, 'j')
    await pressOn(row, 'e')
    await expect(page.getByRole('heading', { name: '夕暮' })).toBeVisible()
    await look(page, 'person')

    await page.getByRole('button', { name: '全体を表示' }).click()
    await confirmAdmin(page)
    await page.getByRole('button', { name: '全体を表示' }).click()
    await expect(page.getByRole('main').getByText(person.email, { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'すべての端末をログアウト' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('combobox', { name: '理由' }).selectOption({ label: '端末の紛失' })
    await look(page, 'act')
    await sheet.getByRole('button', { name: 'すべての端末をログアウト' }).click()
    await expect(page.getByText('ログイン中の端末はありません。')).toBeVisible()
    await expect(other).toHaveURL(/\/login/)

    await page.getByRole('link', { name: '監査ログですべて見る' }).click()
    const table = page.getByRole('table', { name: '監査ログ' })
    const entry = table.getByRole('row', { name: 'すべての端末をログアウト' })
    await expect(entry.filter({ hasText: '端末の紛失' })).toBeVisible()
    await look(page, 'audit')
    await page.getByRole('combobox', { name: '操作' }).selectOption({ label: 'メールアドレスを表示' })
    await expect(table.getByRole('row')).toHaveCount(2)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSVをダウンロード' }).click()
    // Settled: a download has its name from its beginning.
    expect((await download).suggestedFilename()).toBe('todoke-audit.csv')
  },
)

test(
  'a person who is locked out opens the link, and the second email stops it',
  { tag: '@deep' },
  async ({ server, network: { url }, phone: { page } }) => {
    const person = await registerPerson(server)
    const { user } = await sessionOf(server.url, person)
    await signIn(page, url, admin)
    await page.goto(`${url}${address}?show=people&person=${user.id}`)
    const begin = async () => {
      await page.getByRole('button', { name: 'ログインの復旧を始める' }).click()
      const sheet = page.getByRole('dialog', { name: '夕暮さんのログインの復旧' })
      await sheet
        .getByRole('combobox', { name: '本人であることの確認' })
        .selectOption({ label: '登録のメールアドレスから連絡があった' })
      await sheet.getByRole('button', { name: 'ログインの復旧を始める' }).click()
      return sheet
    }
    const sheet = await begin()
    await confirmAdmin(page)
    await sheet.getByRole('button', { name: 'ログインの復旧を始める' }).click()
    await expect(page.getByText('リンクを送信済み')).toBeVisible()

    await page.goto(url + linkIn(await emailTo(server, person.email, 'ログインの復旧')))
    await expect(page).toHaveURL(/\/user\/account-recovery$/)
    await look(page, 'recovery')
    await page.getByRole('button', { name: '復旧を続ける' }).click()
    await expect(page.getByText('すべての端末からログアウトしました。')).toBeVisible()
    await page.goto(url + linkIn(await emailTo(server, person.email, '解除する予定')))
    await page.getByRole('button', { name: '復旧を中止する' }).click()
    await expect(page.getByText('復旧を中止しました。')).toBeVisible()
  },
)

test(
  'once an admin has a passkey, the administration opens only by it',
  { tag: '@deep' },
  async ({ server, phone }) => {
    const { page, context } = phone
    const url = `http://localhost:${server.port}`
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
    await page.goto(`${url}/login`)
    await fillSignIn(page, admin)
    await expect(page).toHaveURL(`${url}/`)
    await page.goto(`${url}/settings/privacy-and-security`)
    await page.getByRole('button', { name: 'パスキーを登録' }).click()
    await page.getByLabel('パスワード', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: '確認する' }).click()
    await page.getByRole('button', { name: 'パスキーを登録' }).click()
    await expect(page.getByText('パスキーを登録しました。')).toBeVisible()
    for (const path of ['/admin/notice', '/admin/notice/add', '/admin/report', address]) {
      await page.goto(url + path)
      await expect(page.getByRole('heading', { name: 'パスキーでの確認が必要です' })).toBeVisible()
    }
    await look(page, 'passkey required')
    await page.getByRole('button', { name: 'パスキーで確認する' }).click()
    await expect(page.getByRole('heading', { name: '本人確認の審査' })).toBeVisible()
  },
)
