// Who may open what: guards, signing in, registering, and the page that is not there.
import { emailTo, linkIn } from './rig/people/mail.ts'
import { creator, fan, fillSignIn, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test('a visitor is sent to the login page, and after signing in to the page that was wanted', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await page.goto(`${network.url}/post/upload2`)
  await expect(page).toHaveURL(/\/login\?to=/)
  await fillSignIn(page, creator)
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
})

test('a wanted page on another site is not gone to', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login?to=${encodeURIComponent('//elsewhere.example/')}`)
  await fillSignIn(page, fan)
  await expect(page).toHaveURL(`${network.url}/`)
})

for (const path of ['/', '/post/upload2', '/profile/0190f0a8-0000-7000-8000-000000000000'])
  test(`${path} wants a signed-in person`, async ({ network, phone }) => {
    await phone.page.goto(network.url + path)
    await expect(phone.page).toHaveURL(/\/login/)
  })

test('a signed-in person who opens /login or /register is sent home', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  for (const path of ['/login', '/register']) {
    await page.goto(network.url + path)
    await expect(page).toHaveURL(`${network.url}/`)
  }
})

test('a wrong password is said, and what was typed stays', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  await fillSignIn(page, { ...fan, password: 'todoke-demo2' })
  await expect(page.getByText('メールアドレスまたはパスワードが違います。')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'メールアドレス' })).toHaveValue(fan.email)
  await expect(page).toHaveURL(/\/login/)
})

test('an empty form says which fields it wants, and asks nobody', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  const asked: string[] = []
  page.on('request', (it) => asked.push(`${it.method()} ${new URL(it.url()).pathname}`))
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(page.getByText('入力必須項目です。')).toHaveCount(2)
  expect(asked).not.toContain('POST /api/auth/sign-in')
})

test('somebody new registers and is told that a letter is on its way; it comes, and /dev/mail shows it', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  await page.goto(`${network.url}/register`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill('new@person.example')
  await page.getByLabel('パスワード', { exact: true }).fill('Yuugure-7')
  await page.getByRole('textbox', { name: '名前' }).fill('夕暮')
  await page.getByRole('combobox', { name: '年' }).selectOption('1999')
  await page.getByRole('combobox', { name: '月' }).selectOption('4')
  await page.getByRole('combobox', { name: '日' }).selectOption('3')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page).toHaveURL(`${network.url}/register/send-mail`)
  await expect(page.getByRole('heading', { name: '確認のメールを送りました' })).toBeVisible()
  const letter = await emailTo(server, 'new@person.example', '登録を完了してください')
  expect(linkIn(letter)).toMatch(/^\/confirmed\?token=[\w-]{43}$/)
  // The worker, which answers for every page of the app, leaves this one to the server.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto(`${network.url}/dev/mail`)
  await page.getByRole('link', { name: letter.subject }).first().click()
  await expect(page.getByRole('heading', { name: letter.subject })).toBeVisible()
  // The address goes as soon as the app has taken the token.
  const led = page.waitForRequest((it) => it.isNavigationRequest() && /\/confirmed\?token=/.test(it.url()))
  await page.frameLocator('iframe').getByRole('link', { name: '登録を完了する' }).click()
  await led
})

test('registering says what is wrong, field by field', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/register`)
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill('nobody')
  await page.getByLabel('パスワード', { exact: true }).fill('short')
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page.getByText('メールアドレスは正しい形式で入力してください')).toBeVisible()
  await expect(page.getByText('パスワードが条件を満たしていません')).toBeVisible()
  await expect(page.getByText('入力必須項目です。').first()).toBeVisible()
  await expect(page).toHaveURL(/\/register/)
})

test('signing out leads to the login page, and back does not lead in again', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goto(`${network.url}/post/upload2`)
  await expect(page).toHaveURL(/\/login/)
})

test('an unknown address shows that there is no such page, and the way home', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/no/such/page`)
  await expect(page.getByText('ページが見つかりません')).toBeVisible()
  await expect(page.getByText('404 Page not found')).toBeVisible()
  // The empty layout: neither header nor navigation.
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page
    .getByRole('link', { name: 'ホーム画面' })
    .or(page.getByRole('button', { name: 'ホーム画面' }))
    .click()
  await expect(page).toHaveURL(`${network.url}/`)
})
