// Forced colours, text at 200 %, and narrow screens: every state and word is readable.
import type { Locator, Page } from '@playwright/test'
import { openLoaded } from './rig/browsers/loading.ts'
import { creator, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

/** One run names every page that is wrong. */
const softly = expect.configure({ soft: true })

/** Finds elements of the bars whose text is cut off, broken or outside. */
const badWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll<HTMLElement>('header, nav, [role=tablist]')]
    const bad: string[] = []
    for (const bar of bars) {
      const outer = bar.getBoundingClientRect()
      const walker = document.createTreeWalker(bar, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        const words = node.textContent?.trim() ?? ''
        if (!element || words === '' || element.closest('.sr-only')) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        const lines = [...range.getClientRects()].filter((it) => it.width > 1)
        if (lines.length === 0) continue
        if (lines.length > 1) bad.push(`${words}: ${lines.length} lines`)
        const box = range.getBoundingClientRect()
        if (box.top < outer.top - 1 || box.bottom > outer.bottom + 1) bad.push(`${words}: outside its bar`)
        const scrolls = element.closest('[role=tablist]')
        if (!scrolls && (box.left < -1 || box.right > innerWidth + 1)) bad.push(`${words}: beside the screen`)
      }
      for (const icon of bar.querySelectorAll('svg')) {
        const { width, height } = icon.getBoundingClientRect()
        if (width > 0 && Math.abs(width - height) > 1) bad.push(`an icon of ${width} × ${height}`)
      }
    }
    const skip = document.querySelector('a[href="#main"]')?.getBoundingClientRect()
    if (skip && skip.bottom > 0) bad.push('the skip link is visible')
    if (document.documentElement.scrollWidth > innerWidth) bad.push('the page scrolls sideways')
    return bad
  })

/** The styles that separate a part from its surroundings in forced colours. */
const drawn = (it: Locator) =>
  it.evaluate((element) => {
    const { backgroundColor, borderTopWidth, borderTopColor, borderTopStyle } = getComputedStyle(element)
    return { backgroundColor, border: borderTopStyle === 'none' ? '0px' : borderTopWidth, borderTopColor }
  })

test(
  'with forced colours, very large text and 320 px every state and word is readable',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, creator)
    const feeds = page.getByRole('tablist')

    await test.step('forced colours', async () => {
      await page.emulateMedia({ forcedColors: 'active' })
      const shown = feeds.locator('span')
      await expect(feeds).toBeVisible()
      const page_ = (await drawn(page.locator('body'))).backgroundColor
      await softly.poll(async () => (await drawn(shown)).backgroundColor).not.toBe(page_)
      await page.goto(`${network.url}/notify`)
      const unread = page.getByRole('listitem').filter({ hasText: '未読' }).first()
      await expect(unread).toBeVisible()
      const dot = unread.locator('span', { hasText: '未読' }).last().locator('..')
      await softly.poll(async () => (await drawn(dot)).backgroundColor).not.toBe(page_)
      await page.goto(`${network.url}/settings/notification`)
      const on = page.getByRole('switch', { checked: true }).first()
      const off = page.getByRole('switch', { checked: false }).first()
      await expect(on).toBeVisible()
      await expect(off).toBeVisible()
      const parts = async (it: Locator) => {
        const spans = await it.locator('span').all()
        return Promise.all(spans.map(drawn))
      }
      const [track, thumb] = await parts(on)
      const [offTrack, offThumb] = await parts(off)
      // The thumb is visible on its track, and a switch that is on looks different.
      expect.soft(thumb?.backgroundColor).not.toBe(track?.backgroundColor)
      expect.soft(offThumb?.backgroundColor).not.toBe(offTrack?.backgroundColor)
      expect.soft(track?.backgroundColor).not.toBe(offTrack?.backgroundColor)
      await page.goto(`${network.url}/post/upload2`)
      const post = page.getByRole('banner').getByRole('button', { name: '投稿' })
      await softly.poll(async () => (await drawn(post)).border).not.toBe('0px')
      await page.emulateMedia({ forcedColors: 'none' })
    })

    await test.step('text at 200 %', async () => {
      for (const path of ['/', '/notify', '/search', '/settings', '/post/upload2']) {
        await openLoaded(page, network.url + path)
        await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
        await softly.poll(() => badWords(page), { message: path }).toEqual([])
      }
    })

    await test.step('320 px', async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      for (const path of ['/', '/settings/notification', '/post/upload2']) {
        await openLoaded(page, network.url + path)
        await softly.poll(() => badWords(page), { message: path }).toEqual([])
      }
    })
  },
)
