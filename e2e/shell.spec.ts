// The shell: the loading bar, closing toasts, checks for new versions, and a failed root.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { expectToCloseAfter, waitForToast } from './rig/browsers/toasts.ts'
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
  await expect(mark).toHaveJSProperty('style.animationDuration', '2000ms')
  await expect(mark).toHaveJSProperty('style.animationDelay', '200ms')
  release()
  await expect(page).toHaveURL(/\/settings\/notification/)
  await expect(loadingBar(page)).toHaveCSS('opacity', '0')
})

test('a toast closes by itself after 3000 ms', async ({ network, phone }) => {
  const { page } = phone
  await page.clock.install()
  await signIn(page, network.url, fan)
  await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  const signOut = page.getByRole('menuitem', { name: 'ログアウト' })
  await expect(signOut).toBeVisible()
  const toast = page.getByRole('region', { name: '操作の結果' }).getByText('ログアウトしました。')
  await waitForToast(toast, () => signOut.click())
  await expectToCloseAfter(toast, 3000)
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
  // Settled: the timers of these minutes have run, since the clock is the story's.
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
  // The layout of all member pages throws.
  await page
    .context()
    .route(/\/assets\/layouts-[^/]+\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: "throw new Error('broken')" }),
    )
  await page.evaluate(async () => {
    // A page registers its worker after it is shown: one that is registered later would serve the stored layouts.
    await navigator.serviceWorker.ready
    for (const it of await navigator.serviceWorker.getRegistrations()) await it.unregister()
    for (const key of await caches.keys()) await caches.delete(key)
    // As after the one reload by itself, which a missing file of a new version is given.
    sessionStorage.setItem('todoke-reloaded', String(Date.now()))
  })
  await reload(page, nothingWritten)
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
  const main = page.getByRole('main')
  await expect(main.getByText(number)).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await page.screenshot({ path: info.outputPath('failed.png') })
  await context.unroute('**/api/notifications*')
  await page.getByRole('button', { name: 'もう一度読み込む' }).click()
  await expect(main.getByText(number)).toHaveCount(0)
})
