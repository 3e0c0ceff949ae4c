// /administration: admins review identity checks; for all other people the page does not exist.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { reviewer } from './rig/people/identity.ts'
import { admin, fan, sessionOf, fillSignIn, signIn } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { submittedCheck } from './rig/people/sent-check.ts'
import { expect, test } from './rig/story.ts'

const address = '/administration'
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)
const notFound = (page: Page) => page.getByRole('heading', { name: 'ページが見つかりません' })

test('a visitor and a member see the not-found page, from which a visitor signs in, and the server answers 404', async ({
  server,
  network,
  phone: { page },
}) => {
  await page.goto(network.url + address)
  await expect(notFound(page)).toBeVisible()
  await expect(page).toHaveURL(network.url + address)
  await page.getByRole('link', { name: 'ログイン', exact: true }).click()
  await fillSignIn(page, fan)
  await expect(page).toHaveURL(network.url + address)
  await expect(notFound(page)).toBeVisible()
  await expect(page.getByRole('link', { name: 'ログイン', exact: true })).toHaveCount(0)
  const statusOf = async (token?: string) => {
    const headers =
      token === undefined ? {} : { cookie: `todoke_token=${encodeURIComponent(`Bearer ${token}`)}` }
    return (await fetch(server.url + address, { headers })).status
  }
  const tokens = [
    undefined,
    (await sessionOf(server.url, fan)).token,
    (await sessionOf(server.url, admin)).token,
  ]
  // Settled: statuses of replies to these requests.
  expect(await Promise.all(tokens.map(statusOf))).toEqual([404, 404, 200])
})

test(
  'an admin takes a check, validates the password, sees its files, returns it and decides it',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const person = await registerPerson(server)
    const check = await submittedCheck(server.url, person)
    await signIn(page, network.url, admin)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: '管理', exact: true }).click()
    await expect(page.getByRole('heading', { name: '本人確認の審査' })).toBeVisible()
    const row = page.locator(`a[href*="${check}"]`)
    await expect(row).toBeVisible()
    await look(page, 'waiting')
    await row.click()
    await expect(page.getByText('書類とユーザーの情報は、担当した人だけが見られます。')).toBeVisible()
    await look(page, 'not taken')
    await page.getByRole('button', { name: '審査を担当する' }).click()
    await expect(page.getByText('審査を担当しました。')).toBeVisible()
    await page.getByRole('button', { name: '書類を表示する' }).click()
    const sheet = page.getByRole('dialog', { name: 'ご本人の確認' })
    await sheet.getByLabel('パスワード', { exact: true }).fill('wrong-password-9')
    await sheet.getByRole('button', { name: '確認する' }).click()
    await expect(sheet.getByText('パスワードが違います')).toBeVisible()
    await look(page, 'confirming')
    await sheet.getByLabel('パスワード', { exact: true }).fill(admin.password)
    await sheet.getByRole('button', { name: '確認する' }).click()
    const front = page.getByRole('img', { name: '提出された表面' })
    await expect(front).toBeVisible()
    const width = () => front.evaluate((it) => (it as HTMLImageElement).naturalWidth)
    await expect.poll(width).toBeGreaterThan(0)
    await expect(page.getByRole('button', { name: '承認する' })).toBeDisabled()
    await page.getByRole('button', { name: '動画を表示する' }).click()
    const film = page.locator('video')
    await expect.poll(() => film.evaluate((it) => (it as HTMLVideoElement).readyState)).toBeGreaterThan(0)
    await look(page, 'documents')

    await page.getByRole('button', { name: '担当を外れる' }).click()
    await expect(page.getByText('担当を外れました。')).toBeVisible()
    await expect(front).toBeHidden()
    await page.getByRole('button', { name: '審査を担当する' }).click()
    await page.getByRole('button', { name: '差し戻す' }).click()
    const rejecting = page.getByRole('dialog', { name: '差し戻しの理由' })
    await rejecting.getByRole('button', { name: '差し戻す' }).click()
    await expect(rejecting.getByRole('combobox')).toHaveAttribute('aria-invalid', 'true')
    await look(page, 'rejecting')
    await pressOn(rejecting, 'Escape')
    await page.getByRole('button', { name: '承認する' }).click()
    const approving = page.getByRole('alertdialog')
    await expect(approving).toBeVisible()
    await look(page, 'approving')
    await approving.getByRole('button', { name: '承認する' }).click()
    await expect(page.getByText('承認しました。')).toBeVisible()
    // The next waiting check opens, or the list without one.
    await expect(page).not.toHaveURL(new RegExp(check))
    await page.goto(network.url + address)
    await page.getByRole('tab', { name: '審査済み' }).click()
    await expect(page.locator(`a[href*="${check}"]`)).toBeVisible()
    await look(page, 'decided')
  },
)

