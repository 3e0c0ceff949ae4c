// A bought post after a block: its buyer still reads it, from the purchase history.
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { creator, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

test(
  'a buyer who was blocked opens the post from the history, and reads it without reactions and comments',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [me, seller] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
    const { posts } = (await me.call('GET', '/posts?type=3')) as { posts: PostView[] }
    const { user } = (await seller.call('GET', '/auth/session')) as { user: { id: string } }
    const post = posts.find((it) => it.author.id === user.id && it.access.is === 'preview')
    if (post?.access.is !== 'preview') throw new Error('the demo creator sells no post')
    await buyPost(server.url, me, post.id, defined(post.access.price))
    const { user: buyer } = (await me.call('GET', '/auth/session')) as { user: { id: string } }
    await seller.call('PUT', `/blocks/${buyer.id}`)
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
