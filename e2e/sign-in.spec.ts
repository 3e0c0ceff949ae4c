// Access to pages, signing in and out, registering, and the not-found page.
import { emailTo, linkIn } from './rig/people/mail.ts'
import { creator, fan, fillSignIn, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test('a visitor is sent to the login page, and after signing in to the requested page', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await page.goto(`${network.url}/post/upload2`)
  await expect(page).toHaveURL(/\/login\?to=/)
  await fillSignIn(page, creator)
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
})

test('a requested page on another site is ignored', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login?to=${encodeURIComponent('//elsewhere.example/')}`)
  await fillSignIn(page, fan)
  await expect(page).toHaveURL(`${network.url}/`)
})

test('a signed-in person who opens /login or /register is sent to the home page', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  for (const path of ['/login', '/register']) {
    await page.goto(network.url + path)
    await expect(page).toHaveURL(`${network.url}/`)
  }
})

test('a wrong password shows an error, and the form keeps its values', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  await fillSignIn(page, { ...fan, password: 'todoke-demo2' })
  await expect(page.getByText('メールアドレスまたはパスワードが違います。')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'メールアドレス' })).toHaveValue(fan.email)
  await expect(page).toHaveURL(/\/login/)
})

test('an empty form shows which fields are required, and sends no request', async ({ network, phone }) => {
  const { page } = phone
  await page.goto(`${network.url}/login`)
  const requests: string[] = []
  page.on('request', (it) => requests.push(`${it.method()} ${new URL(it.url()).pathname}`))
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(page.getByText('入力必須項目です。')).toHaveCount(2)
  expect(requests).not.toContain('POST /api/auth/sign-in')
})

test('a new person registers and sees that an email is on its way, which /dev/mail shows', async ({
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
  const message = await emailTo(server, 'new@person.example', '登録を完了してください')
  expect(linkIn(message)).toMatch(/^\/confirmed#token=[\w-]{43}$/)
  // The worker answers every page of the app, but not this one.
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.goto(`${network.url}/dev/mail`)
  await page.getByRole('link', { name: message.subject }).first().click()
  await expect(page.getByRole('heading', { name: message.subject })).toBeVisible()
  const led = page.waitForRequest((it) => it.isNavigationRequest() && /\/confirmed(#|$)/.test(it.url()))
  await page.frameLocator('iframe').getByRole('link', { name: '登録を完了する' }).click()
  await led
})

test('registering shows an error at each wrong field', async ({ network, phone }) => {
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

test('signing out leads to the login page, and going back stays there', async ({ network, phone }) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.goto(`${network.url}/post/upload2`)
  await expect(page).toHaveURL(/\/login/)
})

test('an unknown address shows the not-found page with a link to the home page', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  const reply = await page.goto(`${network.url}/no/such/page`)
  // Settled: the reply to this navigation, which the worker has given.
  expect([reply?.fromServiceWorker(), reply?.status()]).toEqual([true, 404])
  await expect(page.getByText('ページが見つかりません')).toBeVisible()
  await expect(page.getByText('404 Page not found')).toBeVisible()
  // The empty layout has neither header nor navigation.
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page
    .getByRole('link', { name: 'ホーム画面' })
    .or(page.getByRole('button', { name: 'ホーム画面' }))
    .click()
  await expect(page).toHaveURL(`${network.url}/`)
})
