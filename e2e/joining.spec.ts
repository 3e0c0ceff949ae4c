// A fan joins a plan, cancels it, changes it, and sees failed payments of it.
import type { Page } from '@playwright/test'
import type { JoinedPlan } from '#contract/plans/members.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { joinPlan, recurringDoes, sandboxDoes } from './rig/people/buying.ts'
import { akari, creator, fan, signIn, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const GOOD_CARD = '4111 1111 1111 1111'

/** The demo's plans; the atelier opens the posts of the morning too. */
async function demoPlans(url: string): Promise<{ morning: OwnPlan; atelier: OwnPlan }> {
  const { plans } = (await (await apiOf(url, creator)).call('GET', '/plans/own')) as { plans: OwnPlan[] }
  const [morning, atelier] = ['朝の海プラン', 'アトリエプラン'].map((name) =>
    plans.find((it) => it.name === name),
  )
  if (!morning || !atelier) throw new Error('the demo has no plans')
  return { morning, atelier }
}

/** A post that the plan opens, as the person sees it. */
async function postOf(api: Api, plan: OwnPlan): Promise<PostView> {
  const { posts } = (await api.call('GET', '/posts?type=2')) as { posts: PostView[] }
  const it = posts.find(
    ({ access }) => access.is === 'preview' && access.plans.some(({ id }) => id === plan.id),
  )
  if (!it) throw new Error(`the demo has no closed post of ${plan.name}`)
  return it
}

const isOpen = async (api: Api, postId: string) =>
  ((await api.call('GET', `/posts/${postId}`)) as PostView).access.is === 'full'

async function membershipOf(api: Api) {
  const { plans } = (await api.call('GET', '/plans/joined')) as { plans: JoinedPlan[] }
  return plans.find((it) => it.membership !== null)?.membership ?? undefined
}

/** The kinds of the person's notifications. */
async function notificationKinds(api: Api): Promise<string[]> {
  const { notifications } = (await api.call('GET', '/notifications')) as {
    notifications: { setting_cd: string }[]
  }
  return notifications.map((it) => it.setting_cd)
}

const confirmButton = (page: Page) => page.getByRole('button', { name: '申込みを確定する' })

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('練習用のカード番号').fill(card)
  await page.getByRole('button', { name: '支払う' }).press('Enter')
}

const opened = (page: Page) => page.getByText('【アトリエプランのみなさんへ】')

