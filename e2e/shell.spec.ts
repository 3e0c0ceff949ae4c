// The shell: the loading bar, closing toasts, checks for new versions, and a failed root.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { creator, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

const loadingBar = (page: Page) => page.locator('div.fixed.top-0.inset-x-0[aria-hidden=true]')

/** Delays the replies of an endpoint. @returns a function that releases them */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  let go = () => {}
  const gate = new Promise<void>((done) => (go = done))
  await page.context().route(url, async (route) => {
    await gate
    await route.continue()
  })
  return go
}

test('a loading page shows a bar of 3 px at the top: after 200 ms, with a transition of 2000 ms', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signIn(page, network.url, fan)
  // A page of which no list has data.
  await page.goto(`${network.url}/settings`)
  await expect(loadingBar(page)).toHaveCSS('opacity', '0')
  const release = await hold(page, /\/api\/settings\/notification/)
  await page.locator('a[href="/settings/notification"]').click()
  await expect(loadingBar(page)).toHaveCSS('opacity', '1')
  await expect(loadingBar(page)).toHaveCSS('height', '3px')
  await expect(loadingBar(page)).toHaveCSS('transition-delay', '0.2s')
  const mark = loadingBar(page).locator('div')
  expect(await mark.evaluate((it) => it.style.animationDuration)).toBe('2000ms')
  expect(await mark.evaluate((it) => it.style.animationDelay)).toBe('200ms')
  release()
  await expect(page).toHaveURL(/\/settings\/notification/)
  await expect(loadingBar(page)).toHaveCSS('opacity', '0')
})

/** Runs in the page: records when the toast of the sign-out appears. */
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
  // Without the pointer on it the toast's time runs; time spent by a busy machine counts.
  const now = await page.evaluate(() => Date.now() + 1500)
  await page.clock.pauseAt(now)
  const shown = await page.evaluate(() => Number(sessionStorage.getItem('shown')))
  await page.clock.runFor(Math.max(0, 2900 - (now - shown)))
  await expect(toast).toBeVisible()
  await page.clock.runFor(1100)
  await page.clock.resume()
  // The remaining time is for its transition; a toast that stayed longer would exceed it.
  await expect(toast).toBeHidden({ timeout: 2000 })
})

test('the app checks for a new version every hour', { tag: '@deep' }, async ({ server, network, phone }) => {
  const { page } = phone
  await page.addInitScript(`{
    const updateCounts = (window.updateCounts = { registered: 0, checked: 0 })
    const { register } = ServiceWorkerContainer.prototype
    ServiceWorkerContainer.prototype.register = async function (...given) {
      const registration = await register.apply(this, given)
      updateCounts.registered += 1
      return registration
    }
    const { update } = ServiceWorkerRegistration.prototype
    ServiceWorkerRegistration.prototype.update = function () {
      updateCounts.checked += 1
      return update.call(this)
    }
  }`)
  const updateCounts = () => page.evaluate<{ registered: number; checked: number }>('window.updateCounts')
  const workerRequests = () => server.output.split('/sw.js').length
  await page.clock.install()
  await signIn(page, network.url, creator)
  // The hours count from now: the app starts its worker when its first page is shown.
  await expect.poll(updateCounts).toEqual({ registered: 1, checked: 0 })
  await page.clock.runFor('00:59:00')
  expect(await updateCounts()).toEqual({ registered: 1, checked: 0 })
  const before = workerRequests()
  await page.clock.runFor('00:01:01')
  await expect.poll(updateCounts).toEqual({ registered: 1, checked: 1 })
  await expect.poll(workerRequests).toBeGreaterThan(before)
})

test('when the root fails, the not-found page is shown with a link to the home page', async ({
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

test('a page that the server fails to answer names the number of its request', async ({
  network,
  phone,
}, info) => {
  const { page, context } = phone
  await signIn(page, network.url, fan)
  const number = '0f2c6a1e-3c1b-7a2d-9b1e-6a54c3d2e1f0'
  await context.route('**/api/notifications*', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': number, 'todoke-answer': '1' },
      json: { error: { code: 'internal' } },
    }),
  )
  await page.goto(`${network.url}/notify`)
  await expect(page.getByText('お問い合わせの際は、この番号をお伝えください。')).toBeVisible()
  await expect(page.getByText(number)).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await page.screenshot({ path: info.outputPath('failed.png') })
  await context.unroute('**/api/notifications*')
  await page.getByRole('button', { name: 'もう一度読み込む' }).click()
  await expect(page.getByText(number)).toHaveCount(0)
})
