// The lightbox of a post's pictures: keyboard, swipe, pinch, and returning the focus.
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { pressOn, pressTab, tabAndPress } from './rig/browsers/keyboard.ts'
import { fan, kami, signInByCookie, sessionOf } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

/** Finds the demo post of three pictures. @returns its id */
async function album(url: string): Promise<string> {
  const { token, user } = await sessionOf(url, kami)
  const answer = await fetch(`${url}/api/posts?author=${user.id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { posts } = (await answer.json()) as { posts: { id: string; access: { media?: object[] } }[] }
  const post = posts.find((it) => it.access.media?.length === 3)
  if (!post) throw new Error('there is no post of three pictures')
  return post.id
}

const large = (page: Page) => page.getByRole('dialog', { name: '画像の拡大表示' })
const shown = (page: Page, at: number) => large(page).getByRole('group', { name: `3枚中${at}枚目` })
const small = (page: Page, at: number) => page.getByRole('button', { name: new RegExp(`3枚中${at}枚目`) })

/** Runs in the page. @returns the focused element outside the dialog, '' for none (body: the browser's bar) */
function strayed(dialog: Element): string {
  const it = document.activeElement
  return it === null || it === document.body || dialog.contains(it) ? '' : it.outerHTML
}

const desktop = { viewport: { width: 1280, height: 800 } }

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(
    `by keyboard, and the focus returns to the last shown picture (motion: ${reducedMotion})`,
    deepUnless(reducedMotion === 'reduce'),
    async ({ server, network, newPhone }) => {
      const id = await album(server.url)
      const { page } = await newPhone(desktop)
      await page.emulateMedia({ reducedMotion })
      await signInByCookie(page, network.url, fan)
      await page.goto(`${network.url}/post/${id}`)

      await small(page, 1).focus()
      await pressOn(small(page, 1), 'Enter')
      await expect(shown(page, 1)).toBeInViewport({ ratio: 0.9 })
      await expect(page).toHaveURL(/photo=1/)
      // Elements behind the dialog cannot be reached with Tab.
      for (let n = 0; n < 8; n++) {
        await pressTab(page)
        await expect.poll(() => large(page).evaluate(strayed)).toBe('')
      }
      await tabAndPress(page, /閉じる/, 'ArrowRight')
      await expect(shown(page, 2)).toBeInViewport({ ratio: 0.9 })
      await pressOn(large(page), 'ArrowRight')
      await expect(shown(page, 3)).toBeInViewport({ ratio: 0.9 })
      await pressOn(large(page), 'Escape')
      await expect(large(page)).toHaveCount(0)
      await expect(page).not.toHaveURL(/photo/)
      await expect(small(page, 3)).toBeFocused()
      await expect(small(page, 3)).toBeInViewport()

      // Going back closes it as well.
      await pressOn(small(page, 3), 'Enter')
      await expect(shown(page, 3)).toBeInViewport({ ratio: 0.9 })
      await page.goBack()
      await expect(small(page, 3)).toBeFocused()
      await expect(large(page)).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'コメント' })).toBeVisible()
    },
  )
}

type Point = { x: number; y: number }

/** Sends touches, each a second after the previous one: two within less are a double tap. */
function touchInput(phone: Phone) {
  let clock = Date.now() / 1000
  async function move(fingersAt: (share: number) => Point[]): Promise<void> {
    const cdp = await phone.cdp()
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
      cdp.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map((it, id) => ({ ...it, id })),
        timestamp: (clock += 0.02),
      })
    clock += 1
    await send('touchStart', fingersAt(0))
    for (let step = 1; step <= 8; step++) await send('touchMove', fingersAt(step / 8))
    await send('touchEnd', [])
    await cdp.detach()
  }
  return {
    swipe: (from: Point, to: Point) =>
      move((share) => [{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }]),
    /** Two fingers around the middle of the screen, side by side or one above the other: their distance, CSS pixels. */
    pinch: (from: number, to: number, direction: 'x' | 'y' = 'x') =>
      move((share) => {
        const half = (from + (to - from) * share) / 2
        const [x, y] = direction === 'x' ? [half, 0] : [0, half]
        return [
          { x: 195 - x, y: 400 - y },
          { x: 195 + x, y: 400 + y },
        ]
      }),
  }
}

const picture = (page: Page, at: number) => shown(page, at).locator('img').first()

/** Width of the picture, CSS pixels; undefined while its box is not known. */
async function widthOf(page: Page, at: number): Promise<number | undefined> {
  // Settled: its callers repeat it.
  const box = await picture(page, at).boundingBox()
  return box ? Math.round(box.width) : undefined
}

/** Width of the loaded picture before it is enlarged. */
async function wholeWidth(page: Page, at: number): Promise<number> {
  await expect(picture(page, at)).toHaveJSProperty('complete', true)
  const seen: { width?: number | undefined } = {}
  await expect.poll(async () => (seen.width = await widthOf(page, at))).toBeGreaterThan(0)
  return defined(seen.width)
}

test('by touch: swipe, pinch to enlarge, and pull down to close', async ({ server, network, phone }) => {
  const id = await album(server.url)
  const { page } = phone
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/post/${id}`)
  const { swipe, pinch } = touchInput(phone)
  await small(page, 1).tap()
  await expect(shown(page, 1)).toBeInViewport({ ratio: 0.9 })

  await swipe({ x: 320, y: 400 }, { x: 60, y: 400 })
  await expect(shown(page, 2)).toBeInViewport({ ratio: 0.9 })
  await expect(shown(page, 1)).not.toBeInViewport()

  const whole = await wholeWidth(page, 2)
  await pinch(80, 240)
  // The factor depends on the first movements, which a busy machine merges.
  await expect.poll(() => widthOf(page, 2)).toBeGreaterThan(whole * 1.4)
  // On an enlarged picture a swipe moves it and does not show the next one.
  await swipe({ x: 220, y: 400 }, { x: 150, y: 400 })
  await expect(shown(page, 2)).toBeInViewport({ ratio: 0.9 })
  // A second pinch ends what merged movements of the first have left.
  await expect(async () => {
    await pinch(200, 40)
    await expect.poll(() => widthOf(page, 2), { timeout: 5000 }).toBe(whole)
  }).toPass()

  await swipe({ x: 60, y: 400 }, { x: 320, y: 400 })
  await expect(shown(page, 1)).toBeInViewport({ ratio: 0.9 })
  await large(page).getByRole('button', { name: '拡大', exact: true }).click()
  await expect.poll(() => widthOf(page, 1)).toBeGreaterThan(whole)
  await large(page).getByRole('button', { name: '縮小', exact: true }).click()
  await expect.poll(() => widthOf(page, 1)).toBe(whole)
  await swipe({ x: 195, y: 300 }, { x: 195, y: 760 })
  await expect(large(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/photo/)
  await expect(small(page, 1)).toBeInViewport()
})

test(
  'by touch: a pinch whose fingers are outside the picture does not close, a tap there does',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const id = await album(server.url)
    const { page } = phone
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${id}`)
    const { pinch } = touchInput(phone)
    await small(page, 1).tap()
    await expect(shown(page, 1)).toBeInViewport({ ratio: 0.9 })
    const whole = await wholeWidth(page, 1)

    await pinch(500, 700, 'y')
    await expect.poll(() => widthOf(page, 1)).toBeGreaterThan(whole)
    await pinch(700, 300, 'y')
    await expect.poll(() => widthOf(page, 1)).toBe(whole)
    await page.touchscreen.tap(195, 120)
    await expect(large(page)).toHaveCount(0)
  },
)
