// An admin records a transfer of the payment provider, and reverses a wrong one.
import type { Page } from '@playwright/test'
import type { SettlementView } from '#contract/adjustments/settlements.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { inDays } from './rig/days.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { admin, akari, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const PRICE = 800
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

test(
  'a transfer is typed wrongly, reversed, and recorded again until the provider owes nothing',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await page.getByRole('link', { name: '決済代行会社からの入金' }).press('Enter')
    await expect(page.getByText('入金の記録はありません')).toBeVisible()
    await look(page, 'nothing recorded')
    const buyer = await apiOf(server.url, akari)
    const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
    const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
    const books = await apiOf(server.url, admin)
    const read = async () =>
      (await books.call('GET', '/admin/settlements')) as { balance: number; settlements: SettlementView[] }
    await buyPost(server.url, buyer, defined(post).id, PRICE)
    const { balance } = await read()
    const yen = (amount: number) => `${amount.toLocaleString('ja-JP').replace('-', '−')}円`
    await reload(page, nothingWritten)
    await expect(page.getByRole('main').getByText(yen(balance), { exact: true })).toBeVisible()

    await page.getByRole('button', { name: '入金を記録する' }).press('Enter')
    const sheet = page.getByRole('dialog', { name: '入金の記録' })
    await sheet.getByLabel('入金日').fill(inDays(2))
    await sheet.getByLabel('入金額（円）').fill('0')
    await sheet.getByRole('button', { name: '内容を確認する' }).click()
    await expect(sheet.getByText('1円から999,999,999円までの数字を入力してください')).toBeVisible()
    await expect(sheet.getByText('までの日付を入力してください')).toBeVisible()
    await look(page, 'wrong day and amount')
    await sheet.getByLabel('入金日').fill(inDays(0))
    await sheet.getByLabel('入金額（円）').fill(String(balance))
    await sheet.getByLabel('差し引かれた手数料（円）').fill('26')
    await sheet.getByLabel('明細の番号やメモ（任意）').fill('第0012号')
    await sheet.getByRole('button', { name: '内容を確認する' }).press('Enter')
    await confirmAdmin(page)
    await sheet.getByRole('button', { name: '内容を確認する' }).press('Enter')
    const table = sheet.getByRole('table', { name: '帳簿に記録する内容' })
    await expect(table.getByRole('row', { name: '決済代行会社への未収金' })).toContainText(yen(balance + 26))
    await expect(sheet.getByText('記録後の未収金がマイナスになります。')).toBeVisible()
    await look(page, 'preview of a settlement')
    // Settled: the sheet shows the server's reply to the preview, and 確定する is not pressed yet.
    expect((await read()).settlements).toEqual([])
    await sheet.getByRole('button', { name: '確定する' }).press('Enter')
    await expect(page.getByText('入金を記録しました。')).toBeVisible()
    await expect(page.getByText('−26円', { exact: true })).toBeVisible()
    await look(page, 'negative balance')

    await page.getByRole('button', { name: '取り消す：' }).press('Enter')
    const reversal = page.getByRole('dialog', { name: '入金の取り消し' })
    await reversal.getByRole('button', { name: '内容を確認する' }).click()
    await expect(reversal.getByText('理由を入力してください')).toBeVisible()
    await reversal.getByLabel('理由').fill('金額の入力の誤り')
    await reversal.getByRole('button', { name: '内容を確認する' }).press('Enter')
    await expect(reversal.getByRole('table')).toContainText('入金の取り消し')
    await look(page, 'preview of a reversal')
    await reversal.getByRole('button', { name: '確定する' }).press('Enter')
    await expect(page.getByText('取り消し済み')).toBeVisible()
    await expect(page.getByRole('main').getByText(yen(balance), { exact: true })).toBeVisible()

    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: '入金を記録する' }).click()
    await sheet.getByLabel('入金日').fill(inDays(0))
    await sheet.getByLabel('入金額（円）').fill(String(balance - 26))
    await sheet.getByLabel('差し引かれた手数料（円）').fill('26')
    await sheet.getByRole('button', { name: '内容を確認する' }).click()
    await expect(sheet.getByText('記録後の未収金がマイナスになります。')).toBeHidden()
    await sheet.getByRole('button', { name: '確定する' }).click()
    await expect(page.getByText('0円', { exact: true })).toBeVisible()
    await look(page, 'recorded')
    const after = await read()
    expect(after.balance).toBe(0)
    expect(after.settlements.map((it) => [it.received, it.reversal?.reason])).toEqual([
      [balance - 26, undefined],
      [balance, '金額の入力の誤り'],
    ])
  },
)
