// The list of conversations and its keys: swipes, many rows, positions, shortcuts of a conversation.
import type { Locator, Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolations } from './rig/axe.ts'
import { steadyBox } from './rig/browsers/boxes.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { reload } from './rig/browsers/leaving.ts'
import { InputMethod } from './rig/browsers/input-method.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { akari, creator, fan, kami, type Person, signInByCookie, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Conversations and their marks would be visible to other stories.
test.use({ ownServer: 'file' })

const sendBy = (from: Api, to: Api, content: string) =>
  from.call('POST', `/conversations/${to.id}/messages`, { id: newId(), content })

async function openConversation(a: Api, b: Api, last = 'こんにちは'): Promise<void> {
  await sendBy(a, b, 'はじめまして')
  await sendBy(b, a, last)
}

async function openList(page: Page, url: string, who: Person): Promise<void> {
  await signInByCookie(page, url, who)
  await page.goto(`${url}/chat-messages/conversations`)
  await expect(page.getByRole('list', { name: 'トークの一覧' }).getByRole('link').first()).toBeVisible()
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name })

/** Moves a finger over a row, from its middle. */
async function swipe(page: Page, row: Locator, [dx, dy]: readonly [number, number]): Promise<void> {
  const box = await steadyBox(row)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const cdp = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part = 0) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * part, y: y + dy * part }],
    })
  await touch('touchStart')
  for (let part = 1; part <= 8; part++) await touch('touchMove', part / 8)
  await touch('touchEnd')
}

/** Presses the screen where a row is, whatever is there. A slow machine would take a touch for a long press. */
async function pressMiddle(page: Page, row: Locator): Promise<void> {
  const box = await steadyBox(row)
  await page.mouse.click(box.x + box.width / 3, box.y + box.height / 2)
}

test(
  'a swipe shows acts of a row, which pin, read, mute and archive as its menu does',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [me, a, b] = await Promise.all([fan, creator, akari].map((it) => apiOf(server.url, it)))
    if (!me || !a || !b) throw new Error('no people')
    await openConversation(me, a)
    await openConversation(me, b)
    const { page } = phone
    await openList(page, network.url, fan)
    const [row, other] = [rowOf(page, a.name), rowOf(page, b.name)]
    await expect(row).toContainText('未読1件')
    await swipe(page, row, [130, 4])
    await expect(row.getByRole('button', { name: 'ピン留めする' })).toBeVisible()
    await expectNoViolations(page)
    await row.getByRole('button', { name: '既読にする' }).click()
    await expect(row).not.toContainText('未読1件')
    await expect(row.getByRole('button', { name: 'ピン留めする' })).toHaveCount(0)
    // A swipe opens no conversation.
    await expect(page).toHaveURL(/conversations$/)
    await swipe(page, row, [130, 4])
    await expect(row.getByRole('button', { name: '既読にする' })).toHaveCount(0)
    // A swipe of another row moves this one back.
    await swipe(page, other, [-130, 4])
    await expect(row.getByRole('button', { name: 'ピン留めする' })).toHaveCount(0)
    await other.getByRole('button', { name: '通知をオフにする' }).click()
    await expect(other.getByLabel('通知オフ')).toBeVisible()
    // A press on the moved row moves it back, and a finger that scrolls moves none.
    await swipe(page, other, [-130, 4])
    await pressMiddle(page, other)
    await expect(other.getByRole('button', { name: 'アーカイブする' })).toHaveCount(0)
    await swipe(page, other, [-60, 120])
    await expect(other.getByRole('button', { name: 'アーカイブする' })).toHaveCount(0)
    await expect(page).toHaveURL(/conversations$/)
    await swipe(page, other, [-130, 4])
    await other.getByRole('button', { name: 'アーカイブする' }).click()
    await expect(page.getByText('アーカイブしました。')).toBeVisible()
    await expect(other).toHaveCount(0)
    await row.getByRole('button', { name: `${a.name}さんとのトークのメニュー` }).click()
    await page.getByRole('menuitem', { name: 'ピン留めする' }).click()
    await expect(row.getByLabel('ピン留め', { exact: true })).toBeVisible()
  },
)

