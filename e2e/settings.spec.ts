// Settings: stored, reset when storing fails, and applied at once.
import type { Locator, Page, Response } from '@playwright/test'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie, type Person, sessionOf, signIn } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { publishWords } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

/** Opens a page by the account menu, without a reload. */
async function openSettings(page: Page): Promise<void> {
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: '設定' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '設定' })).toBeVisible()
}

async function callApi(url: string, as: Person, method: string, path: string): Promise<unknown> {
  const { token } = await sessionOf(url, as)
  const answer = await fetch(`${url}/api${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  return answer.json()
}

test('the channels of a notification are stored, and reset when the server cannot be reached', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const who = await registerPerson(server)
  await signIn(page, network.url, who)
  await openSettings(page)
  await page.getByRole('link', { name: '通知の設定' }).click()
  const push = page.getByRole('switch', { name: '投稿へのいいね：プッシュ' })
  await expect(push).toBeChecked()
  const saved = page.waitForResponse((it) => it.url().endsWith('/settings/notification/like_post'))
  await push.click()
  await saved
  await reload(page, nothingWritten)
  await expect(push).not.toBeChecked()

  network.cut()
  const mail = page.getByRole('switch', { name: 'フォローされたとき：メール' })
  await mail.click()
  await expect(page.getByText(/^変更を保存できませんでした。/).first()).toBeVisible()
  await expect(mail).not.toBeChecked()
  network.restore()
  const { settings } = (await callApi(server.url, who, 'GET', '/settings/notification')) as {
    settings: { setting_cd: string; push: boolean; mail: boolean }[]
  }
  const of = (code: string) => settings.find((it) => it.setting_cd === code)
  expect([of('like_post')?.push, of('follow')?.mail]).toEqual([false, false])
})

/** Presses a control of the privacy settings and waits until the change is stored. */
async function changePrivacy(page: Page, control: Locator): Promise<void> {
  const isStored = (it: Response) =>
    it.url().endsWith('/settings/privacy') && it.request().method() === 'PATCH' && it.ok()
  const stored = page.waitForResponse(isStored)
  await control.click()
  await stored
}

test(
  'age-limited posts are shown or hidden by the reader’s setting, to which the gate links',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    // It stays at the top of 新着, whatever other stories publish.
    await publishWords(server.url, '大人の夜の海', { is_age_limited: '1' })
    await signIn(page, network.url, fan)
    const gate = page.getByText('年齢制限のある投稿')
    await openSettings(page)
    await page.getByRole('link', { name: /年齢制限のある投稿/ }).click()
    const shown = page.getByRole('switch', { name: '年齢制限のある投稿を表示する' })
    await changePrivacy(page, shown)
    await expect(shown).not.toBeChecked()
    await page.goto(`${network.url}/`)
    await expect(gate.first()).toBeVisible()
    await page.getByRole('link', { name: '設定を開く' }).first().click()
    await expect(shown).not.toBeChecked()
    await changePrivacy(page, shown)
    await page.goBack()
    await expect(page.getByRole('main').getByText('大人の夜の海')).toBeVisible()
    await expect(gate).toHaveCount(0)
  },
)

test(
  'who may write messages is one of three choices, and stored',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await signInByCookie(page, network.url, who)
    await page.goto(`${network.url}/settings/privacy-and-security`)
    await changePrivacy(page, page.getByRole('radio', { name: 'フォローしている人' }))
    await reload(page, nothingWritten)
    await expect(page.getByRole('radio', { name: 'フォローしている人' })).toBeChecked()
  },
)

test(
  'a blocked person is in the list, and is unblocked there',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const { user } = await sessionOf(server.url, creator)
    await callApi(server.url, fan, 'PUT', `/blocks/${user.id}`)
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/settings/blocklist_bk`)
    await expect(page.getByRole('main').getByText(user.name)).toBeVisible()
    await page.getByRole('button', { name: `${user.name}さんのブロックを解除` }).click()
    await expect(page.getByRole('heading', { name: 'ブロックした人はいません' })).toBeVisible()
    await page.goto(`${network.url}/profile/${user.id}`)
    await expect(page.getByRole('article').first()).toBeVisible()
  },
)

test(
  'own information is checked, stored, and shown in the menu at once',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const who = await registerPerson(server)
    await signIn(page, network.url, who)
    await openSettings(page)
    await page.getByRole('link', { name: /アカウント情報/ }).click()
    await page.getByRole('textbox', { name: '名前' }).fill('小野 湊')
    await page.getByRole('textbox', { name: '氏名' }).fill('小野 湊')
    const kana = page.getByRole('textbox', { name: 'フリガナ' })
    await kana.fill('おのみなと')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect(kana).toHaveAttribute('aria-invalid', 'true')
    await expect(kana).toBeFocused()
    await kana.fill('ｵﾉ ﾐﾅﾄ')
    await page.getByRole('button', { name: '保存する' }).click()
    await expect(page.getByText('アカウント情報を保存しました。')).toBeVisible()
    await expect(kana).toHaveValue('オノ　ミナト')
    await reload(page, nothingWritten)
    await expect(kana).toHaveValue('オノ　ミナト')
    await page.goto(`${network.url}/`)
    await expect(page.getByRole('banner').locator('button[aria-haspopup=menu]')).toContainText('小野 湊')
  },
)

test('signing out is at the end of the settings', { tag: '@deep' }, async ({ server, network, phone }) => {
  const { page } = phone
  const who = await registerPerson(server)
  await signIn(page, network.url, who)
  await openSettings(page)
  await page.getByRole('main').getByRole('button', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login/)
})
