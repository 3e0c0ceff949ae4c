// Registering: the form, the email and the first steps (specification sections 2, 5 and 7).
import { expectNoViolations, expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressFocused, tabAndPress, tabAndType, typeOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { emailsTo, emailTo, linkIn } from './rig/people/mail.ts'
import { signIn } from './rig/people/people.ts'
import { fillSignUp, newPerson, signUpButton, submitSignUp } from './rig/people/sign-up-form.ts'
import { expect, test } from './rig/story.ts'

/** Runs in the page: whether the tab has stored this text. */
const inSession = (text: string): boolean => JSON.stringify(Object.values(sessionStorage)).includes(text)

test('the link of the email signs in the device that registered', async ({ server, network, phone }) => {
  const { page } = phone
  const who = newPerson()
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('link', { name: '登録', exact: true }).click()
  await expect(page.getByRole('heading', { name: '新規登録' })).toBeVisible()
  await fillSignUp(page, who)
  await expectNoViolations(page)
  await signUpButton(page).click()
  await expect(page.getByRole('main').getByText(who.email)).toBeVisible()
  await expectNoViolationsInEachLook(page)

  const link = linkIn(await emailTo(server, who.email, '登録'))
  const tab = await phone.context.newPage()
  await tab.goto(network.url + link)
  await expect(tab).toHaveURL(`${network.url}/register/completed`)
  await expect(tab.getByText('夕暮さん、ようこそ。')).toBeVisible()
  await expectNoViolations(tab)
  // No store of the browser has the secret any more.
  await expect.poll(() => tab.evaluate(() => sessionStorage.getItem('todoke.confirmation'))).toBeNull()
  await tab.getByRole('link', { name: '元のページに戻る' }).click()
  await expect(tab).toHaveURL(`${network.url}/post/upload2`)

  await tab.goto(network.url + link)
  await expect(tab).toHaveURL(`${network.url}/confirmed`)
  await expect(tab.getByText(/^このリンクは使えません。.*すでに使われています。/)).toBeVisible()
})

test(
  'on another device the link requires the password, and a wrong one shows an error',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const who = newPerson()
    await submitSignUp(phone.page, network.url, who)
    const link = linkIn(await emailTo(server, who.email, '登録'))
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await page.goto(network.url + link)
    await expect(page).toHaveURL(`${network.url}/confirmed`)
    const password = page.getByLabel('パスワード', { exact: true })
    await password.fill('Yuugure-8')
    await expectNoViolations(page)
    await password.press('Enter')
    await expect(page.getByText('パスワードが違います')).toBeVisible()
    await expect(password).toBeFocused()
    // The secret is not in the address, and a reload does not lose it.
    await reload(page, nothingWritten)
    await password.fill(who.password)
    await password.press('Enter')
    await expect(page).toHaveURL(`${network.url}/register/completed`)

    // A visitor with a used link sees what to do.
    await phone.page.goto(network.url + link)
    await expect(phone.page.getByText('このリンクは使えません。')).toBeVisible()
    await phone.page.getByRole('main').getByRole('link', { name: 'ログイン' }).click()
    await signIn(phone.page, network.url, who)
  },
)

test(
  'a person who mistyped the address returns to the form with everything but the password',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const who = newPerson()
    await submitSignUp(page, network.url, who)
    await expect(page.getByRole('button', { name: /あと\d+秒で再送できます/ })).toBeDisabled()
    await reload(page, (it) => it.evaluate(inSession, who.name))
    await expect(page.getByRole('main').getByText(who.email)).toBeVisible()
    await page.getByRole('link', { name: 'アドレスを変更する' }).click()
    await expect(page.getByRole('textbox', { name: 'メールアドレス' })).toHaveValue(who.email)
    await expect(page.getByRole('textbox', { name: '名前' })).toHaveValue(who.name)
    await expect(page.getByRole('combobox', { name: '年' })).toHaveValue('1999')
    await expect(page.getByLabel('パスワード', { exact: true })).toHaveValue('')
  },
)

test('the email can be sent again after a minute', { tag: '@deep' }, async ({ server, network, phone }) => {
  const { page } = phone
  const who = newPerson()
  await page.clock.install()
  await submitSignUp(page, network.url, who)
  const first = linkIn(await emailTo(server, who.email, '登録'))
  await page.clock.runFor('01:01')
  await page.getByRole('button', { name: 'メールを再送する' }).click()
  await expect(page.getByText('メールを再送しました。')).toBeVisible()
  await expect(page.getByRole('button', { name: /で再送できます$/ })).toBeDisabled()
  const links = () => emailsTo(server, who.email).map(linkIn)
  await expect.poll(links).toEqual([first, first])
})

test(
  'without a registration /register/send-mail leads to the form',
  { tag: '@deep' },
  async ({ network, phone }) => {
    await phone.page.goto(`${network.url}/register/send-mail`)
    await expect(phone.page).toHaveURL(`${network.url}/register`)
    await phone.page.goto(`${network.url}/register/completed`)
    await expect(phone.page).toHaveURL(/\/login/)
    await phone.page.goto(`${network.url}/confirmed`)
    await expect(phone.page.getByText('もう一度開いてください')).toBeVisible()
    await expectNoViolations(phone.page)
  },
)

test('registering by keyboard alone', { tag: '@deep' }, async ({ network, newPhone }) => {
  const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
  const who = newPerson()
  await page.goto(`${network.url}/register`)
  await signUpButton(page).waitFor()
  const step = (name: RegExp, keys: string) => tabAndType(page, name, keys)
  await step(/^メールアドレス/, who.email)
  await step(/^パスワード$/, 'yuugure')
  await pressFocused(page, /^パスワード$/, 'Enter')
  const password = page.getByLabel('パスワード', { exact: true })
  await expect(password).toHaveAccessibleDescription(/パスワードが条件を満たしていません/)
  // The first field with an error has the focus, so a screen reader reads its error next.
  await typeOn(password, '-7A')
  await step(/^名前/, who.name)
  await step(/^年/, '1999')
  await step(/^月/, '4')
  await step(/^日/, '3')
  await tabAndPress(page, /^利用規約とプライバシー/, 'Space')
  await tabAndPress(page, /^登録する$/, 'Enter')
  await expect(page).toHaveURL(`${network.url}/register/send-mail`)
})
