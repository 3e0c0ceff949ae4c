// Conversations without network: copied in advance, purged with the session.
import type { Page } from '@playwright/test'
import { reload } from './rig/browsers/leaving.ts'
import { cachedIn, rowsIn } from './rig/cached.ts'
import { apiOf } from './rig/people/api.ts'
import { openConversation, sendBy } from './rig/people/conversations.ts'
import { akari, creator, fan, signInByCookie } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Unread messages and their counts would be visible to other stories.
test.use({ ownServer: 'file' })

/** Whether the device has queued that messages were read. */
const isMarked = async (page: Page) =>
  (await rowsIn(page, 'acts')).some((it) => it.includes('readConversation'))

test(
  'conversations that were never opened are readable without network, until their owner signs out',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [a, b, c] = await Promise.all([fan, creator, akari].map((it) => apiOf(server.url, it)))
    if (!a || !b || !c) throw new Error('a demo account is missing')
    await openConversation(a, b)
    await openConversation(a, c)
    for (let n = 1; n <= 110; n++) await sendBy(n % 2 === 0 ? a : b, n % 2 === 0 ? b : a, `${n}番目のことば`)
    const { page, context } = phone
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/chat-messages/conversations`)
    await expect(page.getByText('未読56件')).toBeAttached()
    const copies = async () => (await cachedIn(page, 'answers')).filter((it) => it.includes('listMessages'))
    await expect.poll(copies).toHaveLength(2)

    network.cut()
    await context.setOffline(true)
    await page.getByRole('link', { name: b.name }).click()
    const firstUnread = page.getByText('ここから未読のメッセージ')
    await expect(firstUnread).toBeInViewport()
    // What was not on the screen stays unread.
    await page.goBack()
    await expect(page.getByText('未読56件')).toBeAttached()
    // Settled: the list of conversations shows it as unread.
    expect(await isMarked(page)).toBe(false)
    await page.getByRole('link', { name: b.name }).click()
    await expect(firstUnread).toBeInViewport()
    await page.getByRole('button', { name: '最新のメッセージへ' }).click()
    await expect(page.getByRole('article').getByText('110番目のことば')).toBeInViewport()
    // Read here, although the server does not know it yet.
    await page.goBack()
    await expect(page.getByRole('tab').first()).toBeVisible()
    await expect(page.getByText('未読56件')).toHaveCount(0)
    await page.getByRole('link', { name: b.name }).click()
    const box = page.getByRole('region', { name: /とのメッセージ/ })
    await expect
      .poll(async () => {
        await box.evaluate((it) => it.scrollTo({ top: -it.scrollHeight }))
        return page.getByRole('article').getByText('はじめまして').count()
      })
      .toBe(1)
    await reload(page, isMarked)
    await expect(page.getByRole('article').getByText('110番目のことば')).toBeInViewport()
    await page.goBack()
    await page.getByRole('link', { name: c.name }).click()
    await expect(page.getByRole('article').getByText('こんにちは')).toBeVisible()

    network.restore()
    await context.setOffline(false)
    await page.goto(`${network.url}/chat-messages/conversations`)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await expect(page).toHaveURL(/\/login/)
    await expect.poll(copies).toEqual([])
  },
)
