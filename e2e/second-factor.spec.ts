// The second factor: set up in the settings, required at sign-in, and turned off.
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { fillSignIn, type Person } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

const security = '/settings/privacy-and-security'
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

/** The code that an app shows so many steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function setUp(page: Page, url: string, person: Person) {
  await page.goto(url + security)
  const part = page.getByRole('region', { name: '2段階認証' })
  await part.getByRole('button', { name: '設定する' }).click()
  await page.getByLabel('パスワード', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: '確認する' }).click()
  await part.getByRole('button', { name: '設定する' }).click()
  const sheet = page.getByRole('dialog', { name: '2段階認証の設定' })
  await expect(sheet.getByRole('figure')).toBeVisible()
  // Settled: the secret is shown with its figure, and stays until the sheet is closed.
  const secret = (await sheet.locator('code').innerText()).replaceAll(/\s/g, '')
  await look(page, 'setup')
  await sheet.getByLabel('認証コード').fill('000000')
  await sheet.getByRole('button', { name: '設定する' }).click()
  await expect(sheet.getByText('コードが違います。')).toBeVisible()
  const code = codeOf(secret)
  await sheet.getByLabel('認証コード').fill(code)
  await sheet.getByRole('button', { name: '設定する' }).click()
  const codes = page.getByRole('dialog', { name: 'リカバリーコード' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  // Settled: all ten codes are shown.
  const shown = await codes.getByRole('listitem').allInnerTexts()
  await look(page, 'codes')
  await codes.getByRole('button', { name: '保管しました' }).click()
  await expect(part.getByText('未使用のリカバリーコード：10個')).toBeVisible()
  return { secret, code, recovery: shown[0] ?? '' }
}

test(
  'a code of the app, or a recovery code, follows the password until it is turned off',
  { tag: '@deep' },
  async ({ server, network: { url }, newPhone, phone: { page } }) => {
    const person = await registerPerson(server)
    await page.goto(`${url}/login`)
    await fillSignIn(page, person)
    await expect(page).toHaveURL(`${url}/`)
    const { secret, code, recovery } = await setUp(page, url, person)

    // On another device.
    const other = (await newPhone()).page
    await other.goto(`${url}/login`)
    await fillSignIn(other, person)
    const field = other.getByLabel('認証コード')
    await expect(field).toBeFocused()
    await look(other, 'second step')
    await field.fill(code)
    await field.press('Enter')
    // The code that turned it on was used.
    await expect(other.getByText('コードが違います。')).toBeVisible()
    await field.fill(codeOf(secret, 1))
    await field.press('Enter')
    await expect(other).toHaveURL(`${url}/`)

    // The session of this device has no validation yet.
    await other.goto(url + security)
    const theirs = other.getByRole('region', { name: '2段階認証' })
    const turnOff = async () => {
      await theirs.getByRole('button', { name: '2段階認証を解除' }).click()
      await other.getByRole('alertdialog').getByRole('button', { name: '解除する' }).click()
    }
    await turnOff()
    await other.getByLabel('パスワード', { exact: true }).fill(person.password)
    await other.getByRole('button', { name: '確認する' }).click()
    await other.getByLabel('認証コード').fill(recovery.toUpperCase().replace('-', ' '))
    await other.getByRole('button', { name: '確認する' }).click()
    await expect(theirs.getByText('未使用のリカバリーコード：9個')).toBeVisible()
    await turnOff()
    await expect(theirs.getByText('設定されていません。')).toBeVisible()
  },
)
