// Admins retry a failed job by keys, close registration, and invite a person.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { admin, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Registration is closed for everyone of a server.
test.use({ ownServer: true })

/** One run names every page that is wrong. */
const softly = expect.configure({ soft: true })

const look = async (page: Page, name: string) => {
  await expectNoViolationsInEachLook(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
  await softly.poll(wide, { message: name }).toBeLessThanOrEqual(390)
}

/** A job that has failed, and that is done at once when it is tried again: its email does not exist. */
const failedJob = `insert into pgboss.job (name, state, retry_limit, retry_count, completed_on, data, output)
  values ('letter.send', 'failed', 2, 2, now(), $1::jsonb, '{"message":"connect ECONNREFUSED 127.0.0.1:25"}')`

async function retryByKeys(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/administration?show=machine`)
  const jobs = page.getByRole('region', { name: '失敗した処理' })
  await expect(jobs.getByText('connect ECONNREFUSED 127.0.0.1:25')).toBeVisible()
  await look(page, 'a failed job')
  const row = jobs.getByRole('listitem').first()
  await pressAnywhere(row, '?')
  await pressOn(page.getByRole('dialog', { name: 'キーボード操作' }), 'Escape')
  await pressAnywhere(row, 'j')
  await pressOn(row, 'e')
  const sheet = page.getByRole('dialog', { name: 'letter.sendへの対応' })
  await expect(sheet).toBeVisible()
  await look(page, 'acts on a job')
  await sheet.getByRole('button', { name: 'もう一度実行する' }).press('Enter')
  await confirmAdmin(page)
  await sheet.getByRole('button', { name: 'もう一度実行する' }).press('Enter')
  await expect(page.getByText('1件を実行待ちにしました。')).toBeVisible()
  await expect(jobs.getByText('失敗した処理はありません。')).toBeVisible()
}

/** Chooses a mode of registration on the page of the settings. */
async function choose(page: Page, mode: string): Promise<void> {
  const part = page.getByRole('region', { name: '新規登録' })
  await part.getByRole('combobox', { name: '新規登録の受け付け' }).selectOption(mode)
  await part.getByRole('button', { name: '保存する' }).click()
  await expect(part.getByRole('button', { name: '保存する' })).toBeDisabled()
}

const history = (page: Page) => page.getByRole('region', { name: '変更の履歴' }).getByRole('listitem')

async function invite(page: Page): Promise<string> {
  await page.getByRole('button', { name: '作成する' }).click()
  const row = page.getByRole('list', { name: '招待コード' }).getByRole('listitem').first()
  await expect(row.getByText('0 / 1人', { exact: false })).toBeVisible()
  // Settled: the row is shown, and no row is added before the next press.
  const code = await row.getByText(/^[2-9A-Z]{12}$/).textContent()
  return code ?? ''
}

async function registerWith(page: Page, url: string, code: string): Promise<string> {
  const email = 'shoutai@person.example'
  await page.goto(`${url}/register`)
  await expect(page.getByLabel('招待コード')).toHaveValue('')
  await page.goto(`${url}/register#invite=${code}`)
  await expect(page.getByLabel('招待コード')).toHaveValue(code)
  await look(page, 'registration by invitation')
  await page.getByLabel('招待コード').fill('ABCDEFGHJKMN')
  await page.getByRole('textbox', { name: 'メールアドレス' }).fill(email)
  await page.getByLabel('パスワード', { exact: true }).fill('Yuugure-7')
  await page.getByRole('textbox', { name: '名前' }).fill('招待')
  await page.getByRole('combobox', { name: '年' }).selectOption('1999')
  await page.getByRole('combobox', { name: '月' }).selectOption('4')
  await page.getByRole('combobox', { name: '日' }).selectOption('3')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page.getByText('この招待コードは使えません。')).toBeVisible()
  await page.getByLabel('招待コード').fill(code.toLowerCase())
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page).toHaveURL(`${url}/register/send-mail`)
  return email
}

test(
  'a failed job is retried by keys, registration is closed, and an invitation opens it for one person',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    await server.change(failedJob, [JSON.stringify({ letterId: crypto.randomUUID() })])
    await signIn(page, network.url, admin)
    await retryByKeys(page, network.url)

    await page.goto(`${network.url}/administration?show=settings`)
    await choose(page, 'closed')
    await expect(history(page).first()).toContainText('標準 → 停止する')
    const visitor = (await newPhone()).page
    await visitor.goto(`${network.url}/register`)
    await expect(visitor.getByRole('heading', { name: '新規登録は停止しています' })).toBeVisible()
    await expect(visitor.getByRole('link', { name: 'ログイン', exact: true })).toBeVisible()
    await look(visitor, 'closed registration')

    await choose(page, 'invite')
    await expect(history(page).first()).toContainText('停止する → 招待制にする')
    const code = await invite(page)
    await look(page, 'settings')
    const email = await registerWith(visitor, network.url, code)
    await visitor.goto(network.url + linkIn(await emailTo(server, email, '登録')))
    await expect(visitor).toHaveURL(`${network.url}/register/completed`)
    await reload(page, nothingWritten)
    await expect(page.getByText('1 / 1人', { exact: false })).toBeVisible()
  },
)

/** Whether this device has stored that a bar was closed. */
const closedBars = (page: Page) => page.evaluate(() => localStorage.getItem('todoke-closed-bars') !== null)

test(
  'a bar is shown to a visitor and closed until its text changes',
  { tag: '@deep' },
  async ({ network, phone: { page }, newPhone }) => {
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration?show=settings`)
    const part = page.getByRole('region', { name: '画面上部の表示' })
    await part.getByLabel('文').fill('今夜2時からメンテナンスを行います')
    await part.getByLabel('リンク先').fill('//evil.example')
    await part.getByRole('button', { name: '保存する' }).click()
    await expect(part.getByText('正しい形式で入力してください')).toBeVisible()
    await part.getByLabel('リンク先').fill('/help')
    await part.getByRole('button', { name: '保存する' }).click()
    await confirmAdmin(page)
    await part.getByRole('button', { name: '保存する' }).click()
    await expect(history(page).first()).toContainText('表示なし → 「今夜2時から')
    const visitor = (await newPhone()).page
    const bars = visitor.getByRole('region', { name: '重要なお知らせ' })
    await visitor.goto(`${network.url}/about`)
    await expect(bars.getByRole('link', { name: '今夜2時からメンテナンスを行います' })).toHaveAttribute(
      'href',
      '/help',
    )
    await look(visitor, 'the bar')
    await bars.getByRole('button').click()
    await expect(bars).toBeHidden()
    const read = visitor.waitForResponse((it) => it.url().endsWith('/api/notices/bars') && it.ok())
    await reload(visitor, closedBars)
    await (await read).finished()
    await part.getByLabel('文').fill('メンテナンスは終わりました')
    await part.getByRole('button', { name: '保存する' }).click()
    await expect(history(page).first()).toContainText('→ 「メンテナンスは終わりました」')
    // The page of the visitor has read the bars since its load.
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(bars).toHaveCount(0)
    await reload(visitor, nothingWritten)
    await expect(bars.getByText('メンテナンスは終わりました')).toBeVisible()
    await expect(bars.getByText('今夜2時から')).toHaveCount(0)
  },
)
