// The app without network: reading, liking, commenting, posting; everything arrives once afterwards.
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { cachedIn, mutationsOn } from './rig/cached.ts'
import { postButton, waitUntilStored } from './rig/posting/editor.ts'
import { admin, akari, fan, kami, signInByCookie, sessionOf, signIn } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { until } from './rig/network/ports.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

type Session = Awaited<ReturnType<typeof sessionOf>>

interface Seen {
  id: string
  liked: boolean
  author: { id: string }
  access: { is: string; content?: string }
}

/** The ids of the media whose pictures the page shows. */
const picturesOn = async (page: Page): Promise<string[]> => {
  const names = await page
    .getByRole('feed')
    .locator('img[src^="/api/media/"]')
    .evaluateAll((all) =>
      all
        .map((it) => it as HTMLImageElement)
        .filter((it) => it.complete && it.naturalWidth > 0)
        .map((it) => it.currentSrc.split('/')[5] ?? ''),
    )
  return [...new Set(names)]
}

test.use({ ownServer: true })

const LASTING = '灯りの道を歩きました'
const DELETED = 'まもなく消える投稿です'

/** A fan, and two posts of others, of which one is deleted during the story. */
interface Flight {
  readonly callApi: <T>(path: string, token: string, init?: RequestInit) => Promise<T>
  readonly me: Session
  readonly other: Session
  readonly lasting: Seen
  readonly deleted: Seen
}

const caller =
  (url: string): Flight['callApi'] =>
  async <T>(path: string, token: string, init: RequestInit = {}): Promise<T> => {
    const answer = await fetch(`${url}/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}` },
    })
    return (await answer.json()) as T
  }

/** Publishes the two posts. */
async function withPosts(url: string): Promise<Flight> {
  const callApi = caller(url)
  await publishTexts(url, akari, LASTING)
  await publishTexts(url, kami, DELETED)
  const [author, other, me] = [
    await sessionOf(url, akari),
    await sessionOf(url, kami),
    await sessionOf(url, fan),
  ]
  const postWithText = async (session: Session, content: string): Promise<Seen> => {
    const { posts } = await callApi<{ posts: Seen[] }>(`/posts?author=${session.user.id}`, me.token)
    const found = posts.find((it) => it.access.content === content)
    if (!found) throw new Error(`no post contains ${content}`)
    return found
  }
  const lasting = await postWithText(author, LASTING)
  return { callApi, me, other, lasting, deleted: await postWithText(other, DELETED) }
}

/** Reads home and two posts, until both are stored. @returns the ids of the media whose pictures were shown */
async function readBefore(page: Page, url: string, posts: readonly Seen[]): Promise<string[]> {
  await signIn(page, url, fan)
  await page.getByRole('tab', { name: '新着' }).click()
  await expect(page.getByRole('feed').getByText(DELETED)).toBeVisible()
  await expect.poll(() => picturesOn(page)).not.toEqual([])
  const seen = await picturesOn(page)
  await expect
    .poll(async () => {
      const cached = (await cachedIn(page, 'pictures')).join()
      return seen.filter((it) => !cached.includes(it))
    })
    .toEqual([])
  for (const { id } of posts) {
    await page.goto(`${url}/post/${id}`)
    await expect(page.getByRole('heading', { name: 'コメント' })).toBeVisible()
    await expect.poll(async () => (await cachedIn(page, 'answers')).join()).toContain(`{"post_id":"${id}"}`)
  }
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  return seen
}

