// In an airplane: the app opens from the home screen with no network, is read and written in, and everything arrives once.
import type { Page } from '@playwright/test'
import { broken } from './rig/axe.ts'
import { postButton, stored } from './rig/posting/editor.ts'
import { admin, akari, fan, kami, knownAs, sessionOf, signIn } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { until } from './rig/network/ports.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

interface Seen {
  id: string
  liked: boolean
  author: { id: string }
  access: { is: string; content?: string }
}

/** What the device has kept of what was read, by its names. */
const keptIn = (page: Page, store: 'answers' | 'pictures'): Promise<string[]> =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((done) => {
        const opened = indexedDB.open('todoke')
        opened.addEventListener('success', () => {
          const db = opened.result
          const keys = db.transaction(name).objectStore(name).getAllKeys()
          keys.addEventListener('success', () => {
            db.close()
            done(keys.result.map(String))
          })
        })
      }),
    store,
  )

/** The media whose pictures are seen on the page. */
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

test('read, liked, commented and posted with no network, all of it arrives once, and what was refused is told', async ({
  server,
  network,
  phone,
}) => {
  test.setTimeout(240_000)
  const ask = async <T>(path: string, token: string, init: RequestInit = {}): Promise<T> => {
    const answer = await fetch(`${server.url}/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}` },
    })
    return (await answer.json()) as T
  }
  await publishTexts(server.url, akari, '灯りの道を歩きました')
  await publishTexts(server.url, kami, 'まもなく消える投稿です')
  const [author, other, me] = [
    await sessionOf(server.url, akari),
    await sessionOf(server.url, kami),
    await sessionOf(server.url, fan),
  ]
  const postSaying = async (session: typeof author, content: string): Promise<Seen> => {
    const { posts } = await ask<{ posts: Seen[] }>(`/posts?author=${session.user.id}`, me.token)
    const found = posts.find((it) => it.access.content === content)
    if (!found) throw new Error(`no post says ${content}`)
    return found
  }
  const lasting = await postSaying(author, '灯りの道を歩きました')
  const doomed = await postSaying(other, 'まもなく消える投稿です')

  // At the gate: home and two posts are read.
  await signIn(phone.page, network.url, fan)
  await phone.page.getByRole('tab', { name: '新着' }).click()
  await expect(phone.page.getByText('まもなく消える投稿です')).toBeVisible()
  await expect.poll(() => picturesOn(phone.page)).not.toEqual([])
  const seen = await picturesOn(phone.page)
  await expect
    .poll(async () => {
      const kept = (await keptIn(phone.page, 'pictures')).join()
      return seen.filter((it) => !kept.includes(it))
    })
    .toEqual([])
  for (const { id } of [lasting, doomed]) {
    await phone.page.goto(`${network.url}/post/${id}`)
    await expect(phone.page.getByRole('heading', { name: 'コメント' })).toBeVisible()
    await expect
      .poll(async () => (await keptIn(phone.page, 'answers')).join())
      .toContain(`{"post_id":"${id}"}`)
  }
  await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await phone.stop()

  // In the air.
  network.cut()
  await phone.start()
  await phone.context.setOffline(true)
  const { page } = phone
  // The browser's own cache is no promise.
  await (await phone.cdp()).send('Network.clearBrowserCache')
  await page.goto(`${network.url}/`)
  await expect(page.getByText('オフラインです。最後に読み込んだ内容を表示しています。')).toBeVisible()
  const first = page.getByRole('article').filter({ hasText: '灯りの道を歩きました' })
  await expect(first).toBeVisible()
  await expect(page.getByText(/^最終更新/)).toBeVisible()
  // What was seen is there; the cards beyond the screen come when somebody moves.
  await page.mouse.wheel(0, 40)
  await expect
    .poll(async () => {
      const there = await picturesOn(page)
      return seen.filter((it) => !there.includes(it))
    })
    .toEqual([])
  await first.getByRole('button', { name: 'いいね', exact: true }).click()
  await expect(first.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
  const second = page.getByRole('article').filter({ hasText: 'まもなく消える投稿です' })
  await second.getByRole('button', { name: 'いいね', exact: true }).click()
  await page.goto(`${network.url}/post/${lasting.id}`)
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  const box = page.getByRole('textbox', { name: 'コメントを書く' })
  for (const words of ['雲の上から。', 'もうすぐ着きます。']) {
    await box.fill(words)
    await page.getByRole('button', { name: '送信', exact: true }).click()
    await expect(page.getByRole('listitem').filter({ hasText: words })).toContainText(
      '接続が戻ると送信します',
    )
  }
  expect(await broken(page)).toEqual([])
  const unseen = await sessionOf(server.url, admin)
  await page.goto(`${network.url}/profile/${unseen.user.id}`)
  await expect(page.getByText('このページはまだ読み込まれていないため')).toBeVisible()
  const [picture] = await makePictures(1)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill('窓からの写真です')
  await page.getByLabel('画像・動画を追加').setInputFiles([picture?.path ?? ''])
  await expect(page.getByRole('button', { name: /を取り除く$/ })).toHaveCount(1)
  // Until it is on the device only this page has the photo.
  await stored(page)
  await postButton(page).click()
  await expect(page).toHaveURL(`${network.url}/`)
  await expect(first.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
  // The post says what it waits for, over the list and in the tray.
  const own = page.getByRole('article', { name: '送信中の自分の投稿' })
  const tray = page.getByRole('region', { name: '送信中の投稿' })
  for (const it of [own, tray]) await expect(it).toContainText('接続を待っています')
  await expect(own).toContainText('送信待ち')
  await expect(tray).toContainText('接続が戻ると')
  await expect(page.getByText('公開の準備をしています')).toHaveCount(0)
  await phone.stop()

  // Meanwhile one of the two posts goes. Then the airplane lands.
  await ask(`/posts/${doomed.id}`, other.token, { method: 'DELETE' })
  network.restore()
  await phone.start()
  await phone.page.goto(`${network.url}/`)
  await until(
    async () => ((await ask<Seen>(`/posts/${lasting.id}`, me.token)).liked ? true : undefined),
    'the like',
  )
  const said = await until(async () => {
    const { comments } = await ask<{ comments: { body: { content: string } }[] }>(
      `/posts/${lasting.id}/comments`,
      me.token,
    )
    return comments.length >= 2 ? comments.map((it) => it.body.content) : undefined
  }, 'the comments')
  expect(said).toEqual(['もうすぐ着きます。', '雲の上から。'])
  const written = await until(async () => {
    const { posts } = await ask<{ posts: Seen[] }>(`/posts?author=${me.user.id}`, me.token)
    const mine = posts.filter((it) => it.access.content === '窓からの写真です')
    return mine.length > 0 ? mine.length : undefined
  }, 'the post')
  expect(written).toBe(1)
  const refusal = phone.page.getByRole('alert').filter({ hasText: 'への「いいね」は届きませんでした' })
  await expect(refusal).toBeVisible()
  await phone.page.reload()
  await refusal.getByRole('button', { name: '閉じる' }).click()
  await expect(refusal).toHaveCount(0)
  await phone.page.reload()
  await expect(phone.page.getByRole('article').first()).toBeVisible()
  await expect(refusal).toHaveCount(0)
  await expect(phone.page.getByText('最終更新')).toHaveCount(0)
})

test('signing out leaves nothing of what was read', async ({ network, phone }) => {
  const { page } = phone
  await knownAs(page, network.url, fan)
  await page.goto(`${network.url}/?tab=latest`)
  await expect(page.getByRole('article').first()).toBeVisible()
  const kept = async () => [
    (await keptIn(page, 'answers')).length > 0,
    (await keptIn(page, 'pictures')).length > 0,
  ]
  await expect.poll(kept).toEqual([true, true])
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(kept).toEqual([false, false])
})
