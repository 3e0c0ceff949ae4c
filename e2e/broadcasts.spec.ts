// A creator's broadcast with a priced post to members, and one written without network.
import type { Page } from '@playwright/test'
import type { BroadcastView } from '#contract/messages/broadcasts.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { joinPlan } from './rig/people/buying.ts'
import { akari, creator, signInByCookie, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: 'file' })

const GOOD_CARD = '4111 1111 1111 1111'
const PLAN = '朝の海プラン'

async function planOf(seller: Api): Promise<OwnPlan> {
  const { plans } = (await seller.call('GET', '/plans/own')) as { plans: OwnPlan[] }
  const plan = plans.find((it) => it.name === PLAN)
  if (!plan) throw new Error('the demo has no such plan')
  return plan
}

/** The creator's own post for sale. */
async function pricedPostOf(seller: Api): Promise<PostView> {
  const { posts } = (await seller.call('GET', `/posts?type=3&author=${seller.id}`)) as { posts: PostView[] }
  const [post] = posts
  if (!post) throw new Error('the demo has no post for sale')
  return post
}

const broadcastsOf = async (seller: Api) =>
  ((await seller.call('GET', '/broadcasts')) as { broadcasts: BroadcastView[] }).broadcasts

const message = (page: Page) => page.getByRole('textbox', { name: 'メッセージ' })
const row = (page: Page, content: string) => page.getByRole('listitem').filter({ hasText: content })

/** From the filled form to the accepted broadcast. */
async function confirm(page: Page, question: RegExp): Promise<void> {
  await page.getByRole('button', { name: '送信する人数を確認' }).click()
  await expect(page.getByRole('alertdialog', { name: question })).toBeVisible()
  await page.getByRole('button', { name: '送信する', exact: true }).click()
}

test(
  'two members get a broadcast live, and one buys the priced post from its card',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    test.slow()
    const [seller, one, two] = await Promise.all([creator, yuu, akari].map((it) => apiOf(server.url, it)))
    if (!seller || !one || !two) throw new Error('no people')
    const plan = await planOf(seller)
    for (const it of [one, two]) await joinPlan(server.url, it, plan)
    const post = await pricedPostOf(seller)
    const { page } = phone
    const fan = (await newPhone()).page
    await signInByCookie(fan, network.url, yuu)
    await fan.goto(`${network.url}/chat-messages/conversations`)
    await expect(fan.getByText('まだメッセージはありません')).toBeVisible()

    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/${post.id}`)
    await page.getByRole('button', { name: '投稿のメニュー' }).click()
    await page.getByRole('menuitem', { name: 'メッセージで送る' }).click()
    await page.getByRole('link', { name: 'プランのメンバーに一斉送信' }).click()
    await page.getByRole('checkbox', { name: PLAN }).click()
    await page.getByRole('button', { name: '送信する人数を確認' }).click()
    await message(page).fill('新作です。\nいつもありがとうございます。')
    await reload(page, ['新作です。\nいつもありがとうございます。'])
    await expect(message(page)).toHaveValue('新作です。\nいつもありがとうございます。')
    await expect(page.getByRole('checkbox', { name: PLAN })).toBeChecked()
    await expectNoViolationsInEachLook(page)
    const { member_count: members } = await planOf(seller)
    await confirm(page, new RegExp(`^${members}人に一斉送信しますか`))
    const sent = row(page, '新作です。')
    await expect(sent.getByText('完了')).toBeVisible()
    await expect(message(page)).toHaveValue('')

    await fan.getByRole('link', { name: seller.name }).click()
    const card = fan.getByRole('article').getByRole('link', { name: /有料の投稿/ })
    await expect(fan.getByRole('article').getByText('新作です。')).toBeVisible()
    await expect(card).toContainText('購入へ進む')
    await expectNoViolationsInEachLook(fan)
    await card.click()
    await fan.getByRole('link', { name: '購入する' }).click()
    await fan.getByRole('button', { name: '申込みを確定する' }).click()
    await fan.getByLabel('練習用のカード番号').fill(GOOD_CARD)
    await fan.getByRole('button', { name: '支払う' }).click()
    await expect(fan).toHaveURL(`${network.url}/post/${post.id}`)
    await fan.goto(`${network.url}/chat-messages/${seller.id}`)
    await expect(card).toContainText('投稿を見る')
    await expect(card).not.toContainText('購入へ進む')

    const [broadcast] = await broadcastsOf(seller)
    expect(broadcast).toMatchObject({ state: 'done', recipients: members, delivered: members })
    const { messages } = (await two.call('GET', `/conversations/${seller.id}/messages`)) as {
      messages: { body: { post: { is: string } } }[]
    }
    expect(messages.map((it) => it.body.post.is)).toEqual(['preview'])
  },
)

test(
  'a broadcast written without network waits on the device and is sent once',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [seller, fan] = await Promise.all([creator, akari].map((it) => apiOf(server.url, it)))
    if (!seller || !fan) throw new Error('no people')
    const before = (await broadcastsOf(seller)).length
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/chat-messages/conversations`)
    await page.getByRole('link', { name: '一斉送信する' }).click()
    const box = page.getByRole('checkbox', { name: PLAN })
    await box.click()
    await message(page).fill('電波のない所から')
    await page.context().setOffline(true)
    await confirm(page, /^最大\d+人に一斉送信しますか/)
    await expect(row(page, '電波のない所から').getByText('送信待ち')).toBeVisible()
    await page.context().setOffline(false)
    await expect(row(page, '電波のない所から').getByText(/完了|配信中/)).toBeVisible()
    await expect.poll(async () => (await broadcastsOf(seller)).length).toBe(before + 1)
  },
)
