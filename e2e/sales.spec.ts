// Sales of a creator: the month, its entries and file, and a person without any.
import { readFile } from 'node:fs/promises'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { creator, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

test(
  'a creator finds a sale in the sales of the month, in its entries and in its file',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const buyer = await apiOf(server.url, fan)
    const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
    const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
    if (!post || post.access.is !== 'preview' || post.access.price === null)
      throw new Error('nothing is sold')
    expect(post.access.price).toBe(800)
    await buyPost(server.url, buyer, post.id, 800)

    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/settings`)
    await page.getByRole('link', { name: '売上管理' }).click()
    const balance = page.getByRole('region', { name: '残高' })
    await expect(balance).toContainText('720円')
    await expect(balance).toContainText('振込可能額0円')
    await expect(balance).toContainText('確定前の額720円')
    const figures = page.getByRole('region', { name: /の売上$/ }).first()
    for (const row of ['有料の投稿800円', '手数料（税抜）−73円', '手数料の消費税（10%）−7円', '差引額720円'])
      await expect(figures).toContainText(row)
    await page.getByText('数字で見る').first().press('Enter')
    await expect(page.getByRole('table', { name: /日ごとの売上$/ })).toContainText('800円')
    await expectNoViolationsInEachLook(page)

    for (const address of ['/creator', '/settings/bank-account'])
      await expect(page.getByRole('main').locator(`a[href="${address}"]`)).toBeVisible()
    await page.getByRole('link', { name: /明細を見る$/ }).click()
    await expect(page).toHaveURL(/entries\?month=\d{4}-\d\d&item=/)
    const entries = page.getByRole('list', { name: '明細' }).getByRole('listitem')
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText('手数料 80円（税込）')
    await expectNoViolationsInEachLook(page)
    await page.getByRole('combobox', { name: '種類' }).selectOption({ label: 'プラン' })
    await expect(page.getByText('明細がありません')).toBeVisible()
    await page.getByRole('button', { name: '条件をクリア' }).last().click()
    await expect(entries).toHaveCount(1)

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'UTF-8' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv.split('\r\n')[1]).toContain('"販売","有料の投稿"')

    await page.goto(`${network.url}/settings/sales-management/statements`)
    await expect(page.getByText('支払明細書はまだありません')).toBeVisible()
    await page.goto(`${network.url}/settings/sales-management?month=2020-01`)
    await expect(page.getByText('この月の売上はありません。')).toBeVisible()
  },
)

test(
  'a person without sales is led to the identity check',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/settings/sales-management`)
    await expect(page.getByText('売上はまだありません')).toBeVisible()
    await page.getByRole('link', { name: '本人確認へ進む' }).click()
    await expect(page).toHaveURL(/\/user\/verification/)
  },
)
