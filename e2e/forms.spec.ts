// Form behaviour (specification section 5): when fields are checked, and submission only once.
import type { Page } from '@playwright/test'
import { steadyBox } from './rig/browsers/boxes.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { fan, fillSignIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

const email = (page: Page) => page.getByRole('textbox', { name: 'メールアドレス' })
const password = (page: Page) => page.getByLabel('パスワード', { exact: true })
const signInButton = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true })

/** Counts the sign-in requests sent from now on. */
function countSignIns(page: Page): () => number {
  let count = 0
  page.on('request', (it) => {
    if (it.method() === 'POST' && it.url().endsWith('/api/auth/sign-in')) count++
  })
  return () => count
}

test('a field shows its error when it is first left, and from then on at every input', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await page.goto(`${network.url}/register`)
  const wrong = page.getByText('メールアドレスは正しい形式で入力してください')
  await email(page).pressSequentially('hanako@exa')
  await expect(wrong).toHaveCount(0)
  await pressOn(email(page), 'Tab')
  await expect(wrong).toBeVisible()
  await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(email(page)).toHaveAccessibleDescription('メールアドレスは正しい形式で入力してください')
  await email(page).press('End')
  await email(page).pressSequentially('mple.co')
  await expect(wrong).toHaveCount(0)
  await expect(email(page)).not.toHaveAttribute('aria-invalid')
  await email(page).fill('')
  await expect(page.getByText('入力必須項目です。')).toBeVisible()
})

test(
  'a field shows its normalised value when it is left; a password is not changed',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/register`)
    await email(page).fill('　Ｈanako＠example。com ')
    await password(page).fill(' Ｙｕｕｇｕｒｅ-7 ')
    const name = page.getByRole('textbox', { name: '名前' })
    await name.fill('　夕暮 ')
    await pressOn(name, 'Tab')
    await expect(email(page)).toHaveValue('hanako@example.com')
    await expect(name).toHaveValue('夕暮')
    await expect(password(page)).toHaveValue(' Ｙｕｕｇｕｒｅ-7 ')
    await expect(page.getByText('パスワードが条件を満たしていません')).toBeVisible()
  },
)

test(
  'the conditions of a password are marked while it is typed',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/register`)
    const met = page.getByRole('list', { name: 'パスワードの条件' }).getByText('（満たしています）')
    await expect(met).toHaveCount(0)
    await password(page).pressSequentially('yuugure')
    await expect(met).toHaveCount(1)
    await password(page).pressSequentially('-')
    await expect(met).toHaveCount(3)
    await password(page).pressSequentially('あ')
    await expect(met).toHaveCount(2)
  },
)

test(
  'a button pressed from a field with an error is clicked although the error moves it',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/login`)
    await email(page).fill('nobody')
    await email(page).blur()
    await password(page).fill('a')
    await password(page).fill('')
    const box = await steadyBox(signInButton(page))
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 6)
    await page.mouse.down()
    await page.mouse.up()
    await expect(email(page)).toBeFocused()
    await expect(page.getByText('入力必須項目です。')).toBeVisible()
  },
)

test('pressing submit twice sends once', { tag: '@deep' }, async ({ network, phone }) => {
  const { page } = phone
  const sent = countSignIns(page)
  await page.goto(`${network.url}/login`)
  await email(page).fill(fan.email)
  await password(page).fill(fan.password)
  await page.evaluate(() => {
    const form = document.querySelector('form')
    form?.requestSubmit()
    form?.requestSubmit()
  })
  await expect(page).toHaveURL(`${network.url}/`)
  expect(sent()).toBe(1)
})

test('Enter that commits a composition does not submit', async ({ network, phone }) => {
  const { page } = phone
  const sent = countSignIns(page)
  await page.goto(`${network.url}/login`)
  await email(page).fill(fan.email)
  // A request with this password would be refused, and counted before the next one.
  await password(page).fill('Yuugure-8')
  await email(page).focus()
  const cdp = await phone.cdp()
  // The key code of a key that the input method consumed.
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, text: '\r' }
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter })
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
  await password(page).fill(fan.password)
  await email(page).press('Enter')
  await expect(page).toHaveURL(`${network.url}/`)
  expect(sent()).toBe(1)
})

test.describe('a first visit', () => {
  // An installed worker has every part in its cache.
  test.use({ firstVisit: true })

  test('the login page works when an optional part cannot be loaded', async ({ network, phone }) => {
    const { page } = phone
    await page.context().route(/\/assets\/(parked-posts|passkey-sign-in)-/, (route) => route.abort())
    const missing = page.waitForEvent('requestfailed', (it) => it.url().includes('/passkey-sign-in-'))
    await page.goto(`${network.url}/login`)
    await missing
    await expect(page.getByRole('textbox', { name: 'メールアドレス' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'パスキーでログイン' })).toHaveCount(0)
    await fillSignIn(page, fan)
    await expect(page).toHaveURL(`${network.url}/`)
  })
})

test(
  'without a connection an error is shown, and the typed values remain',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.goto(`${network.url}/login`)
    await email(page).fill(fan.email)
    await phone.context.setOffline(true)
    await fillSignIn(page, fan)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('通信できませんでした。')
    await expect(password(page)).toHaveValue(fan.password)
    await phone.context.setOffline(false)
    await signInButton(page).click()
    await expect(page).toHaveURL(`${network.url}/`)
  },
)

test(
  'fields have the autocomplete names that password managers read',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const fields = () =>
      page
        .locator('form :is(input, select)')
        .evaluateAll((all) => all.map((it) => it.getAttribute('autocomplete')).filter((it) => it !== null))
    await page.goto(`${network.url}/register`)
    await email(page).waitFor()
    await expect
      .poll(fields)
      .toEqual(['username', 'new-password', 'nickname', 'bday-year', 'bday-month', 'bday-day'])
    await page.goto(`${network.url}/login`)
    await password(page).waitFor()
    await expect.poll(fields).toEqual([expect.stringMatching(/^username/), 'current-password'])
  },
)
