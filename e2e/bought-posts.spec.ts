// A bought post after a block, and the records of a suspended buyer.
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import type { Server } from './rig/network/server.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { akari, creator, fan, fillSignIn, signIn } from './rig/people/people.ts'
import { suspend } from './rig/people/suspending.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** The fan buys a post of the demo creator. @returns the post, and the creator */
async function buyFromCreator({ url }: Server, buyer: Api) {
  const seller = await apiOf(url, creator)
  const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
  const post = posts.find((it) => it.author.id === seller.id && it.access.is === 'preview')
  if (post?.access.is !== 'preview') throw new Error('the demo creator sells no post')
  await buyPost(url, buyer, post.id, defined(post.access.price))
  return { seller }
}

test(
  'a buyer who was blocked opens the post from the history, and reads it without reactions and comments',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const me = await apiOf(server.url, fan)
    const { seller } = await buyFromCreator(server, me)
    await seller.call('PUT', `/blocks/${me.id}`)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/purchase-history`)
    await page.getByRole('link', { name: /^投稿を見る/ }).click()
    const article = page.getByRole('article')
    await expect(
      article.getByText('購入した投稿のため、引き続き閲覧できます。いいねやコメントはできません。'),
    ).toBeVisible()
    await expect(article.getByRole('button', { name: /いいね|共有/ })).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'コメント' })).toHaveCount(0)
    await expectNoViolationsInEachLook(page)
  },
)

test(
  'a suspended buyer reads the history and issues a receipt by the link that a sign-in sends',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const me = await apiOf(server.url, akari)
    const { seller } = await buyFromCreator(server, me)
    await suspend(server.url, seller, me.id, '別の方のお名前です。')
    await page.goto(`${network.url}/login`)
    await fillSignIn(page, akari)
    await expect(page.getByRole('alert')).toContainText(
      '理由と購入履歴は、お送りしたメールのリンクから確認できます。',
    )
    await page.goto(network.url + linkIn(await emailTo(server, akari.email, '利用停止中のアカウント')))
    await page.getByRole('link', { name: '購入履歴と領収書' }).click()
    const main = page.getByRole('main')
    await expect(main.getByRole('list', { name: '購入した投稿とプラン' }).getByRole('listitem')).toHaveCount(
      1,
    )
    await expect(main.getByRole('link', { name: /投稿を見る|特定商取引法|メッセージ/ })).toHaveCount(0)
    await expectNoViolationsInEachLook(page)
    await main.getByRole('link', { name: /^領収書/ }).click()
    await main.getByRole('textbox', { name: '宛名' }).fill('山田 花子')
    await main.getByRole('button', { name: '領収書を発行する' }).click()
    await expect(main.getByRole('article', { name: '領収書' })).toContainText('山田 花子 様')
    await expectNoViolationsInEachLook(page)
    await reload(page, nothingWritten)
    await expect(main.getByRole('article', { name: '領収書' })).toContainText('山田 花子 様')
    await main.getByRole('link', { name: '購入履歴へ' }).click()
    await main.getByRole('link', { name: '処分の内容へ' }).click()
    await expect(main.getByText('別の方のお名前です。')).toBeVisible()
  },
)
