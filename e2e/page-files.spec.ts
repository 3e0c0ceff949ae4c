// A page whose files do not arrive says why, and opens when they can.
import { creator, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// A worker would have the files on the device.
test.use({ firstVisit: true })

test('a page whose file does not arrive names the reason, and opens by itself when the network is back', async ({
  network,
  phone: { page, context },
}) => {
  await context.route('**/sw.js', (route) => route.abort())
  await signIn(page, network.url, creator)
  await page.goto(network.url)
  const search = page.getByRole('navigation').getByRole('link', { name: '検索' })
  await expect(search).toBeVisible()

  await test.step('without network', async () => {
    network.cut()
    await search.click()
    await expect(page.getByRole('heading', { name: 'オフラインです' })).toBeVisible()
    // Settled: the page has said why.
    expect(await page.getByText('ページが見つかりません').count()).toBe(0)
    network.restore()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByRole('combobox', { name: '投稿やユーザーを検索' })).toBeVisible()
  })

  await test.step('without network, a page with an error page of its own', async () => {
    await page.goto(network.url)
    const post = page.getByRole('link', { name: /投稿を開く/ }).first()
    await expect(post).toBeVisible()
    network.cut()
    await post.click()
    await expect(page.getByRole('heading', { name: 'オフラインです' })).toBeVisible()
    network.restore()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page).toHaveURL(/\/post\//)
  })

  await test.step('with a server that has lost the file', async () => {
    await page.goto(network.url)
    await expect(search).toBeVisible()
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    await context.route('**/assets/*.js', (route) =>
      loaded.includes(route.request().url()) ? route.continue() : route.fulfill({ status: 500 }),
    )
    // As after the one reload by itself, which a missing file of a new version is given.
    await page.evaluate(() => sessionStorage.setItem('todoke-reloaded', String(Date.now())))
    await search.click()
    await expect(page.getByRole('heading', { name: '読み込めませんでした' })).toBeVisible()
    await context.unroute('**/assets/*.js')
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect(page.getByRole('combobox', { name: '投稿やユーザーを検索' })).toBeVisible()
  })
})
