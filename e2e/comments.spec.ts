// Likes, comments and replies of a post, links to a comment, and commenting offline.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolations } from './rig/axe.ts'
import { akari, creator, fan, signInByCookie, sessionOf } from './rig/people/people.ts'
import { pressOn, typeOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

/** A post of Akari's without comments. */
async function newPost(url: string, content: string): Promise<string> {
  await publishTexts(url, akari, content)
  const { token, user } = await sessionOf(url, akari)
  const answer = await fetch(`${url}/api/posts?author=${user.id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { posts } = (await answer.json()) as { posts: { id: string; access: { content?: string } }[] }
  const made = posts.find((it) => it.access.content?.replaceAll('\r\n', '\n') === content)
  if (!made) throw new Error('the post is not there')
  return made.id
}

/** Records every number of comments that a page shows. */
async function recordCounts(page: Page): Promise<() => Promise<number[]>> {
  const shown = await page.evaluateHandle(() => {
    const numbers: number[] = []
    const look = () => {
      const words = [...document.querySelectorAll('main *')].flatMap((it) => [
        it.getAttribute('aria-label') ?? '',
        it.childElementCount === 0 ? (it.textContent ?? '') : '',
      ])
      for (const it of words) {
        const found = /コメント ?(\d+)件/.exec(it)?.[1]
        if (found !== undefined && numbers.at(-1) !== Number(found)) numbers.push(Number(found))
      }
    }
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    return numbers
  })
  return () => shown.jsonValue()
}

test('a like, a comment and its reply are shown to others, linked by address, and deleted', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const author = await sessionOf(server.url, akari)
  const id = await newPost(server.url, '灯りの坂道')
  const { page } = phone
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/post/${id}`)
  await page.getByRole('button', { name: 'いいね', exact: true }).click()
  await expect(page.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'true')
  const counts = await recordCounts(page)
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  const box = page.getByRole('textbox', { name: 'コメントを書く' })
  await expect(box).toBeFocused()
  await box.fill('灯りがきれいです。')
  // Enter alone breaks the line.
  await box.press('Enter')
  await box.pressSequentially('見に行きたいです。')
  await box.press('Control+Enter')
  const ownComment = page.getByRole('listitem').filter({ hasText: '灯りがきれいです。' })
  await expect(ownComment.getByRole('button', { name: 'いいね' })).toBeVisible()
  await expect(box).toHaveValue('')
  await expect.poll(async () => (await counts()).at(-1)).toBe(1)

  const other = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
  await signInByCookie(other, network.url, akari)
  await other.goto(`${network.url}/post/${id}`)
  await expect(other.getByRole('button', { name: 'いいね 1件' })).toHaveAttribute('aria-pressed', 'false')
  await other.getByRole('button', { name: '返信', exact: true }).click()
  const answer = other.getByRole('textbox', { name: /に返信$/ })
  await typeOn(answer, 'ぜひいらしてください。')
  await pressOn(answer, 'Control+Enter')
  const reply = other.locator('[id^=comment-]').filter({ hasText: 'ぜひいらしてください。' })
  await expect(reply.getByText('投稿者')).toBeVisible()
  // Before it is sent it cannot be liked, and no link leads to it.
  await expect(reply.getByRole('button', { name: 'いいね' })).toBeVisible()
  // Settled: the server has the reply, whose id never changes.
  const uidc = (await reply.getAttribute('id'))?.replace('comment-', '') ?? ''

  // A link to the reply unfolds it, marks it and moves the focus to it.
  await page.goto(`${network.url}/post/${id}?uidc=${uidc}`)
  const marked = page.locator(`#comment-${uidc}`)
  await expect(marked).toHaveAttribute('aria-current', 'true')
  await expect(marked).toBeInViewport()
  await expect(marked).toBeFocused()
  await expectNoViolations(page)

  // Authors can delete every comment; a deleted one with a reply is shown as deleted.
  const menu = other.getByRole('button', { name: /さんのコメントのメニュー/ }).first()
  await menu.click()
  await other.getByRole('menuitem', { name: 'メッセージを送る' }).click()
  await expect(other).toHaveURL(/\/chat-messages\/[0-9a-f-]{36}$/)
  await other.goBack()
  await menu.click()
  await other.getByRole('menuitem', { name: '削除' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
  await expect(other.getByText('このコメントは削除されました')).toBeVisible()
  await reload(page, nothingWritten)
  await expect(page.getByText('このコメントは削除されました')).toBeVisible()
  await expect(page.getByRole('main').getByText('灯りがきれいです。')).toHaveCount(0)
  await page.goto(`${network.url}/post/${id}?uidc=${author.user.id}`)
  await expect(page.getByText('お探しのコメントは、削除されたか、表示できません。')).toBeVisible()
})

test('a comment written without network is stored on the device and arrives once', async ({
  server,
  network,
  phone,
}) => {
  const id = await newPost(server.url, 'トンネルの前の灯り')
  const { page, context } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/post/${id}`)
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  const box = page.getByRole('textbox', { name: 'コメントを書く' })
  // An empty field closes when it is left; one with text stays open.
  await page.getByRole('heading', { name: 'コメント' }).click()
  await expect(box).toHaveCount(0)
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  await box.fill('トンネルの中から。')
  network.cut()
  await context.setOffline(true)
  await expect(page.getByText('オフラインです。')).toBeVisible()
  await page.getByRole('button', { name: '送信' }).click()
  const storedComment = page.getByRole('listitem').filter({ hasText: 'トンネルの中から。' })
  await expect(storedComment.getByText('接続が戻ると送信します')).toBeVisible()
  await reload(page, ['トンネルの中から。'])
  await expect(storedComment.getByText('接続が戻ると送信します')).toBeVisible()
  network.restore()
  await context.setOffline(false)
  await expect(storedComment.getByRole('button', { name: '返信', exact: true })).toBeVisible()
  await reload(page, nothingWritten)
  await expect(page.getByRole('main').getByText('トンネルの中から。')).toHaveCount(1)
})

test(
  'comments of a card open with the field focused, 返信 needs one click, and long or right-to-left text fits',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const long = Array.from({ length: 300 }, (_, n) => `第${n + 1}行`).join('\n')
    await newPost(server.url, long)
    const id = await newPost(server.url, 'صباح الخير من البحر\nおはようございます')
    const { token } = await sessionOf(server.url, fan)
    for (let n = 0; n < 12; n++)
      await fetch(`${server.url}/api/posts/${id}/comments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id: newId(), content: `${n + 1}番目のコメント` }),
      })
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/?tab=latest`)
    const card = page.getByRole('article').filter({ hasText: 'おはようございます' })
    // Each line begins at its own side.
    const text = card.locator('p', { hasText: 'صباح' })
    await expect(text).toBeVisible()
    await expect.poll(() => text.evaluate(sidesOfLines)).toEqual(['right', 'left'])
    // A very long text is cut in the card and shown in full on the post's page.
    const longCard = page.getByRole('article').filter({ hasText: '第1行' })
    await longCard.getByRole('link', { name: 'もっと見る' }).click()
    await expect(page.getByText('第300行')).toBeAttached()
    await page.goBack()

    await card.getByRole('link', { name: 'コメント 12件' }).click()
    const box = page.getByRole('textbox', { name: 'コメントを書く' })
    await expect(box).toBeFocused()
    await expect(page.getByRole('heading', { name: 'コメント' })).toBeInViewport()
    await expect(page.getByRole('button', { name: 'コメントを書く' })).toHaveCount(0)
    const reply = page.getByRole('button', { name: '返信', exact: true }).nth(1)
    // The press itself moves the button, since the field closes.
    await reply.hover({ position: { x: 8, y: 8 } })
    await page.mouse.down()
    await page.mouse.up()
    await expect(page.getByRole('textbox', { name: /に返信$/ })).toBeFocused()
    // An empty field closes when the pointer is released.
    await page.getByRole('button', { name: '返信をやめる' }).click()
    await page.getByRole('heading', { name: 'コメント' }).click()
    await expect(page.getByRole('textbox')).toHaveCount(0)
  },
)

/** Runs in the page. @returns the side of the paragraph at which each line begins */
function sidesOfLines(paragraph: HTMLElement | SVGElement): string[] {
  const node = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode()
  const text = node?.textContent ?? ''
  const { left, right } = paragraph.getBoundingClientRect()
  let begin = 0
  return text.split('\n').map((line) => {
    const range = document.createRange()
    if (node) {
      range.setStart(node, begin)
      range.setEnd(node, begin + line.length)
    }
    begin += line.length + 1
    const box = range.getBoundingClientRect()
    return right - box.right < box.left - left ? 'right' : 'left'
  })
}
