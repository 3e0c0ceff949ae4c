// A creator with money deletes the account, and the operator settles it.
import type { Page } from '@playwright/test'
import type { OwnPlan } from '#contract/plans/plans.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import type { Server } from './rig/network/server.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost, joinPlan } from './rig/people/buying.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { emailTo } from './rig/people/mail.ts'
import { admin, akari, creator, fan, fillSignIn, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })

/** One person joins a plan for 1,500 yen, another buys a post for 800. The creator has 90 %. */
async function sell({ url }: Server): Promise<void> {
  const seller = await apiOf(url, creator)
  const { plans } = (await seller.call('GET', '/plans/own')) as { plans: OwnPlan[] }
  const atelier = defined(plans.find((it) => it.name === 'アトリエプラン'))
  await joinPlan(url, await apiOf(url, fan), atelier)
  const buyer = await apiOf(url, akari)
  const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
  const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
  await buyPost(url, buyer, defined(post).id, 800)
}

/** Requests the deletion. @returns after the question was answered */
async function leave(page: Page, url: string): Promise<void> {
  await button(page, '削除の確認へ進む').click()
  await page.getByLabel('パスワード', { exact: true }).fill(creator.password)
  await button(page, '確認する').click()
  await button(page, '削除の確認へ進む').click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('振込先の口座が登録されていないため、自動では振り込まれません。')
  await question.getByRole('button', { name: '削除を申し込む' }).click()
  await expect(page).toHaveURL(`${url}/user/delete-account/waiting`)
}

test(
  'a creator who deletes the account reads what becomes of the balance, and the operator settles what no payout can pay',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const { page } = phone
    await sell(server)
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/user/delete-account`)
    const money = main(page).getByRole('region', { name: 'お金について' })
    await expect(money).toContainText('残高2,070円うち振込可能額0円うち確定していない売上2,070円')
    await expect(money).toContainText('アトリエプラン（メンバー1人）')
    await expect(money).toContainText(
      '1件、合計1,500円です。返金のうち1,350円を、あなたの残高から差し引きます。',
    )
    await expect(money.getByRole('link', { name: '振込先の口座を登録する' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await leave(page, network.url)
    await expect(main(page)).toContainText('残高は2,070円です。')
    await expectNoViolationsInEachLook(page)
    // Settled: an email that was sent.
    expect((await emailTo(server, creator.email, '受け付け')).text).toContain('残高は2,070円です。')

    // The day of the erasure: the month of the plan is refunded, and the post's share is left.
    await server.stop()
    await server.start(8)
    // Settled: an email that was sent.
    expect((await emailTo(server, creator.email, 'アカウントを削除しました')).text).toContain(
      '残高720円の振込について、運営からこのメールアドレスにご連絡します。',
    )
    // A sweep after the erasure finds the balance.
    await server.stop()
    await server.start(9)
    const { page: desk } = await newPhone()
    await desk.goto(`${network.url}/login`)
    await fillSignIn(desk, admin)
    await expect(desk).toHaveURL(`${network.url}/`)
    await desk.goto(`${network.url}/administration?show=tasks`)
    const task = desk.getByRole('listitem', { name: '削除されたアカウントの残高を精算する' })
    await expect(task).toContainText('振込先の口座がありません。')
    await expect(task).toContainText('720円')
    await expectNoViolationsInEachLook(desk)
    await task.getByRole('link', { name: '残高を見る' }).click()
    const balance = desk.getByRole('list', { name: '振り込まれない残高' }).getByRole('listitem')
    await expect(balance).toContainText('退会したユーザー')
    await expect(balance).toContainText('口座なし')
    await balance.getByRole('button', { name: '連絡先を表示する' }).click()
    await confirmAdmin(desk)
    await balance.getByRole('button', { name: '連絡先を表示する' }).click()
    await expect(balance).toContainText(creator.email)
    await expectNoViolationsInEachLook(desk)
    await balance.getByRole('button', { name: '振込を記録する' }).click()
    const sheet = desk.getByRole('dialog', { name: '振込を記録する' })
    await expect(sheet.getByRole('textbox', { name: '金額（円）' })).toHaveValue('720')
    await sheet.getByRole('button', { name: '内容を確認する' }).click()
    await expect(sheet).toContainText('理由を入力してください')
    await expectNoViolationsInEachLook(desk)
    await sheet
      .getByRole('textbox', { name: '理由' })
      .fill('口座の情報をメールで確認し、銀行の画面で振り込みました。')
    await sheet.getByRole('button', { name: '内容を確認する' }).click()
    await expect(sheet).toContainText('次の内容を帳簿に記録します。')
    await expectNoViolationsInEachLook(desk)
    await sheet.getByRole('button', { name: '確定する' }).click()
    await expect(desk.getByText('振り込まれない残高はありません')).toBeVisible()
    await desk.goto(`${network.url}/administration?show=tasks`)
    await expect(desk.getByText('作業はありません')).toBeVisible()
  },
)
