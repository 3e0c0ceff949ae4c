// A creator's first month: sales, refund, closing, payouts, a returned transfer, its fee.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import type { PayoutOverview } from '#contract/payouts/payouts.ts'
import type { SalesView } from '#contract/sales/sales.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import type { Server } from './rig/network/server.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost, joinPlan } from './rig/people/buying.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { admin, akari, creator, fan, kami, signIn, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const DAY = 24 * 3600_000
const TRANSFER = {
  TRANSFER_CODE: '0000000001',
  TRANSFER_NAME: 'トドケ',
  TRANSFER_BANK: '0001-001',
  TRANSFER_ACCOUNT: '1234567',
}

/** Days until the third of the next month in Tokyo, when this month is closed. */
function daysToClosing(): number {
  const today = new Date(Date.now() + 9 * 3600_000)
  const third = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 3)
  return Math.ceil((third - today.getTime()) / DAY)
}

/** Three people join the plan, one of them buys a post, and one is refunded. @returns the yen that are left */
async function sellInThisMonth({ url }: Server): Promise<number> {
  const seller = await apiOf(url, creator)
  const { plans } = (await seller.call('GET', '/plans/own')) as { plans: OwnPlan[] }
  const plan = plans.find((it) => it.name === 'アトリエプラン')
  if (!plan) throw new Error('the demo has no plan')
  const buyers = await Promise.all([fan, yuu, kami].map((it) => apiOf(url, it)))
  const paid: string[] = []
  for (const it of buyers) paid.push(await joinPlan(url, it, plan))
  const buyer = await apiOf(url, akari)
  const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
  const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
  await buyPost(url, buyer, defined(post).id, 800)
  const operator = await apiOf(url, admin)
  await operator.call('POST', '/auth/validation', { password: admin.password })
  const whole = { amount: plan.price, left: plan.price, reason: 'ご本人からのお申し出' }
  await operator.call('POST', `/admin/payments/${paid[2]}/refund`, { id: newId(), ...whole, preview: false })
  // The creator has 90 %.
  return (2 * plan.price + 800) * 0.9
}

async function storeAccount(page: Page, url: string, number: string): Promise<void> {
  await page.goto(`${url}/settings/bank-account`)
  const change = page.getByRole('button', { name: '変更する', exact: true })
  const bank = page.getByRole('combobox', { name: '銀行', exact: true })
  await expect(change.or(bank)).toBeVisible()
  // Settled: the stored account decides which of the two is shown, and one of them is.
  if (await change.isVisible()) await change.click()
  await bank.fill('みずほ銀行')
  await page.getByRole('option', { name: '0001 みずほ' }).click()
  await page.getByRole('combobox', { name: '支店', exact: true }).fill('つきぢ')
  await page.getByRole('option', { name: '015 築地' }).click()
  await page.getByRole('textbox', { name: '口座番号' }).fill(number)
  await page.getByRole('textbox', { name: '口座名義（カタカナ）' }).fill('ヤマダ　ハナコ')
  await page.getByRole('radio', { name: '日本', exact: true }).click()
  await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: /^口座を(登録|変更)する$/ }).click()
  await expect(page.getByRole('region', { name: '登録している口座' })).toContainText(
    `＊＊＊＊${number.slice(-3)}`,
  )
}

const payoutsPath = '/settings/sales-management/payouts'

