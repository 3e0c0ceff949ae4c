// What the shell does around pages: the loading line, toasts that close, new versions looked for, a root that fails.
import type { Page } from '@playwright/test'
import { creator, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

const line = (page: Page) => page.locator('div.fixed.top-0.inset-x-0[aria-hidden=true]')

/** Holds answers of an endpoint until the given function is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  let go = () => {}
  const gate = new Promise<void>((done) => (go = done))
  await page.context().route(url, async (route) => {
    await gate
    await route.continue()
  })
  return go
}

test('while a page is awaited a line of 3 px stands at the top: after 200 ms, approaching for 2000 ms', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  // A page that no list has anything of.
  await page.goto(`${network.url}/settings`)
  await expect(line(page)).toHaveCSS('opacity', '0')
  const release = await hold(page, /\/api\/settings\/notification/)
  await page.locator('a[href="/settings/notification"]').click()
  await expect(line(page)).toHaveCSS('opacity', '1')
  await expect(line(page)).toHaveCSS('height', '3px')
  await expect(line(page)).toHaveCSS('transition-delay', '0.2s')
  const mark = line(page).locator('div')
  expect(await mark.evaluate((it) => it.style.animationDuration)).toBe('2000ms')
  expect(await mark.evaluate((it) => it.style.animationDelay)).toBe('200ms')
  release()
  await expect(page).toHaveURL(/\/settings\/notification/)
  await expect(line(page)).toHaveCSS('opacity', '0')
})

/** Runs in the page: notes when the toast of signing out is first there. */
function noteToast(): void {
  const watch = new MutationObserver(() => {
    if (!document.body.innerText.includes('ログアウトしました。')) return
    sessionStorage.setItem('shown', String(Date.now()))
    watch.disconnect()
  })
  watch.observe(document.body, { subtree: true, childList: true })
}

test('a toast closes by itself after 3000 ms', async ({ network, phone }) => {
  const { page } = phone
  await page.clock.install()
  await signIn(page, network.url, fan)
  await page.evaluate(noteToast)
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: 'ログアウト' }).click()
  const toast = page.getByText('ログアウトしました。')
  await expect(toast).toBeVisible()
  // The pointer rests on nothing: the toast's time runs. What a busy machine has taken of it already is counted.
  const now = await page.evaluate(() => Date.now() + 1500)
  await page.clock.pauseAt(now)
  const shown = await page.evaluate(() => Number(sessionStorage.getItem('shown')))
  await page.clock.runFor(Math.max(0, 2900 - (now - shown)))
  await expect(toast).toBeVisible()
  await page.clock.runFor(1100)
  await page.clock.resume()
  // What is left is its fading; a toast that stayed longer would outlast this.
  await expect(toast).toBeHidden({ timeout: 2000 })
})

test('a new version is looked for every hour', async ({ server, network, phone }) => {
  const { page } = phone
  await page.addInitScript(`{
    const told = (window.told = { registered: 0, looked: 0 })
    const { register } = ServiceWorkerContainer.prototype
    ServiceWorkerContainer.prototype.register = async function (...given) {
      const registration = await register.apply(this, given)
      told.registered += 1
      return registration
    }
    const { update } = ServiceWorkerRegistration.prototype
    ServiceWorkerRegistration.prototype.update = function () {
      told.looked += 1
      return update.call(this)
    }
  }`)
  const told = () => page.evaluate<{ registered: number; looked: number }>('window.told')
  const asked = () => server.said.split('/sw.js').length
  await page.clock.install()
  await signIn(page, network.url, creator)
  // The hours count from now: the app starts its worker when its first page is shown.
  await expect.poll(told).toEqual({ registered: 1, looked: 0 })
  await page.clock.runFor('00:59:00')
  expect(await told()).toEqual({ registered: 1, looked: 0 })
  const before = asked()
  await page.clock.runFor('00:01:01')
  await expect.poll(told).toEqual({ registered: 1, looked: 1 })
  await expect.poll(asked).toBeGreaterThan(before)
})

test('when the root itself fails, the not-found page stands there with the way home', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  // The layout of all member pages cannot be loaded.
  await page.context().route(/\/assets\/layouts-[^/]+\.js$/, (route) => route.abort())
  await page.evaluate(async () => {
    for (const it of await navigator.serviceWorker.getRegistrations()) await it.unregister()
    for (const key of await caches.keys()) await caches.delete(key)
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
  await page.context().unroute(/\/assets\/layouts-[^/]+\.js$/)
  await page.getByRole('link', { name: 'ホーム画面' }).click()
  await expect(page).toHaveURL(`${network.url}/`)
  await expect(page.getByRole('heading', { name: 'ホーム' })).toBeVisible()
})
