// The purchase history: filters, CSV file, and a receipt that is printed and reissued.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { fan, kami, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

interface ForSale {
  readonly id: string
  readonly price: number
  readonly author: string
}

/** The demo's post for sale. */
async function postForSale(api: Api): Promise<ForSale> {
  const { posts } = (await api.call('GET', '/posts?type=3')) as { posts: PostView[] }
  for (const { id, access, author } of posts)
    if (access.is === 'preview' && access.wants === 'purchase' && access.price !== null)
      return { id, price: access.price, author: author.name }
  throw new Error('the demo has no post for sale')
}

const row = (page: Page) => page.getByRole('list', { name: '購入した投稿' }).getByRole('listitem')
const paper = (page: Page) => page.getByRole('article', { name: '領収書' })
const select = (page: Page, name: string) => page.getByRole('combobox', { name })

async function downloadCsv(page: Page): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSVでダウンロード' }).click()
  return readFile(await (await download).path())
}

/** What a reader in dark mode prints: the pages of the PDF and their sizes, the visible texts, and the colours. */
async function printed(page: Page) {
  await page.emulateMedia({ colorScheme: 'dark' })
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const boxes = pdf.split('/MediaBox [').slice(1)
  const sizes = boxes.map((it) => it.slice(0, it.indexOf(']')).split(' ').map(Number).map(Math.floor))
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  // Settled: the receipt was shown before, and a text is read with the styles of the chosen medium.
  const text = await page.locator('body').innerText()
  const colours = await paper(page).evaluate((it) => {
    const { color, backgroundColor } = getComputedStyle(it)
    return [color, backgroundColor]
  })
  await page.emulateMedia({ media: null, colorScheme: null })
  return { sizes, text, colours }
}

test(
  'a fan finds a purchase by its month, downloads the list, and prints its receipt',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const me = await apiOf(server.url, fan)
    const { id: postId, price, author } = await postForSale(me)
    const paymentId = await buyPost(server.url, me, postId, price)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/settings`)
    await page.getByRole('link', { name: '購入履歴' }).click()
    await expect(row(page)).toHaveCount(1)
    await expect(row(page)).toContainText(author)
    await expect(row(page)).toContainText(`${price}円（税込）`)
    await expect(row(page)).toContainText('購入済み')
    await expect(page.getByRole('link', { name: /^投稿を見る/ })).toHaveAttribute('href', `/post/${postId}`)
    await expect(row(page).locator('a[href^="/chat-messages/"]')).toHaveText('メッセージを送る')
    await expectNoViolationsInEachLook(page)

    await select(page, 'クリエイター').selectOption({ label: author })
    await select(page, '月').selectOption({ index: 1 })
    await expect(page).toHaveURL(/month=\d{4}-\d\d/)
    await expect(page).toHaveURL(/creator=/)
    await reload(page, nothingWritten)
    await expect(select(page, 'クリエイター').locator(':checked')).toHaveText(author)
    await expect(row(page)).toHaveCount(1)
    const csv = await downloadCsv(page)
    expect(csv.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [head, first, ...rest] = csv.subarray(3).toString().split('\r\n')
    expect(head).toBe(
      '"購入日","種類","クリエイター","金額（円・税込）","状態","返金日","返金額（円）","領収書","購入番号"',
    )
    expect(first).toContain(`"有料の投稿","${author}","${price}","購入済み","","0","未発行","${paymentId}"`)
    expect(rest).toEqual([''])
    await page.goto(`${network.url}/purchase-history?month=2020-01`)
    await expect(page.getByText('条件に合う購入がありません')).toBeVisible()
    await page.getByRole('button', { name: '条件をクリア' }).click()
    await expect(row(page)).toHaveCount(1)

    await page.getByRole('link', { name: /^領収書/ }).click()
    await page.getByRole('button', { name: '領収書を発行する' }).click()
    await expect(page.getByRole('textbox', { name: '宛名' })).toBeFocused()
    await expectNoViolationsInEachLook(page)
    await page.getByRole('textbox', { name: '宛名' }).fill('山田 花子')
    await page.getByRole('textbox', { name: '宛名' }).press('Enter')
    await expect(paper(page)).toBeFocused()
    await expect(paper(page)).toContainText('山田 花子 様')
    await expect(paper(page)).toContainText(/R-\d{4}-\d{6}/)
    // Settled: the number of a receipt does not change.
    const [number = ''] = /R-\d{4}-\d{6}/.exec(await paper(page).innerText()) ?? []
    const { sizes, text, colours } = await printed(page)
    // One page of A4, in points.
    expect(sizes).toEqual([[0, 0, 594, 841]])
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
    for (const part of [number, `${price}円`, 'うち消費税額（10%）', '代わって代金を受領', author])
      expect(text).toContain(part)
    for (const part of ['印刷する', '再発行', '戻る']) expect(text).not.toContain(part)
    await expectNoViolationsInEachLook(page)

    await page.getByRole('textbox', { name: '宛名' }).fill('株式会社とどけ 御中')
    await page.getByRole('button', { name: '再発行する' }).click()
    await expect(paper(page)).toContainText('宛名変更・再発行（第2回の発行）')
    await expect(paper(page)).toContainText('株式会社とどけ 御中')
    await expect(paper(page)).toContainText(number)
    network.cut()
    await page.context().setOffline(true)
    await expect(page.getByText('領収書の発行には通信が必要です。')).toBeVisible()
    await page.goBack()
    await page.context().setOffline(false)
    network.restore()
    // Without the server the app would go on with the person whom the device knows.
    const isReached = () => page.evaluate(async () => (await fetch('/api/health')).ok).catch(() => false)
    await expect.poll(isReached).toBe(true)

    await signIn(page, network.url, kami)
    await page.goto(`${network.url}/purchase-history/receipt?id=${paymentId}`)
    await expect(page.getByText('購入が見つかりません')).toBeVisible()
    await page.getByRole('link', { name: '購入履歴へ' }).click()
    await expect(page.getByText('購入したものはまだありません')).toBeVisible()
  },
)
