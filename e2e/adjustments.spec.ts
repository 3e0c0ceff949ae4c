// An admin refunds, records a dispute, changes a fee and gives a plan.
import type { Page } from '@playwright/test'
import type { OwnPlan } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { SalesView } from '#contract/sales/sales.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { inDays } from './rig/days.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { admin, akari, creator, signIn, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const PRICE = 800
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

async function search(page: Page, text: string): Promise<void> {
  const field = page.getByRole('searchbox', { name: '支払いまたはユーザー' })
  await field.fill(text)
  await field.press('Enter')
}

test(
  'a part of a payment is refunded, the rest is disputed, and the sales follow',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const buyer = await apiOf(server.url, akari)
    const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
    const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
    const paymentId = await buyPost(server.url, buyer, defined(post).id, PRICE)
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await page.getByRole('link', { name: '返金・手数料・無料加入' }).click()
    await search(page, 'だれでもない')
    await expect(page.getByText('見つかりませんでした')).toBeVisible()
    await look(page, 'nothing found')
    await search(page, paymentId)
    await page.getByRole('button', { name: '返金する' }).click()
    const refund = page.getByRole('dialog', { name: '返金' })
    await refund.getByLabel('返金額（円）').fill('900')
    await refund.getByRole('button', { name: '内容を確認する' }).click()
    await expect(refund.getByText('1円から800円までの数字を入力してください')).toBeVisible()
    await expect(refund.getByText('理由を入力してください')).toBeVisible()
    await look(page, 'wrong refund')
    await refund.getByLabel('返金額（円）').fill('300')
    await refund.getByLabel('理由').fill('動画の音声の乱れのため')
    await refund.getByRole('button', { name: '内容を確認する' }).press('Enter')
    await confirmAdmin(page)
    await refund.getByRole('button', { name: '内容を確認する' }).press('Enter')
    const table = refund.getByRole('table', { name: '帳簿に記録する内容' })
    await expect(table.getByRole('row', { name: 'クリエイターへの未払金' })).toContainText('270円')
    await look(page, 'preview of a refund')
    await refund.getByRole('button', { name: '確定する' }).press('Enter')
    await expect(page.getByText('返金の手続きをしました。')).toBeVisible()
    await expect(page.getByText('一部返金', { exact: true })).toBeVisible()
    await look(page, 'refunded in part')

    await page.getByRole('button', { name: 'チャージバックを記録する' }).click()
    const dispute = page.getByRole('dialog', { name: 'チャージバックの記録' })
    await dispute.getByLabel('決済代行会社の手数料（円）').fill('1500')
    await dispute.getByLabel('理由').fill('カード名義人からの申し出')
    await dispute.getByRole('button', { name: '内容を確認する' }).click()
    await expect(dispute.getByRole('table')).toContainText('決済代行会社の手数料')
    await dispute.getByRole('button', { name: '確定する' }).click()
    await expect(page.getByText('カード会社が確認中', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: '結果を記録する' }).click()
    const decision = page.getByRole('dialog', { name: 'チャージバックの結果' })
    await decision.getByLabel('チャージバックの結果').selectOption({ label: '支払いが認められた' })
    await decision.getByRole('button', { name: '内容を確認する' }).click()
    await look(page, 'preview of a decision')
    await decision.getByRole('button', { name: '確定する' }).click()
    await expect(page.getByText('結果を記録しました。')).toBeVisible()

    const sales = (await (await apiOf(server.url, creator)).call('GET', '/sales')) as SalesView
    expect(sales.figures).toMatchObject({ posts: PRICE, refunds: 300, net: 450 })
    await signIn(page, network.url, akari)
    await page.goto(`${network.url}/purchase-history`)
    await expect(page.getByText('一部返金 300円')).toBeVisible()
    await look(page, 'history of the buyer')
  },
)

test(
  'a creator’s fee changes from a day on, and a member gets a plan for nothing until it is ended',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const seller = await apiOf(server.url, creator)
    const { plans } = (await seller.call('GET', '/plans/own')) as { plans: OwnPlan[] }
    const plan = plans[0]
    await page.setViewportSize({ width: 1280, height: 800 })
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration?show=adjustments`)
    await search(page, creator.email)
    await expect(page.getByText('現在は10%（標準は10%）です。')).toBeVisible()
    await page.getByRole('button', { name: '手数料を変更する' }).click()
    const rate = page.getByRole('dialog', { name: '手数料の変更' })
    await rate.getByLabel('手数料（%）').fill('12')
    await rate.getByLabel('適用を始める日').fill(inDays(2))
    await rate.getByLabel('理由').fill('契約の変更のため')
    await rate.getByRole('button', { name: '内容を確認する' }).click()
    await confirmAdmin(page)
    await rate.getByRole('button', { name: '内容を確認する' }).click()
    await expect(rate.getByText('この日からは変更できません。')).toBeVisible()
    await look(page, 'too early')
    await rate.getByLabel('手数料（%）').fill('8.5')
    await rate.getByRole('button', { name: '内容を確認する' }).click()
    await expect(rate.getByRole('table')).toContainText('915円')
    await rate.getByRole('button', { name: '確定する' }).click()
    await expect(page.getByRole('list', { name: '個別の手数料の履歴' })).toContainText('8.5%')

    await page.getByRole('button', { name: '無料で加入してもらう' }).click()
    const give = page.getByRole('dialog', { name: '無料での加入' })
    await give.getByRole('button', { name: '内容を確認する' }).click()
    await expect(give.getByText('加入する人を入力してください')).toBeVisible()
    await give.getByLabel('プラン').selectOption({ value: plan?.id ?? '' })
    await give.getByLabel('加入する人').fill('@nobody_here')
    await give.getByLabel('最後の日').fill(inDays(30))
    await give.getByLabel('理由').fill('お詫びのため')
    await give.getByRole('button', { name: '内容を確認する' }).click()
    await expect(give.getByText('ユーザーが見つかりません。')).toBeVisible()
    await look(page, 'unknown member')
    await give.getByLabel('加入する人').fill(yuu.email)
    await give.getByRole('button', { name: '内容を確認する' }).click()
    await expect(give.getByText('帳簿に記録する金額の動きはありません。')).toBeVisible()
    await give.getByRole('button', { name: '確定する' }).click()
    const list = page.getByRole('list', { name: '無料での加入の履歴' })
    await expect(list).toContainText(plan?.name ?? '?')
    await look(page, 'given')
    const member = await apiOf(server.url, yuu)
    const joined = async () =>
      ((await member.call('GET', '/plans/joined')) as { plans: { id: string }[] }).plans.map((it) => it.id)
    await expect.poll(joined).toContain(plan?.id)
    await list.getByRole('button', { name: '終了する' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '終了する' }).click()
    await expect(page.getByText('無料での加入を終了しました。')).toBeVisible()
    await expect.poll(joined).not.toContain(plan?.id)
  },
)
