// Who presses and is gone in the same moment has pressed: what their page had no time to store the worker stores.
import type { Page } from '@playwright/test'
import { creator, fan, knownAs, sessionOf } from './rig/people.ts'
import { postsSaying, publishTexts } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

const ways: [string, (page: Page) => Promise<unknown>][] = [
  ['closes it', (page) => page.close()],
  ['goes elsewhere', (page) => page.goto('about:blank')],
]

for (const [how, leave] of ways)
  test(`a heart and a comment arrive though the page stores nothing before its person ${how}`, async ({
    server,
    network,
    phone,
  }) => {
    const content = `すぐに行く人 ${how}`
    await publishTexts(server.url, creator, content)
    const { token } = await sessionOf(server.url, fan)
    const [post] = await postsSaying(server.url, content)
    const ask = async <T>(path: string): Promise<T> => {
      const answer = await fetch(`${server.url}/api${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return (await answer.json()) as T
    }
    await knownAs(phone.page, network.url, fan)
    const page = await phone.context.newPage()
    // Here storing an act never comes to its end.
    await page.addInitScript(`{
      const { getKey } = IDBObjectStore.prototype
      IDBObjectStore.prototype.getKey = function (...given) {
        return this.name === 'acts' ? new Promise(() => {}) : getKey.apply(this, given)
      }
    }`)
    await page.goto(`${network.url}/post/${post?.id}`)
    await page.getByRole('button', { name: 'いいね', exact: true }).click()
    await expect(page.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'コメントを書く' }).click()
    await page.getByRole('textbox', { name: 'コメントを書く' }).fill('行ってきます')
    await page.getByRole('button', { name: '送信', exact: true }).click()
    await expect(page.getByRole('listitem').filter({ hasText: '行ってきます' })).toBeVisible()
    const before = await ask<{ liked: boolean }>(`/posts/${post?.id}`)
    expect(before.liked).toBe(false)
    await leave(page)
    await expect.poll(async () => (await ask<{ liked: boolean }>(`/posts/${post?.id}`)).liked).toBe(true)
    await expect
      .poll(async () => {
        const { comments } = await ask<{ comments: { body: { content: string } }[] }>(
          `/posts/${post?.id}/comments`,
        )
        return comments.map((it) => it.body.content)
      })
      .toEqual(['行ってきます'])
  })
