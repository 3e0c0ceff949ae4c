// The worker stores the mutation of a page that closes right after a press.
import type { Page } from '@playwright/test'
import { creator, fan, signInByCookie, sessionOf } from './rig/people/people.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

/** Phones fire an event when an app is hidden, and none when its page ends. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

const closings: [string, (page: Page) => Promise<unknown>][] = [
  // oxlint-disable-next-line house/story-leaving -- the page has stored nothing yet
  ['closes it', (page) => page.close()],
  ['goes elsewhere', (page) => page.goto('about:blank')],
  ['swipes it away', hide],
]

for (const [how, leave] of closings)
  test(
    `a like and a comment arrive although the page has not stored them when its person ${how}`,
    deepUnless(how === 'closes it'),
    async ({ server, network, phone }) => {
      const content = `すぐに行く人 ${how}`
      await publishTexts(server.url, creator, content)
      const { token } = await sessionOf(server.url, fan)
      const [post] = await postsWithText(server.url, content)
      const callApi = async <T>(path: string): Promise<T> => {
        const answer = await fetch(`${server.url}/api${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        return (await answer.json()) as T
      }
      await signInByCookie(phone.page, network.url, fan)
      const page = await phone.context.newPage()
      // Storing a mutation does not complete here, and then fails.
      await page.addInitScript(`{
      const stuck = new Promise((_, fail) => addEventListener('no-room', fail))
      const { getKey } = IDBObjectStore.prototype
      IDBObjectStore.prototype.getKey = function (...given) {
        return this.name === 'acts' ? stuck : getKey.apply(this, given)
      }
    }`)
      await page.goto(`${network.url}/post/${post?.id}`)
      await page.getByRole('button', { name: 'いいね', exact: true }).click()
      await expect(page.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
      await page.getByRole('button', { name: 'コメントを書く' }).click()
      await page.getByRole('textbox', { name: 'コメントを書く' }).fill('行ってきます')
      await page.getByRole('button', { name: '送信', exact: true }).click()
      const sending = page.getByRole('listitem').filter({ hasText: '行ってきます' }).getByText('送信中')
      await expect(sending).toBeVisible()
      const before = await callApi<{ liked: boolean }>(`/posts/${post?.id}`)
      expect(before.liked).toBe(false)
      await leave(page)
      await expect
        .poll(async () => (await callApi<{ liked: boolean }>(`/posts/${post?.id}`)).liked)
        .toBe(true)
      const commentTexts = async () => {
        const { comments } = await callApi<{ comments: { body: { content: string } }[] }>(
          `/posts/${post?.id}/comments`,
        )
        return comments.map((it) => it.body.content)
      }
      await expect.poll(commentTexts).toEqual(['行ってきます'])
      if (leave !== hide) return

      // The page continues and does not send again what the worker has sent.
      await expect(sending).toHaveCount(0)
      const sent: (string | null)[] = []
      page.on('request', (it) => {
        if (it.method() !== 'GET' && it.url().includes(`/posts/${post?.id}/`)) sent.push(it.postData())
      })
      await page.evaluate(() => dispatchEvent(new Event('no-room')))
      // The field stays open after a comment was sent.
      await page.getByRole('textbox', { name: 'コメントを書く' }).fill('ただいま')
      await page.getByRole('button', { name: '送信', exact: true }).click()
      await expect.poll(commentTexts).toEqual(['ただいま', '行ってきます'])
      expect(sent).toEqual([expect.stringContaining('ただいま')])
    },
  )