test('a fan joins a plan from its gate by the keyboard, in four presses and a card number', async ({
  server,
  network,
  phone: { page },
}) => {
  const me = await apiOf(server.url, fan)
  const { atelier } = await demoPlans(server.url)
  const post = await postOf(me, atelier)
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/${post.id}`)
  await page.getByRole('link', { name: '加入する' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '申込みの確認' })).toBeVisible()
  for (const sentence of [
    'プラン「アトリエプラン」',
    'プラン「朝の海プラン」の投稿',
    '1,500円',
    /解約するまで毎月\d+日に自動で請求します/,
    /「TODOKE」と表示されます/,
    /お支払いの確認後、すぐに/,
    /解約しても、お支払い済みの期間の終わりまで閲覧できます/,
    /日割りの返金はありません/,
    '練習用の決済です。お金は動きません。',
  ])
    await expect(page.getByRole('main').getByText(sentence).first()).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await confirmButton(page).press('Enter')
  await payWith(page, GOOD_CARD)
  await expect(page).toHaveURL(`${network.url}/post/${post.id}`)
  await expect(opened(page)).toBeVisible()
  await page.goto(`${network.url}/payment?plan=${atelier.id}`)
  await expect(page.getByText('このプランに加入しています')).toBeVisible()
  await page.getByRole('link', { name: '加入中のプランを見る' }).press('Enter')
  await expect(page.getByText(/^次のお支払いは/)).toBeVisible()
  await expectNoViolationsInEachLook(page)
  const seller = await apiOf(server.url, creator)
  await expect.poll(() => notificationKinds(seller)).toContain('plan')
})

test(
  'the question before a block names the plan that the block cancels, to its member and to its creator',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const me = await apiOf(server.url, fan)
    const seller = await apiOf(server.url, creator)
    await joinPlan(server.url, me, (await demoPlans(server.url)).atelier)
    const ask = async (at: Page, person: typeof fan, whom: Api) => {
      await signIn(at, network.url, person)
      await at.goto(`${network.url}/profile/${whom.id}`)
      await at.getByRole('button', { name: 'その他の操作' }).click()
      await at.getByRole('menuitem', { name: /をブロック$/ }).click()
    }
    const otherPage = (await newPhone()).page
    await ask(page, fan, seller)
    await expect(page.getByRole('alertdialog')).toContainText(
      /加入中のプラン「アトリエプラン」は解約になり、ブロックしている間は閲覧できません（お支払い済みの期間は\d+年\d+月\d+日まで）。返金はありません。/,
    )
    await ask(otherPage, creator, me)
    await expect(otherPage.getByRole('alertdialog')).toContainText(
      'あなたのプラン「アトリエプラン」のメンバーです。ブロックすると終了し、今月分をこの人に返金します。',
    )
  },
)

test(
  'a fan cancels a plan: the last day is shown, the posts stay open, and it can be taken back',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const me = await apiOf(server.url, fan)
    const { atelier } = await demoPlans(server.url)
    const post = await postOf(me, atelier)
    await joinPlan(server.url, me, atelier)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/plan?tab=joined`)
    await page.getByRole('button', { name: '解約（アトリエプラン）' }).press('Enter')
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText(/解約しても、\d+年\d+月\d+日まで閲覧できます。/)
    await expect(question).toContainText('日割りの返金はありません')
    await question.getByRole('button', { name: '解約する' }).press('Enter')
    await expect(page.getByText('解約済み')).toBeVisible()
    await expect(page.getByRole('button', { name: '解約を取り消す（アトリエプラン）' })).toBeFocused()
    await expect(page.getByText(/日まで閲覧できます$/)).toBeVisible()
    await expect.poll(async () => (await membershipOf(me))?.state).toBe('cancelling')
    // Settled: the membership is cancelled.
    expect(await isOpen(me, post.id)).toBe(true)
    await page.goto(`${network.url}/payment?plan=${atelier.id}`)
    await expect(page.getByText('このプランの自動更新は止まっています')).toBeVisible()
    await page.getByRole('link', { name: '加入中のプランを見る' }).click()
    await page.getByRole('button', { name: '解約を取り消す（アトリエプラン）' }).press('Enter')
    await expect(question).toContainText('、月額1,500円（税込）です。')
    await expectNoViolationsInEachLook(page)
    await question.getByRole('button', { name: '取り消して続ける' }).press('Enter')
    await expect(page.getByRole('button', { name: '解約（アトリエプラン）' })).toBeVisible()
    await expect.poll(async () => (await membershipOf(me))?.state).toBe('active')
  },
)

test(
  'a waiting page opens the post when the return page is never reached; another browser shows the result',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const me = await apiOf(server.url, fan)
    const { atelier } = await demoPlans(server.url)
    const post = await postOf(me, atelier)
    await signIn(phone.page, network.url, fan)
    const waiting = await phone.context.newPage()
    await waiting.goto(`${network.url}/post/${post.id}`)
    await expect(waiting.getByRole('link', { name: '加入する' })).toBeVisible()
    const { page } = phone
    await page.goto(`${network.url}/payment?plan=${atelier.id}`)
    await confirmButton(page).click()
    await page.getByLabel('練習用のカード番号').fill(GOOD_CARD)
    const returned = page.waitForRequest(/\/payment\/return/)
    await page.getByRole('button', { name: '支払う' }).click()
    const address = (await returned).url()
    await closePage(page, nothingWritten)
    await expect(opened(waiting)).toBeVisible()
    const other = (await newPhone()).page
    await other.goto(address)
    await expect(
      other.getByText('プランに加入しました。とどけのアプリに戻ると、プランの投稿を見られます。'),
    ).toBeVisible()
    await expectNoViolationsInEachLook(other)
  },
)

