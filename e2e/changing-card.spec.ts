// A member changes the card of a plan: before, after and at its end.
import type { Page, TestInfo } from '@playwright/test'
import type { JoinedPlan } from '#contract/plans/members.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { joinPlan, recurringDoes, sandboxDoes } from './rig/people/buying.ts'
import { akari, creator, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const GOOD_CARD = '4111 1111 1111 1111'

async function morningPlan(url: string): Promise<OwnPlan> {
  const { plans } = (await (await apiOf(url, creator)).call('GET', '/plans/own')) as { plans: OwnPlan[] }
  const plan = plans.find((it) => it.name === '朝の海プラン')
  if (!plan) throw new Error('the demo has no plan of this name')
  return plan
}

async function joinedPlan(api: Api): Promise<JoinedPlan | undefined> {
  const { plans } = (await api.call('GET', '/plans/joined')) as { plans: JoinedPlan[] }
  return plans.find((it) => it.membership !== null)
}

const cardLink = (page: Page) => page.getByRole('link', { name: 'お支払い方法を変更する（朝の海プラン）' })
const confirmButton = (page: Page, name = '変更を確定する') => page.getByRole('button', { name, exact: true })

/** Pictures of a page on a phone and on a desktop, in both looks. */
async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: info.outputPath(`${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
}

/** Types a card on the provider's page, and presses its button. */
async function typeCard(page: Page, button: string): Promise<void> {
  await page.getByLabel('練習用のカード番号').fill(GOOD_CARD)
  await page.getByRole('button', { name: button, exact: true }).press('Enter')
}

test(
  'a member changes the card of a plan without a payment, and pays a failed month by it, at the same price',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    const me = await apiOf(server.url, akari)
    const morning = await morningPlan(server.url)
    const id = await joinPlan(server.url, me, morning)
    const joinedAt = (await joinedPlan(me))?.joined_at
    const seller = await apiOf(server.url, creator)
    await seller.call('PATCH', `/plans/${morning.id}`, { price: 900 })
    await signIn(page, network.url, akari)

    await page.goto(`${network.url}/plan?tab=joined`)
    await expect(cardLink(page)).toBeVisible()
    await picture(page, info, 'joined')
    await cardLink(page).press('Enter')
    await expect(page.getByText('クレジットカード。本日の請求はありません。')).toBeVisible()
    await expect(page.getByText('500円').first()).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await picture(page, info, 'register')
    await page.context().setOffline(true)
    await expect(page.getByText('お支払い方法の変更には通信が必要です。')).toBeVisible()
    await expect(confirmButton(page)).toBeDisabled()
    await page.context().setOffline(false)
    await confirmButton(page).press('Enter')
    await expect(page.getByText('（今回の請求はありません）')).toBeVisible()
    await typeCard(page, '登録する')
    await expect(page.getByRole('heading', { name: 'お支払い方法を変更しました' })).toBeVisible()
    await picture(page, info, 'registered')

    await sandboxDoes(server.url, { failRenewals: true })
    await server.kill()
    await server.start(32)
    const later = await apiOf(server.url, akari)
    await expect.poll(async () => (await joinedPlan(later))?.membership?.state).toBe('past_due')
    await page.goto(`${network.url}/plan?tab=joined`)
    await expect(page.getByText(/今すぐお支払いになるか、別のカードに変更できます/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await picture(page, info, 'past-due')
    await cardLink(page).press('Enter')
    await expect(page.getByText(/お支払いを確認できていない1か月分を請求します/)).toBeVisible()
    await picture(page, info, 'pay')
    await confirmButton(page, 'お支払いと変更を確定する').press('Enter')
    await typeCard(page, '支払う')
    await expect(page.getByRole('heading', { name: 'お支払いが完了しました' })).toBeVisible()
    await page.getByRole('link', { name: '加入中のプランを見る' }).press('Enter')
    await expect(page.getByText('加入中', { exact: true })).toBeVisible()
    await expect
      .poll(() => joinedPlan(later))
      .toMatchObject({ joined_at: joinedAt, membership: { id, price: 500, state: 'active' } })
  },
)

test(
  'a member whose plan ended unpaid comes back at the same price, also from the page of the plan',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    const me = await apiOf(server.url, akari)
    const morning = await morningPlan(server.url)
    const id = await joinPlan(server.url, me, morning)
    await sandboxDoes(server.url, { failRenewals: true })
    await server.kill()
    await server.start(32)
    const later = await apiOf(server.url, akari)
    await expect.poll(async () => (await joinedPlan(later))?.membership?.state).toBe('past_due')
    await recurringDoes(server.url, id, 'stop_by_provider')
    await signIn(page, network.url, akari)
    await page.goto(`${network.url}/plan?tab=joined`)
    await expect(page.getByRole('link', { name: '加入を続ける（朝の海プラン）' })).toBeVisible()
    await picture(page, info, 'ended')
    await page.goto(`${network.url}/payment?plan=${morning.id}`)
    await expect(page.getByText('今までの内容で加入を続けられます')).toBeVisible()
    await picture(page, info, 'returning')
    await page.getByRole('link', { name: '加入を続ける' }).press('Enter')
    await expect(page.getByText(/過ぎたあとは、新しい加入になります/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await picture(page, info, 'return')
    await confirmButton(page, '申込みを確定する').press('Enter')
    await typeCard(page, '支払う')
    await expect(page.getByRole('heading', { name: 'お支払いが完了しました' })).toBeVisible()
    await expect
      .poll(async () => (await joinedPlan(later))?.membership)
      .toMatchObject({ id, state: 'active' })
    await page.goto(`${network.url}/payment?card=${id}`)
    await expect(page.getByText('クレジットカード。本日の請求はありません。')).toBeVisible()
  },
)
