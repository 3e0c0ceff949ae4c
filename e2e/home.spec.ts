// Home: new posts of followed people, and the scroll position in a long list.
import type { Locator, Page } from '@playwright/test'
import { pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { press, write } from './rig/posting/editor.ts'
import { akari, creator, fan, signInByCookie, sessionOf, signIn } from './rig/people/people.ts'
import { publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** More posts than a screen shows, and more than two pages of the list. */
const MANY = 45

const cards = (page: Page) => page.getByRole('feed').getByRole('article')
const pill = (page: Page) => page.getByRole('button', { name: '新しい投稿があります' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })

/** Makes the page visible again, at which home requests the number of newer posts. */
const lookAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

async function follow(url: string, who: typeof fan, whom: typeof fan): Promise<void> {
  const [{ token }, { user }] = [await sessionOf(url, who), await sessionOf(url, whom)]
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/follows/${user.id}`, { method: 'PUT', headers })
  expect(answer.ok).toBe(true)
}

// Settled: its callers repeat it, or call it when the page is at rest.
const topOf = async (it: Locator) => (await it.boundingBox())?.y ?? Number.NaN
const scrolledTo = (page: Page) => page.evaluate(() => window.scrollY)

test('new posts of followed people are announced by a pill, and the scroll position is restored', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  // The member follows no one yet: 新着 is open, and the first tab suggests people.
  await expect(tab(page, '新着')).toHaveAttribute('aria-selected', 'true')
  await expect(cards(page).first()).toBeVisible()

  const contents = Array.from({ length: MANY }, (_, n) => `便り ${n + 1}`)
  await publishTexts(server.url, akari, ...contents)
  await follow(server.url, fan, akari)
  await tab(page, 'フォロー中').press('Enter')
  await expect(page).toHaveURL(`${network.url}/?tab=following`)
  // The first page is short; the next one is requested before any scrolling.
  const next = page.waitForRequest(/\/api\/feed\/following\?cursor=/)
  await reload(page, nothingWritten)
  await expect(cards(page).first()).toContainText(`便り ${MANY}`)
  await next
  await expect.poll(() => scrolledTo(page)).toBe(0)

  // A new post is announced, not inserted into the visible list.
  await publishTexts(server.url, akari, '今朝の一通')
  await lookAgain(page)
  await expect(pill(page)).toBeVisible()
  await expect(cards(page).filter({ hasText: '今朝の一通' })).toHaveCount(0)
  await pill(page).click()
  await expect(cards(page).first()).toContainText('今朝の一通')
  await expect(pill(page)).toHaveCount(0)

  // Scrolled to the end: every post appears, and only those near the screen are in the document.
  const met = new Set<string>()
  let most = 0
  await expect
    .poll(
      async () => {
        const texts = await cards(page).allInnerTexts()
        for (const it of texts) for (const [content] of it.matchAll(/便り \d+/g)) met.add(content)
        most = Math.max(most, texts.length)
        await page.mouse.wheel(0, 1200)
        // New rows are drawn before the next scroll.
        await page.evaluate(
          () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        )
        return met.size
      },
      { intervals: [50] },
    )
    .toBe(MANY)
  expect(most).toBeLessThan(25)

  // After a post and back, and after another page and the tab, the same post is at the same height.
  const end = await scrolledTo(page)
  await page.mouse.wheel(0, -2500)
  await expect.poll(() => scrolledTo(page)).toBeLessThan(end - 1000)
  await atRest(page)
  const name = await middlePost(page)
  const there = cards(page).filter({ hasText: new RegExp(`${name}(?!\\d)`) })
  const before = await topOf(there)
  await there.getByRole('link', { name: /投稿を開く/ }).click()
  await expect(page).toHaveURL(/\/post\//)
  await page.goBack()
  await expect.poll(async () => Math.abs((await topOf(there)) - before)).toBeLessThan(3)
  await page.getByRole('navigation').getByRole('link', { name: 'メッセージ' }).click()
  await expect(page).toHaveURL(/\/chat-messages\/conversations/)
  await page.getByRole('navigation').getByRole('link', { name: 'ホーム' }).click()
  await expect.poll(async () => Math.abs((await topOf(there)) - before)).toBeLessThan(3)

  // ホーム pressed on the home page scrolls to the top.
  await page.getByRole('navigation').getByRole('link', { name: 'ホーム' }).click()
  await expect.poll(() => scrolledTo(page)).toBe(0)
  await expect(cards(page).first()).toContainText('今朝の一通')
})

/** Waits until scrolling ends. Visible rows are measured, which may move the page again. */
async function atRest(page: Page): Promise<void> {
  const still = () =>
    page.evaluate(async () => {
      const from = window.scrollY
      for (let frames = 0; frames < 12; frames++) await new Promise(requestAnimationFrame)
      return window.scrollY === from
    })
  await expect.poll(still).toBe(true)
}

/** The text of a post in the middle of the screen. */
async function middlePost(page: Page): Promise<string> {
  for (const it of await cards(page).all()) {
    const y = await topOf(it)
    // Settled: the page is at rest.
    const content = /便り \d+/.exec(await it.innerText())?.[0]
    if (content && y > 200 && y < 600) return content
  }
  throw new Error('no post is in the middle of the screen')
}

test(
  'an own post is at the top while it is sent, and then becomes the published post',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: '途中の手紙' })
    network.once('POST /api/post/add', { is: 'answered', status: 503, retryAfter: 12 })
    await press(page, network.url)
    await expect(page).toHaveURL(`${network.url}/`)
    const first = cards(page).first()
    await expect(first).toContainText('途中の手紙')
    await expect(first).toContainText(/送信中|送信待ち/)
    await expect(first.getByRole('link', { name: /投稿を開く/ })).toBeVisible()
    await expect(first).toContainText('途中の手紙')
    await expect(cards(page).filter({ hasText: '途中の手紙' })).toHaveCount(1)
  },
)

test(
  'arrow keys move between the feed tabs, Enter opens one, and the navigation fits the width',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone

    await signIn(page, network.url, fan)
    await expect(tab(page, '新着')).toHaveAttribute('aria-selected', 'true')
    await expect(cards(page).first()).toBeVisible()

    // Arrows move the focus from tab to tab and wrap around; the shown feed stays until Enter.
    await tab(page, '新着').focus()
    await pressOn(tab(page, '新着'), 'ArrowRight')
    await pressOn(tab(page, 'プラン'), 'ArrowRight')
    await pressOn(tab(page, 'フォロー中'), 'End')
    await pressOn(tab(page, 'プラン'), 'Home')
    await pressOn(tab(page, 'フォロー中'), 'ArrowLeft')
    await expect(tab(page, 'プラン')).toBeFocused()
    await expect(tab(page, '新着')).toHaveAttribute('aria-selected', 'true')
    await pressOn(tab(page, 'プラン'), 'Enter')
    await expect(page).toHaveURL(`${network.url}/?tab=plans`)
    await expect(tab(page, 'プラン')).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('tabpanel', { name: 'プラン' })).toBeVisible()

    // The tabs are one stop of the Tab key, before the feed.
    await pressOn(tab(page, 'プラン'), 'ArrowLeft')
    await pressOn(tab(page, '新着'), 'Tab')
    await expect(page.getByRole('tabpanel')).toBeFocused()
    await pressOn(page.getByRole('tabpanel'), 'Shift+Tab')
    await expect(tab(page, 'プラン')).toBeFocused()

    // At another width the navigation moves, and the feed keeps its position.
    const places = page.getByRole('navigation')
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => topOf(places)).toBe(0)
    await expect(page.getByRole('banner')).toHaveCount(0)
    await expect(tab(page, 'プラン')).toBeFocused()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => topOf(places)).toBeGreaterThan(700)
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(tab(page, 'プラン')).toBeFocused()
  },
)

test(
  'following a person from おすすめ adds their posts to フォロー中, and unfollowing removes them',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signIn(page, network.url, fan)
    await tab(page, 'フォロー中').click()
    const people = page.getByRole('region', { name: 'おすすめのクリエイター' }).getByRole('listitem')
    await expect(people.nth(1)).toBeVisible()
    // Settled: the list is shown, and stays the same until the page is left.
    const name = await people.first().getByRole('link').innerText()
    await people.nth(1).scrollIntoViewIfNeeded()
    await atRest(page)
    const before = await topOf(people.nth(1))
    await people
      .first()
      .getByRole('button', { name: `${name}さんをフォローする` })
      .click()
    const theirPosts = cards(page).filter({ has: page.getByRole('link', { name, exact: true }) })
    await expect(theirPosts.first()).toBeAttached()
    // The suggestions do not move, so the next person can be pressed at the same place.
    await expect(people.first().getByRole('button', { name: `${name}さんのフォローを解除` })).toBeVisible()
    await atRest(page)
    await expect.poll(async () => Math.abs((await topOf(people.nth(1))) - before)).toBeLessThan(3)
    await people
      .first()
      .getByRole('button', { name: `${name}さんのフォローを解除` })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'フォローを解除' }).click()
    await expect(theirPosts).toHaveCount(0)
  },
)