test(
  'a check that another admin took first is shown as taken; a list that failed is read again',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const check = await submittedCheck(server.url, await registerPerson(server))
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}${address}?check=${check}`)
    await page.route('**/api/admin/identity/checks/*/take', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict' } } }),
    )
    await page.getByRole('button', { name: '審査を担当する' }).click()
    await expect(page.getByText('ほかの担当者が先に担当したか').first()).toBeVisible()
    await page.unroute('**/api/admin/identity/checks/*/take')
    const review = await reviewer(server.url)
    expect(await review.perform(check, 'take')).toBe(200)
    expect(await review.perform(check, 'return')).toBe(200)

    await page.goto(`${network.url}${address}`)
    await expect(page.getByRole('tab', { name: '自分の担当' })).toBeVisible()
    network.cut()
    await page.getByRole('tab', { name: '自分の担当' }).click()
    await expect(page.getByRole('button', { name: 'もう一度読み込む' })).toBeVisible()
    await look(page, 'offline')
    network.restore()
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect(page.getByText('担当している本人確認はありません')).toBeVisible()
    await look(page, 'empty')
  },
)

test(
  'members with a name reserved for the operator are listed with the reason and their profile',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, admin)
    await page.goto(network.url + address)
    await page.getByRole('link', { name: '運営と間違えられる名前のユーザー' }).click()
    await expect(page.getByText('該当するユーザーはいません')).toBeVisible()
    await look(page, 'no names')

    // Such names cannot be registered, so the story replaces the reply with a list of them.
    const id = '01990000-0000-7000-8000-000000000001'
    const holder = {
      id,
      created_at: '2026-01-05T00:00:00.000Z',
      name_reason: 'brand',
      handle_reason: 'admin',
    }
    await page.route('**/api/admin/reserved-names*', (route) =>
      route.fulfill({
        json: { people: [{ ...holder, name: 'とどけ公式', handle: 'admin_todoke' }], next: null },
      }),
    )
    await reload(page, nothingWritten)
    const entry = page.getByRole('link', { name: /^とどけ公式/ })
    await expect(entry).toContainText('@admin_todoke')
    await expect(entry).toContainText('名前：サービス名・ユーザー名：管理者・2026年1月5日登録')
    await expect(entry).toHaveAttribute('href', `/profile/${id}`)
    await look(page, 'names')
    await page.getByRole('link', { name: '管理に戻る' }).click()
    await expect(page.getByRole('heading', { name: '本人確認の審査' })).toBeVisible()
  },
)

test(
  'an admin gives a member the role of finance, who sees the money alone, and takes it again',
  { tag: '@deep' },
  async ({ network, phone: { page }, newPhone }) => {
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}${address}`)
    await page.getByRole('link', { name: '運営メンバー' }).click()
    const list = page.getByRole('list', { name: '運営メンバー' })
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await page.getByRole('button', { name: '役割を付ける' }).click()
    const sheet = page.getByRole('dialog', { name: '役割を付ける' })
    await sheet.getByRole('textbox', { name: 'ユーザー' }).fill('daremo@example.com')
    await sheet.getByRole('combobox', { name: '役割' }).selectOption({ label: '経理' })
    await sheet.getByRole('button', { name: '保存する' }).click()
    await confirmAdmin(page)
    await sheet.getByRole('button', { name: '保存する' }).click()
    await expect(
      sheet.getByText('該当するユーザーがいないか、利用停止中または削除手続き中です。'),
    ).toBeVisible()
    await look(page, 'role')
    await sheet.getByRole('textbox', { name: 'ユーザー' }).fill(fan.email)
    await sheet.getByRole('button', { name: '保存する' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(2)
    await look(page, 'staff')

    const other = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await signIn(other, network.url, fan)
    await other.goto(`${network.url}${address}`)
    const main = other.getByRole('main')
    await expect(main.getByRole('link')).toHaveText([
      'お金についての作業',
      'クリエイターへの振込',
      '返金・手数料・無料加入',
      '決済代行会社からの入金',
      'ユーザー',
    ])
    await look(other, 'desk of finance')
    // A part of another role is not there.
    await other.goto(`${network.url}${address}?show=staff`)
    await expect(main.getByRole('link')).toHaveCount(5)

    await page.getByRole('button', { name: '小野みなとさんの役割を変更' }).click()
    const change = page.getByRole('dialog', { name: '小野みなとさんの役割を変更' })
    await change.getByRole('combobox', { name: '役割' }).selectOption({ label: '役割なし' })
    await change.getByRole('button', { name: '保存する' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await other.goto(`${network.url}${address}`)
    await expect(notFound(other)).toBeVisible()
  },
)