/** Home shows its cached pictures, and both posts are liked. */
async function likesOffline(page: Page, url: string, seen: readonly string[]): Promise<void> {
  await page.goto(`${url}/`)
  await expect(page.getByText('オフラインです。最後に読み込んだ内容を表示しています。')).toBeVisible()
  const first = page.getByRole('article').filter({ hasText: LASTING })
  await expect(first).toBeVisible()
  await expect(page.getByText(/^最終更新/)).toBeVisible()
  // Visible posts are cached; cards beyond the screen load on scrolling.
  await page.mouse.wheel(0, 40)
  await expect
    .poll(async () => {
      const there = await picturesOn(page)
      return seen.filter((it) => !there.includes(it))
    })
    .toEqual([])
  await first.getByRole('button', { name: 'いいね', exact: true }).click()
  await expect(first.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
  const second = page.getByRole('article').filter({ hasText: DELETED })
  await second.getByRole('button', { name: 'いいね', exact: true }).click()
}

/** Comments wait for the network; a page that was never read shows the reason. */
async function commentsOffline(page: Page, url: string, postId: string, unseenId: string): Promise<void> {
  await page.goto(`${url}/post/${postId}`)
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  const box = page.getByRole('textbox', { name: 'コメントを書く' })
  for (const words of ['雲の上から。', 'もうすぐ着きます。']) {
    await box.fill(words)
    await page.getByRole('button', { name: '送信', exact: true }).click()
    await expect(page.getByRole('listitem').filter({ hasText: words })).toContainText(
      '接続が戻ると送信します',
    )
  }
  await expectNoViolations(page)
  await page.goto(`${url}/profile/${unseenId}`)
  await expect(page.getByText('このページはまだ読み込まれていないため')).toBeVisible()
}

/** A submitted post shows what it waits for, above the list and in the tray. */
async function postsOffline(page: Page, url: string): Promise<void> {
  const [picture] = await makePictures(1)
  await page.goto(`${url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('窓からの写真です')
  await page.getByLabel('画像・動画を追加').setInputFiles([picture?.path ?? ''])
  await expect(page.getByRole('button', { name: /を外す$/ })).toHaveCount(1)
  // Before it is stored, only this page has the photo.
  await waitUntilStored(page)
  await postButton(page).click()
  await expect(page).toHaveURL(`${url}/`)
  const first = page.getByRole('article').filter({ hasText: LASTING })
  await expect(first.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
  const own = page.getByRole('article', { name: '送信中の自分の投稿' })
  const tray = page.getByRole('region', { name: '送信中の投稿' })
  for (const it of [own, tray]) await expect(it).toContainText('接続を待っています')
  await expect(own).toContainText('送信待ち')
  await expect(tray).toContainText('接続が戻ると')
  await expect(page.getByText('公開の準備をしています')).toHaveCount(0)
}

/** The like, the comments in their order and the post arrive once. */
async function expectDelivered({ callApi, me, lasting }: Flight): Promise<void> {
  await until(
    async () => ((await callApi<Seen>(`/posts/${lasting.id}`, me.token)).liked ? true : undefined),
    'the like',
  )
  const contents = await until(async () => {
    const { comments } = await callApi<{ comments: { body: { content: string } }[] }>(
      `/posts/${lasting.id}/comments`,
      me.token,
    )
    return comments.length >= 2 ? comments.map((it) => it.body.content) : undefined
  }, 'the comments')
  expect(contents).toEqual(['もうすぐ着きます。', '雲の上から。'])
  const written = await until(async () => {
    const { posts } = await callApi<{ posts: Seen[] }>(`/posts?author=${me.user.id}`, me.token)
    const published = posts.filter((it) => it.access.content === '窓からの写真です')
    return published.length > 0 ? published.length : undefined
  }, 'the post')
  expect(written).toBe(1)
}

/** The refused like is shown until it is closed, also after a reload. */
async function expectRefusal(page: Page): Promise<void> {
  const refusal = page.getByRole('alert').filter({ hasText: 'に「いいね」できませんでした' })
  await expect(refusal).toBeVisible()
  await reload(page, nothingWritten)
  await refusal.getByRole('button', { name: '閉じる' }).click()
  await expect(refusal).toHaveCount(0)
  await reload(page, async (it) => (await mutationsOn(it)).length === 0)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(refusal).toHaveCount(0)
  await expect(page.getByText('最終更新')).toHaveCount(0)
}

test('likes, comments and a post made without network arrive once, and a refused like is reported', async ({
  server,
  network,
  phone,
}) => {
  const { url } = network
  const it = await withPosts(server.url)
  const both = [it.lasting, it.deleted]
  const seen = await test.step('before the network is cut', () => readBefore(phone.page, url, both))
  await phone.stop()

  network.cut()
  await phone.start()
  await phone.context.setOffline(true)
  // The browser's HTTP cache may be evicted at any time.
  await (await phone.cdp()).send('Network.clearBrowserCache')
  await test.step('likes', () => likesOffline(phone.page, url, seen))
  const unseen = await sessionOf(server.url, admin)
  await test.step('comments', () => commentsOffline(phone.page, url, it.lasting.id, unseen.user.id))
  await test.step('a post', () => postsOffline(phone.page, url))
  await phone.stop()

  await it.callApi(`/posts/${it.deleted.id}`, it.other.token, { method: 'DELETE' })
  network.restore()
  await phone.start()
  await phone.page.goto(`${url}/`)
  await test.step('what arrived', () => expectDelivered(it))
  await test.step('what was refused', () => expectRefusal(phone.page))
})

test(
  'signing out deletes every cached response and picture',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/?tab=latest`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const cached = async () => [
      (await cachedIn(page, 'answers')).length > 0,
      (await cachedIn(page, 'pictures')).length > 0,
    ]
    await expect.poll(cached).toEqual([true, true])
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect.poll(cached).toEqual([false, false])
  },
)