async function requestPayout(page: Page, url: string, net: string): Promise<void> {
  await page.goto(url + payoutsPath)
  await page.getByRole('button', { name: '振込を申請する' }).press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(`${net}の振込を申請しますか`)
  await expectNoViolationsInEachLook(page)
  await question.getByRole('button', { name: '振込を申請する' }).press('Enter')
  await expect(page.getByRole('list', { name: '振込の履歴' })).toContainText('確認待ち')
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** Approves the only payout and makes its file. @param made the number of files then @returns its bytes */
async function exportPayout(page: Page, url: string, day: string, made: number): Promise<Buffer> {
  await page.goto(`${url}/administration?show=payouts`)
  const approve = page.getByRole('button', { name: '承認する', exact: true })
  await approve.click()
  await confirmAdmin(page)
  await expectNoViolationsInEachLook(page)
  await approve.click()
  await expect(page.getByText('確認待ちの振込はありません')).toBeVisible()
  return makeFile(page, day, made)
}

/** Makes the file of the only approved payout. @param made the number of files then @returns its bytes */
async function makeFile(page: Page, day: string, made: number): Promise<Buffer> {
  await tab(page, '振込待ち')
  await page.getByLabel('振込を指定する日').fill(day)
  await expectNoViolationsInEachLook(page)
  await page.getByRole('button', { name: 'ファイルを作成する' }).click()
  await expect(page.getByText('振込待ちのものはありません')).toBeVisible()
  await tab(page, '結果待ち')
  const files = page.getByRole('list', { name: '作成したファイル' }).getByRole('listitem')
  await expect(files).toHaveCount(made)
  const download = page.waitForEvent('download')
  await files.first().getByRole('link', { name: 'ダウンロード' }).click()
  return readFile(await (await download).path())
}

/** Voids the newest file, which the bank has refused. */
async function voidFile(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /のファイルを無効にする$/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog', { name: 'このファイルを無効にしますか' })
  const send = sheet.getByRole('button', { name: '無効にする' })
  await send.click()
  await expect(sheet.getByText('理由を入力してください。')).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await sheet.getByRole('textbox', { name: '理由' }).fill('銀行がファイルを受け付けませんでした。')
  await sheet.getByRole('checkbox').press('Space')
  await send.press('Enter')
  await expect(sheet).toBeHidden()
  await expect(page.getByText('銀行の結果を待つ振込はありません')).toBeVisible()
  await expect(page.getByRole('list', { name: '作成したファイル' })).toContainText('無効（')
}

const newestFile = (page: Page) =>
  page.getByRole('list', { name: '作成したファイル' }).getByRole('listitem').first()

/** Records what the bank took for the newest file, after a look at what it books. */
async function recordFee(page: Page, act: string, fee: string): Promise<void> {
  await newestFile(page)
    .getByRole('button', { name: new RegExp(`のファイルの${act}$`) })
    .click()
  // The toast of the record is a dialog too.
  const sheet = page.getByRole('dialog', { name: /^銀行の手数料の(記録|訂正)$/ })
  const look = sheet.getByRole('button', { name: '内容を確認する' })
  await look.click()
  await expect(sheet.getByText('0円から5,000円までの数字を入力してください')).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await sheet.getByRole('textbox', { name: '手数料の合計（円、税込）' }).fill(fee)
  await look.click()
  await expect(sheet.getByRole('table')).toContainText('振込手数料の差額')
  await expectNoViolationsInEachLook(page)
  await sheet.getByRole('button', { name: '確定する' }).press('Enter')
  await expect(sheet).toBeHidden()
}

/** Records the fee of the newest file, and corrects it. */
async function recordFees(page: Page): Promise<void> {
  await recordFee(page, '手数料を記録する', '660')
  const newest = newestFile(page)
  await expect(newest).toContainText('銀行の手数料：660円（クリエイターの負担 250円）')
  await recordFee(page, '手数料を訂正する', '550')
  await expect(newest).toContainText('銀行の手数料：550円（クリエイターの負担 250円）')
  await newest.getByText('手数料の記録（2件）').click()
  await expect(newest.getByRole('listitem')).toHaveCount(2)
  await expectNoViolationsInEachLook(page)
}

/** The newest statement is the invoice of the transfer fee, and the sums of the year have it. */
async function readInvoice(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/settings/sales-management/statements`)
  await expect(page.getByText('振込手数料（税込）').first()).toBeVisible()
  // The one of the month before is there until the sweep has closed this one.
  const statements = page.getByRole('list', { name: '支払明細書の一覧' }).getByRole('link')
  await expect(statements).toHaveCount(2)
  await statements.first().click()
  const invoice = page.getByRole('region', { name: '手数料の内訳' })
  await expect(invoice).toContainText('振込手数料（税込）250円')
  await expect(invoice).toContainText('うち消費税（10%）22円')
  await expectNoViolationsInEachLook(page)
}

/** The number and amount of the only transfer in a file of 120-byte records. */
function transferOf(file: Buffer): [account: string, yen: number] {
  const record = file.subarray(122, 242).toString('latin1')
  return [record.slice(43, 50), Number(record.slice(80, 90))]
}

const overviewOf = async ({ url }: Server) =>
  (await (await apiOf(url, creator)).call('GET', '/payouts')) as PayoutOverview

test(
  'a month of sales is closed, paid out by a transfer file, returned, mended and paid',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const left = await sellInThisMonth(server)
    const net = `${(left - 250).toLocaleString('ja-JP')}円`
    const days = daysToClosing()
    await server.stop()
    await server.start(Math.max(0, days - 4), TRANSFER)
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/settings/sales-management`)
    const balance = page.getByRole('region', { name: '残高' })
    await expect(balance).toContainText(`確定前の額${left.toLocaleString('ja-JP')}円`)
    await server.stop()
    await server.start(days, TRANSFER)
    // The sweep closes the month while the page is open. The page reads again when it is connected again.
    const closed = `振込可能額${left.toLocaleString('ja-JP')}円`
    await expect(balance).toContainText(closed)
    await page.goto(`${network.url}/settings/sales-management/statements`)
    await page.getByRole('list', { name: '支払明細書の一覧' }).getByRole('link').first().click()
    await expect(page.getByRole('article')).toContainText(`翌月への繰越${left.toLocaleString('ja-JP')}円`)
    await expectNoViolationsInEachLook(page)

    await page.goto(network.url + payoutsPath)
    await expect(page.getByText('振込先の口座を登録すると、申請できます。')).toBeVisible()
    await storeAccount(page, network.url, '1234567')
    await requestPayout(page, network.url, net)
    const { payouts } = await overviewOf(server)
    const due = payouts[0]?.due_on ?? ''

    await signIn(page, network.url, admin)
    const refused = await exportPayout(page, network.url, due, 1)
    expect(transferOf(refused)).toEqual(['1234567', left - 250])
    await voidFile(page)
    // Settled: the bytes of a downloaded file.
    expect((await makeFile(page, due, 2)).equals(refused)).toBe(true)
    await page.getByRole('button', { name: '振り込めなかった' }).click()
    await page.getByRole('textbox', { name: '理由' }).fill('口座番号が違います。')
    await page.getByRole('button', { name: '記録する' }).click()
    await expect(page.getByText('銀行の結果を待つ振込はありません')).toBeVisible()

    await signIn(page, network.url, creator)
    await page.goto(network.url + payoutsPath)
    await expect(page.getByText('前回は振り込めませんでした。')).toBeVisible()
    await expect(page.getByRole('list', { name: '振込の履歴' })).toContainText('口座番号が違います。')
    await storeAccount(page, network.url, '7654321')
    await requestPayout(page, network.url, net)

    // A changed account holds payouts for three days.
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration?show=payouts`)
    await expect(page.getByText('口座が変更されたため、')).toBeVisible()
    await server.stop()
    await server.start(days + 4, TRANSFER)
    await signIn(page, network.url, admin)
    // Settled: the bytes of a downloaded file.
    expect(transferOf(await exportPayout(page, network.url, due, 3))).toEqual(['7654321', left - 250])
    await page.getByRole('button', { name: '振込済みにする' }).click()
    await expect(page.getByText('銀行の結果を待つ振込はありません')).toBeVisible()
    await recordFees(page)

    await signIn(page, network.url, creator)
    await page.goto(network.url + payoutsPath)
    const history = page.getByRole('list', { name: '振込の履歴' })
    await expect(history).toContainText('振込済み')
    await expect(history).toContainText('口座 ＊＊＊＊321')
    await expectNoViolationsInEachLook(page)
    const sales = (await (await apiOf(server.url, creator)).call('GET', '/sales')) as SalesView
    expect(sales.balance.available).toBe(0)
    expect(sales.figures.paid_out).toBe(left)

    // The invoice of the month of the transfer has its fee.
    await server.stop()
    await server.start(days + 32, TRANSFER)
    await signIn(page, network.url, creator)
    await readInvoice(page, network.url)
  },
)