test(
  'joining from a profile ends on the result, which leads to the plan; a change of plan is confirmed and taken back',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const { morning, atelier } = await demoPlans(server.url)
    await signIn(page, network.url, yuu)
    await page.goto(`${network.url}/payment?plan=${morning.id}`)
    await confirmButton(page).click()
    await payWith(page, GOOD_CARD)
    await expect(page.getByRole('heading', { name: 'プランに加入しました' })).toBeVisible()
    await expect(page.getByText(/、500円（税込）です。解約は/)).toBeVisible()
    await page.getByRole('link', { name: 'プランの投稿を見る' }).click()
    await expect(page.getByRole('tab', { name: 'プラン限定', selected: true })).toBeVisible()
    await page.getByRole('link', { name: 'このプランに変更（アトリエプラン）' }).click()
    await expect(page.getByText(/のお支払いから切り替わります。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.getByRole('button', { name: '変更を確定する' }).press('Enter')
    await expect(page.getByText(/プラン「アトリエプラン」（月額1,500円）に切り替わります。/)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.goto(`${network.url}/payment?plan=${atelier.id}`)
    await expect(page.getByText('このプランへの変更を受け付けています')).toBeVisible()
    await page.goto(`${network.url}/plan?tab=joined`)
    await page.getByRole('button', { name: '変更を取り消す' }).press('Enter')
    await expect(page.getByRole('link', { name: 'プランを変更（朝の海プラン）' })).toBeVisible()
  },
)

test(
  'a failed renewal is shown, its end is shown live, and the plan can be continued',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const me = await apiOf(server.url, akari)
    const { morning } = await demoPlans(server.url)
    const id = await joinPlan(server.url, me, morning)
    await sandboxDoes(server.url, { failRenewals: true })
    await server.kill()
    await server.start(32)
    // The sweeps of a starting server charge the due month.
    const later = await apiOf(server.url, akari)
    await expect.poll(async () => (await membershipOf(later))?.state).toBe('past_due')
    await signIn(page, network.url, akari)
    await page.goto(`${network.url}/plan?tab=joined`)
    await expect(page.getByText('お支払いを確認できません', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'お支払い方法を変更する（朝の海プラン）' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await recurringDoes(server.url, id, 'stop_by_provider')
    await expect(page.getByText('お支払いを完了できなかったため、終了しました。')).toBeVisible()
    await page.getByRole('link', { name: '加入を続ける（朝の海プラン）' }).press('Enter')
    await expect(confirmButton(page)).toBeVisible()
  },
)

test(
  'a changed price is confirmed again; without network nothing is ordered, and the pages say why',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const seller = await apiOf(server.url, creator)
    const { morning } = await demoPlans(server.url)
    await signIn(page, network.url, yuu)
    await page.goto(`${network.url}/payment?plan=${morning.id}`)
    await expect(confirmButton(page)).toBeEnabled()
    await page.context().setOffline(true)
    await expect(page.getByText('加入には通信が必要です。')).toBeVisible()
    await expect(confirmButton(page)).toBeDisabled()
    await page.context().setOffline(false)
    await seller.call('PATCH', `/plans/${morning.id}`, { price: 600 })
    await confirmButton(page).click()
    await expect(page.getByText('価格が変更されました。')).toBeVisible()
    await expect(page.getByText('600円').first()).toBeVisible()
    await confirmButton(page).click()
    await payWith(page, GOOD_CARD)
    await expect(page.getByRole('heading', { name: 'プランに加入しました' })).toBeVisible()
    await seller.call('PATCH', `/plans/${morning.id}`, { price: 700 })
    await page.getByRole('link', { name: '加入中のプランを見る' }).click()
    await page.getByRole('button', { name: '同意する（朝の海プランの月額）' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: '同意する' }).press('Enter')
    await expect(page.getByText(/のお支払いから、月額が700円に変わります。/)).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText('解約やプランの変更には通信が必要です。')).toBeVisible()
    await page.context().setOffline(false)
  },
)
