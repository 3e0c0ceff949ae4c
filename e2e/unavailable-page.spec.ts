// The page of the proxies while no server replies.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { expect, test } from './rig/story.ts'

const file = new URL('../deploy/pages/unavailable.html', import.meta.url)

/** Answers in the place of a proxy without servers. @returns a function that gives the servers back */
async function withoutServers(page: Page, url: string): Promise<() => Promise<void>> {
  const body = await readFile(file, 'utf8')
  const all = `${url}/**`
  await page
    .context()
    .route(all, (route) =>
      route.request().isNavigationRequest()
        ? route.fulfill({ status: 502, contentType: 'text/html; charset=utf-8', body })
        : route.fulfill({ status: 502, json: { error: { code: 'unavailable' } } }),
    )
  return () => page.context().unroute(all)
}

const heading = (page: Page) => page.getByRole('heading', { name: 'ただいま表示できません' })
const button = (page: Page) => page.getByRole('button', { name: '再読み込み' })

test.use({ firstVisit: true })

test('the page loads itself again once a server replies, with the secret of a mailed link', async ({
  network,
  phone: { page },
}) => {
  await page.clock.install()
  const back = await withoutServers(page, network.url)
  const asked = page.waitForResponse(/\/api\/health\/ready$/)
  await page.goto(`${network.url}/confirmed#token=bad`)
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText('つながると、このページは自動で読み込まれます。')).toBeVisible()
  await page.clock.runFor(10_000)
  expect((await asked).status()).toBe(502)
  await expect(heading(page)).toBeVisible()
  await back()
  await page.clock.runFor(15_000)
  // Only with the secret of its fragment does this page ask the server.
  await expect(page.getByText('このリンクは使えません。')).toBeVisible()
})

test(
  'the page is legible on a phone and a desk, in both modes, and its button loads it again',
  { tag: '@deep' },
  async ({ network, phone: { page } }, info) => {
    const back = await withoutServers(page, network.url)
    await page.goto(network.url)
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme })
        await expect(button(page)).toBeInViewport({ ratio: 1 })
        await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
        await expectNoViolations(page)
        const path = info.outputPath(`unavailable-${size.width}-${colorScheme}.png`)
        await page.screenshot({ path })
      }
    await reload(page, nothingWritten)
    await expect(heading(page)).toBeVisible()
    await back()
    await button(page).click()
    await expect(heading(page)).toHaveCount(0)
    await expect(page).toHaveTitle(/とどけ/)
  },
)
