// What authors do with a post that is out: its text, who may see it, and taking it away, as others then see it.
import type { Page } from '@playwright/test'
import { broken } from './rig/axe.ts'
import { akari, creator, fan, signIn } from './rig/people/people.ts'
import { postsSaying, publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** As when one looks at the phone again: the open page asks how the post stands. */
const lookAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

async function choose(page: Page, act: string): Promise<void> {
  await page.getByRole('button', { name: '投稿のメニュー' }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

const gone = (page: Page) => page.getByRole('heading', { level: 1, name: 'このページは表示できません' })

test('a text is mended, closed to all but a plan, sold, and deleted, and nobody sees more than that', async ({
  server,
  network,
  phone,
  another,
}) => {
  test.setTimeout(180_000)
  const [first, mended] = ['港の朝市のおしらせです', '港の朝市は、雨のため来週になりました']
  await publishTexts(server.url, creator, first)
  const [post] = await postsSaying(server.url, first)
  const mine = phone.page
  // One has joined the author's plan, the other has not.
  const [member, stranger] = [(await another()).page, (await another()).page]
  await signIn(mine, network.url, creator)
  await signIn(member, network.url, fan)
  await signIn(stranger, network.url, akari)
  for (const page of [mine, member, stranger]) {
    await page.goto(`${network.url}/post/${post?.id}`)
    await expect(page.getByText(first)).toBeVisible()
  }

  await test.step('the text', async () => {
    await choose(mine, '本文を編集')
    const sheet = mine.getByRole('dialog', { name: '本文の編集' })
    const save = sheet.getByRole('button', { name: '保存' })
    await expect(save).toBeDisabled()
    const box = sheet.getByRole('textbox', { name: '本文' })
    await box.fill('  ')
    await save.click()
    await expect(box).toHaveAccessibleDescription('本文を入力するか、ファイルを選択してください')
    await box.fill(mended)
    expect(await broken(mine)).toEqual([])
    await save.click()
    await expect(sheet).toHaveCount(0)
    await expect(mine.getByText(mended)).toBeVisible()
    await expect(mine.getByText(/に編集$/)).toBeVisible()
    await lookAgain(stranger)
    await expect(stranger.getByText(mended)).toBeVisible()
    await expect(stranger.getByText(first)).toHaveCount(0)
    await expect(stranger.getByText(/に編集$/)).toBeVisible()
  })

  await test.step('a plan', async () => {
    await choose(mine, '公開範囲を変更')
    const sheet = mine.getByRole('dialog', { name: '公開範囲' })
    await sheet.getByRole('radio', { name: 'プラン限定' }).click()
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(sheet.getByText('プランを選択してください。')).toBeVisible()
    await sheet.getByRole('checkbox', { name: /朝の海プラン/ }).click()
    expect(await broken(mine)).toEqual([])
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(sheet).toHaveCount(0)
    await lookAgain(stranger)
    await expect(stranger.getByText('朝の海プラン')).toBeVisible()
    await expect(stranger.getByText(mended)).toHaveCount(0)
    await expect(stranger.getByRole('button', { name: 'コメントを書く' })).toHaveCount(0)
    await lookAgain(member)
    await expect(member.getByText(mended)).toBeVisible()
  })

  await test.step('a price', async () => {
    await choose(mine, '公開範囲を変更')
    const sheet = mine.getByRole('dialog', { name: '公開範囲' })
    await expect(sheet.getByRole('radio', { name: 'プラン限定' })).toBeChecked()
    await sheet.getByRole('radio', { name: '有料' }).click()
    const price = sheet.getByRole('textbox', { name: '価格（税込）' })
    await price.fill('50')
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(price).toHaveAccessibleDescription(/100/)
    await expect(price).toHaveAttribute('aria-invalid', 'true')
    await price.fill('1,200')
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(sheet).toHaveCount(0)
    await lookAgain(member)
    await expect(member.getByText(/1,200円/)).toBeVisible()
    await expect(member.getByText(mended)).toHaveCount(0)
    await expect(mine.getByText(mended)).toBeVisible()
  })

  await test.step('away', async () => {
    await choose(mine, '投稿を削除')
    await mine.getByRole('alertdialog').getByRole('button', { name: 'キャンセル' }).click()
    await expect(mine.getByText(mended)).toBeVisible()
    await choose(mine, '投稿を削除')
    await mine.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
    await expect(mine).toHaveURL(`${network.url}/`)
    await expect(mine.getByText('投稿を削除しました。')).toBeVisible()
    await expect(mine.getByRole('article').first()).toBeVisible()
    await expect(mine.getByText(mended)).toHaveCount(0)
    await lookAgain(member)
    await expect(gone(member)).toBeVisible()
    await stranger.goto(`${network.url}/post/${post?.id}`)
    // Where the server is slow, what this device had kept of it is shown until the answer takes it away.
    await expect(gone(stranger)).toBeVisible()
    await expect(stranger.getByText(mended)).toHaveCount(0)
    expect(await postsSaying(server.url, mended)).toEqual([])
  })
})