/** Answers the list with this many conversations, one of which is real, in pages of 30. */
async function answerWith(page: Page, count: number, real: number): Promise<void> {
  const isList = ({ pathname }: URL) => pathname === '/api/conversations'
  await page.route(isList, async (route) => {
    const asked = new URL(route.request().url())
    const reply = await route.fetch({ url: asked.origin + asked.pathname })
    const { conversations } = (await reply.json()) as { conversations: { person: object }[] }
    const [one] = conversations
    if (!one) return route.fulfill({ response: reply })
    const cursor = asked.searchParams.get('cursor')
    const from = cursor === null ? 0 : Number(cursor)
    const rows = Array.from({ length: Math.min(30, count - from) }, (_, i) => {
      const n = from + i
      if (n === real) return one
      const id = `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
      return { ...one, conversation_id: id, person: { ...one.person, id, name: `人${n}` } }
    })
    const next = from + 30 < count ? String(from + 30) : null
    await route.fulfill({ json: { pinned: [], conversations: rows, next } })
  })
}

test(
  'of 500 conversations few are in the document, and the position survives a visit to one',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [me, a] = await Promise.all([apiOf(server.url, yuu), apiOf(server.url, creator)])
    await openConversation(me, a)
    const { page } = phone
    await signInByCookie(page, network.url, yuu)
    await answerWith(page, 500, 240)
    await page.goto(`${network.url}/chat-messages/conversations`)
    const rows = page.getByRole('listitem')
    await expect(rows.first()).toBeVisible()
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
        return page.getByText('人499', { exact: true }).count()
      })
      .toBe(1)
    await expect.poll(() => rows.count()).toBeLessThan(40)
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    test.info().annotations.push({ type: 'nodes', description: String(nodes) })
    expect(nodes).toBeLessThan(1500)
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, 240 * 73 - 200))
        return rowOf(page, a.name).count()
      })
      .toBe(1)
    const row = rowOf(page, a.name)
    const before = (await steadyBox(row)).y
    await row.getByRole('link').click()
    await expect(page.getByRole('article').getByText('はじめまして')).toBeVisible()
    await page.getByRole('button', { name: '戻る' }).click()
    await expect(row).toBeInViewport()
    await expect
      .poll(async () => Math.abs(((await row.boundingBox())?.y ?? Number.NaN) - before))
      .toBeLessThanOrEqual(2)
    // A request that still runs would fail in the next story.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
)

test(
  'keys move in the list, open a conversation and lead back to its row',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [me, ...others] = await Promise.all([kami, creator, akari, fan].map((it) => apiOf(server.url, it)))
    if (!me) throw new Error('no person')
    for (const it of others) await openConversation(me, it, 'ひとこと')
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await openList(page, network.url, kami)
    const rows = page.getByRole('listitem').getByRole('link')
    const names = others.map((it) => it.name).toReversed()
    await expect(rows).toHaveText(names.map((it) => new RegExp(it)))
    const link = (n: number) => rows.filter({ hasText: names[n] ?? '' })
    await link(0).focus()
    await pressOn(link(0), 'ArrowDown')
    await pressOn(link(1), 'j')
    await pressOn(link(2), 'j')
    await pressOn(link(2), 'k')
    await pressOn(link(1), 'Enter')
    const field = page.getByRole('textbox', { name: 'メッセージを書く' })
    await expect(page.getByRole('article').getByText('ひとこと')).toBeVisible()
    await field.focus()
    await pressOn(field, 'ArrowUp')
    const menu = page.getByRole('article', { name: '自分' }).getByRole('button', { name: /のメニュー$/ })
    // Escape closes the menu, then leads to the field, and then out of the conversation.
    await pressOn(menu, 'Enter')
    await pressOn(page.getByRole('menu'), 'Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await pressOn(menu, 'Escape')
    await pressOn(field, 'Escape')
    await expect(page).toHaveURL(/conversations$/)
    await expect(link(1)).toBeFocused()
  },
)

test(
  'Escape ends a reply first, and Enter sends only where it is turned on and no word is composed',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [me, a] = await Promise.all([apiOf(server.url, akari), apiOf(server.url, creator)])
    await openConversation(me, a)
    const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
    await signInByCookie(page, network.url, akari)
    await page.goto(`${network.url}/chat-messages/${a.id}`)
    const field = page.getByRole('textbox', { name: 'メッセージを書く' })
    const received = page.getByRole('article').filter({ hasText: 'こんにちは' })
    await received.hover()
    await received.getByRole('button', { name: /のメニュー$/ }).click()
    await page.getByRole('menuitem', { name: '返信する' }).click()
    const replyTo = page.getByText('返信先：こんにちは')
    await pressAnywhere(replyTo, 'Escape')
    await expect(replyTo).toHaveCount(0)
    await expect(page).toHaveURL(`${network.url}/chat-messages/${a.id}`)
    await field.fill('一行目')
    await field.press('Enter')
    await expect(field).toHaveValue('一行目\n')
    await field.fill('')
    await page.getByRole('button', { name: `${a.name}さんとのトークのメニュー` }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Enterで送信' }).click()
    await reload(page, (it) => it.evaluate(() => localStorage.getItem('todoke.enter-sends') === 'true'))
    await field.focus()
    const ime = await InputMethod.attach(page)
    await ime.compose('にほん')
    await ime.press('Enter')
    await ime.commit('日本')
    await expect(field).toHaveValue('日本')
    await field.press('Shift+Enter')
    await expect(field).toHaveValue('日本\n')
    await field.pressSequentially('へ')
    await field.press('Enter')
    await expect(field).toHaveValue('')
    await expect(page.getByRole('article', { name: '自分' }).last()).toContainText('日本')
  },
)
