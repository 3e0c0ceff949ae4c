// Each count of an open post that two people see is right.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { apiOf } from './rig/people/api.ts'
import { akari, fan, signInByCookie } from './rig/people/people.ts'
import { publishTexts, releasedPosts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

/** Every different text of the counts, in the order in which the page showed them. */
async function recordCounts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const shown = new Set<string>()
    const record = () => {
      const header = document.querySelector('#comments-title span')?.textContent
      if (header) shown.add(`見出し ${header}`)
      for (const it of document.querySelectorAll('main button[aria-label]')) {
        const label = it.getAttribute('aria-label') ?? ''
        if (/^(?:コメント|いいね).*\d/.test(label)) shown.add(label)
      }
      for (const it of document.querySelectorAll('#comments button'))
        if (/^返信\d+件/.test(it.textContent)) shown.add(it.textContent)
    }
    record()
    new MutationObserver(record).observe(document, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    Object.assign(window, { shownCounts: shown })
  })
  return () =>
    page.evaluate(() => [...(window as unknown as { shownCounts: Set<string> }).shownCounts].toSorted())
}

test('two people see each comment, reply, like and deletion counted once, at every moment', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const text = '数える灯り'
  await publishTexts(server.url, akari, text)
  const id = (await releasedPosts(server.url, akari))[0]?.id ?? ''
  const author = await apiOf(server.url, akari)
  const write = (content: string) =>
    author.call('POST', `/posts/${id}/comments`, { id: newId(), content, parent_id: null, answers_id: null })
  for (const content of ['一つめ', '二つめ', '三つめ']) await write(content)
  const { page } = phone
  const other = (await newPhone()).page
  /** Opens the post, and waits for its live channel. */
  const open = async (it: Page, person: typeof fan) => {
    const joined: string[] = []
    it.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void joined.push(String(payload))),
    )
    await signInByCookie(it, network.url, person)
    await it.goto(`${network.url}/post/${id}`)
    await expect
      .poll(() => joined.some((frame) => frame.includes('subscription_succeeded') && frame.includes(id)))
      .toBe(true)
    await expect(it.locator('#comments-title')).toContainText('3件')
    return recordCounts(it)
  }
  const shown = [await open(page, fan), await open(other, akari)]
  const both = async (check: (it: Page) => Promise<void>) => {
    await check(page)
    await check(other)
  }

  await page.getByRole('button', { name: 'コメントを書く' }).click()
  const box = page.getByRole('textbox', { name: 'コメントを書く' })
  await box.fill('四つめ')
  await box.press('Control+Enter')
  await both(async (it) => {
    await expect(it.locator('#comments-title')).toContainText('4件')
    const written = it.getByRole('listitem').filter({ hasText: '四つめ' })
    await expect(written.getByRole('button', { name: 'いいね' })).toBeVisible()
  })

  await page.getByRole('button', { name: 'いいね', exact: true }).first().click()
  await both((it) => expect(it.getByRole('button', { name: 'いいね 1件' })).toBeVisible())

  const own = page.getByRole('listitem').filter({ hasText: '四つめ' })
  await own.getByRole('button', { name: '返信', exact: true }).click()
  const answer = page.getByRole('textbox', { name: /に返信$/ })
  await answer.fill('返信の灯り')
  await answer.press('Control+Enter')
  await both((it) => expect(it.locator('#comments-title')).toContainText('5件'))
  await expect(other.getByRole('button', { name: '返信1件を見る' })).toBeVisible()
  const reply = page.locator('[id^=comment-]').filter({ hasText: '返信の灯り' })
  await expect(reply.getByRole('button', { name: 'いいね' })).toBeVisible()

  await reply.getByRole('button', { name: /メニュー/ }).click()
  await page.getByRole('menuitem', { name: '削除' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
  await both((it) => expect(it.locator('#comments-title')).toContainText('4件'))
  await expect(other.getByRole('button', { name: '返信1件を見る' })).toHaveCount(0)

  /** All texts that a person has seen. */
  const textsOf = async (i: 0 | 1) => defined(await shown[i]?.())
  const right = [
    'いいね 1件',
    ...[3, 4, 5].map((n) => `コメント ${n}件`),
    ...[3, 4, 5].map((n) => `見出し ${n}件`),
  ]
  // Settled: both pages show the last number, and their records only grow.
  expect(await textsOf(1)).toEqual([...right, '返信1件を見る'])
  // Settled: as above. The writer’s own replies are unfolded.
  expect((await textsOf(0)).filter((it) => !it.startsWith('返信'))).toEqual(right)
  // Settled: as above.
  expect((await textsOf(0)).filter((it) => /^返信[^1]/.test(it))).toEqual([])
})
