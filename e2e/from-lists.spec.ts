// Posts and people open from the data of a list, with and without network.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { akari, fan, kami, sessionOf, signIn } from './rig/people/people.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const notRead = (page: Page) => page.getByText('このページはまだ読み込まれていないため')
const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })
const open = (page: Page, text: string) =>
  card(page, text)
    .getByRole('link', { name: /投稿を開く/ })
    .click()
const notFound = (page: Page) => page.getByRole('heading', { level: 1, name: 'このページは表示できません' })

/** Navigates inside the app, without a page load. */
const navigate = (page: Page, path: string) =>
  page.evaluate((to) => window.history.pushState({}, '', to), path)

async function api<T>(url: string, token: string, path: string, method = 'GET'): Promise<T> {
  const answer = await fetch(`${url}/api${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as T
}

interface Listed {
  id: string
  access: { content?: string }
}

/** Keys of the cached responses on the device. */
const cachedKeys = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((done) => {
        const request = indexedDB.open('todoke')
        request.addEventListener('success', () => {
          const keys = request.result.transaction('answers').objectStore('answers').getAllKeys()
          keys.addEventListener('success', () => {
            request.result.close()
            done(keys.result.map(String).join())
          })
        })
      }),
  )

/** A reloaded page has the lists that the device stored. */
async function expectReloaded(
  page: Page,
  url: string,
  { post, author }: { post: string; author: Awaited<ReturnType<typeof sessionOf>> },
): Promise<void> {
  await page.goto(`${url}/post/${post}`)
  await expect(page.getByRole('main').getByText('駅までの近道です')).toBeVisible()
  await page.goto(`${url}/profile/${author.user.id}`)
  await expect(page.getByRole('heading', { level: 1, name: author.user.name })).toBeVisible()
  await page.goto(`${url}/`)
  await page.getByRole('tab', { name: '新着' }).click()
  await expect(card(page, 'まもなく消える投稿です')).toBeVisible()
}

test(
  'without network a post and its author open from the data of a list, until the server’s next reply',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    await publishTexts(server.url, akari, '灯りの道を歩きました', '駅までの近道です')
    await publishTexts(server.url, kami, 'まもなく消える投稿です')
    const [author, other] = [await sessionOf(server.url, akari), await sessionOf(server.url, kami)]
    const postsBy = async (who: typeof author) =>
      (await api<{ posts: Listed[] }>(server.url, who.token, `/posts?author=${who.user.id}`)).posts
    const idOf = (posts: Listed[], text: string) => posts.find((it) => it.access.content === text)?.id ?? ''
    const posts = await postsBy(author)
    const [second, doomed] = [
      idOf(posts, '駅までの近道です'),
      idOf(await postsBy(other), 'まもなく消える投稿です'),
    ]
    const { page } = phone
    await phone.context.grantPermissions(['notifications'])
    await signIn(page, network.url, fan)
    await page.getByRole('tab', { name: '新着' }).click()
    await expect(card(page, '灯りの道を歩きました')).toBeVisible()
    // The list is stored on the device before the network is cut.
    await page.evaluate(() => localStorage.removeItem('todoke.push-offer'))
    await navigate(page, '/notify')
    const offersPush = page.getByRole('button', { name: '通知を受け取る' })
    await expect(offersPush).toBeVisible()
    await page.goBack()
    await expect.poll(() => cachedKeys(page)).toContain('"kind":"latest"')
    network.cut()
    await phone.context.setOffline(true)
    const banner = page.getByRole('status').filter({ hasText: 'オフラインです。' })
    await expect(banner).toContainText('最後に読み込んだ内容を表示しています。')

    // The post, the placeholder of its comments, and a pending comment.
    await open(page, '灯りの道を歩きました')
    await expect(page).toHaveURL(/\/post\//)
    await expect(page.getByRole('main').getByText('灯りの道を歩きました')).toBeVisible()
    await expect(page.getByText('コメントは接続が戻ると表示します。')).toBeVisible()
    await page.getByRole('button', { name: 'コメントを書く' }).click()
    await page.getByRole('textbox', { name: 'コメントを書く' }).fill('歩いてみたいです。')
    await page.getByRole('button', { name: '送信', exact: true }).click()
    await expect(page.getByRole('listitem').filter({ hasText: '歩いてみたいです。' })).toContainText(
      '接続が戻ると送信します',
    )
    // Its author, with the posts that the list had.
    await page.getByRole('main').getByRole('link', { name: author.user.name }).click()
    await expect(page.getByRole('heading', { level: 1, name: author.user.name })).toBeVisible()
    await expect(card(page, '駅までの近道です')).toBeVisible()
    await expect(page.getByText('ほかの投稿は接続が戻ると表示します。')).toBeVisible()
    await expect(notRead(page)).toHaveCount(0)

    // The banner mentions cached content only where some is shown; pushes cannot be turned on.
    await page.getByRole('link', { name: '投稿', exact: true }).click()
    await expect(page.getByRole('textbox', { name: '本文' })).toBeVisible()
    await expect(banner).not.toContainText('最後に読み込んだ内容')
    await navigate(page, '/notify')
    await expect(page.getByRole('heading', { level: 1, name: '通知' })).toBeVisible()
    await expect(offersPush).toHaveCount(0)
    // A post that no list had.
    await navigate(page, `/post/${newId()}`)
    await expect(notRead(page)).toBeVisible()

    await expectReloaded(page, network.url, { post: second, author })

    // Connected again: the deleted post is replaced by a message, and pending data arrives.
    await api(server.url, other.token, `/posts/${doomed}`, 'DELETE')
    network.restore()
    await phone.context.setOffline(false)
    await expect(banner).toHaveCount(0)
    await open(page, 'まもなく消える投稿です')
    await expect(notFound(page)).toBeVisible()
    await expect(card(page, 'まもなく消える投稿です')).toHaveCount(0)
    await page.getByRole('button', { name: '戻る' }).click()
    await expect(card(page, '灯りの道を歩きました')).toBeVisible()
    await expect(card(page, 'まもなく消える投稿です')).toHaveCount(0)
    await open(page, '灯りの道を歩きました')
    await expect(
      page
        .locator('[id^=comment-]')
        .filter({ hasText: '歩いてみたいです。' })
        .getByRole('button', { name: 'いいね' }),
    ).toBeVisible()
  },
)
