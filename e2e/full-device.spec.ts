// A full device: cached data is evicted, drafts stay, a file without room is reported.
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { reload } from './rig/browsers/leaving.ts'
import { akari, fan, sessionOf, signIn } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

/** Runs in the page: counts the rows of stores. */
function countIn(page: Page, ...stores: string[]): Promise<number[]> {
  return page.evaluate(async (names) => {
    const database = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('todoke')
      opening.addEventListener('success', () => done(opening.result))
    })
    const counted = names.map(
      (name) =>
        new Promise<number>((done) => {
          const counting = database.transaction(name).objectStore(name).count()
          counting.addEventListener('success', () => done(counting.result))
        }),
    )
    const counts = await Promise.all(counted)
    database.close()
    return counts
  }, stores)
}

/** More room than a text takes, less than a photo. */
const ROOM = 150_000

test('cached data is evicted, the text is stored, and a photo without room is reported', async ({
  network,
  phone,
}) => {
  await signIn(phone.page, network.url, fan)
  await phone.page.goto(`${network.url}/?tab=latest`)
  // How many there are depends on the posts of other stories.
  await expect.poll(() => countIn(phone.page, 'pictures').then(([n]) => n)).toBeGreaterThan(0)
  // At its start a browser compacts its storage; the size is measured afterwards.
  await phone.stop()
  await phone.start()
  await phone.page.goto(`${network.url}/settings`)
  await expect(phone.page.getByRole('heading', { name: '設定' }).first()).toBeVisible()
  const used = await phone.page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0)
  await phone.stop()
  await phone.start()
  const { page } = phone
  const debug = await phone.cdp()
  await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: used + ROOM })

  const counted = page.waitForResponse((it) => it.url().endsWith('/notifications/unread'))
  await page.goto(`${network.url}/post/upload2`)
  await counted
  const text = page.getByRole('textbox', { name: '本文' })
  await text.fill('満員の端末で書いています')
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
  const [picture] = await makePictures(1)
  await page.getByLabel('画像・動画を追加').setInputFiles([picture?.path ?? ''])
  await expect(page.getByText(/この端末の空き容量が足り(ません|ないため)/).first()).toBeVisible()
  // Small responses can be cached again afterwards.
  const isEvicted = async () => {
    const [pictures, answers = Number.NaN] = await countIn(page, 'pictures', 'answers')
    return pictures === 0 && answers < 2
  }
  await expect.poll(isEvicted).toBe(true)
  await reload(page, ['満員の端末で書いています'])
  await expect(text).toHaveValue('満員の端末で書いています')
})

test.describe('mutations', () => {
  test.use({ ownServer: true })

  test(
    'wait in the open page, which shows that; with the network back they arrive once, and no text is lost',
    { tag: '@deep' },
    async ({ server, network, phone }) => {
      await publishTexts(server.url, akari, '満員の端末で読む投稿です')
      const { token } = await sessionOf(server.url, fan)
      const headers = { authorization: `Bearer ${token}` }
      const callApi = async (path: string) => (await fetch(`${server.url}/api${path}`, { headers })).json()
      const { user } = await sessionOf(server.url, akari)
      const post: string = (await callApi(`/posts?author=${user.id}`)).posts[0].id
      const commentTexts = async (): Promise<string[]> =>
        (await callApi(`/posts/${post}/comments`)).comments.map(
          (it: { body: { content: string } }) => it.body.content,
        )
      await signIn(phone.page, network.url, fan)
      await phone.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
      await phone.stop()
      await phone.start()
      const { page, context } = phone
      const debug = await phone.cdp()
      await debug.send('Storage.overrideQuotaForOrigin', { origin: network.url, quotaSize: 1 })
      await page.goto(`${network.url}/post/${post}`)
      const comments = page.getByRole('heading', { name: 'コメント' })
      await expect(comments).toBeVisible()
      const writeComment = async (words: string) => {
        await page.getByRole('button', { name: 'コメントを書く' }).click()
        await page.getByRole('textbox', { name: 'コメントを書く' }).fill(words)
        await page.getByRole('button', { name: '送信', exact: true }).click()
        await expect(page.getByRole('listitem').filter({ hasText: words })).toContainText(
          '接続が戻ると送信します',
        )
      }
      const setOffline = async (on: boolean) => {
        if (on) network.cut()
        else network.restore()
        await context.setOffline(on)
        // The banner moves the page, so it must appear before a button is pressed.
        await expect(page.getByText('オフラインです。')).toHaveCount(on ? 1 : 0)
      }

      await setOffline(true)
      const like = page.getByRole('article').getByRole('button', { name: /^いいね/ })
      await like.click()
      await expect(like).toHaveAttribute('aria-pressed', 'true')
      await writeComment('空きがなくても書けます')
      const banner = page.getByRole('status').filter({ hasText: '端末に保存できませんでした' })
      await expect(banner).toContainText('操作2件を')
      // Settled: the banner says that neither could be stored, and without network nothing else writes one.
      expect(await countIn(page, 'acts')).toEqual([0])
      await expectNoViolations(page)
      // Returning to the post shows the same state.
      await page.getByRole('article').getByRole('link').first().click()
      await expect(page).toHaveURL(/profile/)
      await expect(comments).toHaveCount(0)
      await page.goBack()
      await expect(page.getByRole('listitem').filter({ hasText: '空きがなくても書けます' })).toHaveCount(1)
      await expect(banner).toContainText('操作2件を')
      await setOffline(false)
      await expect(banner).toHaveCount(0)
      await expect.poll(commentTexts).toEqual(['空きがなくても書けます'])
      await expect.poll(() => callApi(`/posts/${post}`)).toMatchObject({ liked: true, counts: { likes: 1 } })

      // The page is left before the network is back: the next page sends the comment.
      await setOffline(true)
      await writeComment('閉じても残ります')
      await expect(banner).toContainText('操作1件を')
      await page.goto('about:blank')
      network.restore()
      await context.setOffline(false)
      await page.goto(`${network.url}/post/${post}`)
      await expect.poll(commentTexts).toEqual(['閉じても残ります', '空きがなくても書けます'])
    },
  )
})
