// Editing, limiting and deleting a published post, and what others then see.
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { akari, creator, fan, signIn } from './rig/people/people.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** Makes the page visible again, at which it requests the state of the post. */
const refocus = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: '投稿のメニュー' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A text in the open post. */
const inPost = (page: Page, text: string) => page.getByRole('article').getByText(text)

const notFound = (page: Page) => page.getByRole('heading', { level: 1, name: 'このページは表示できません' })

const FIRST = '港の朝市のおしらせです'
const EDITED = '港の朝市は、雨のため来週になりました'

/** A post that its author, a plan member and a person without plan have open. */
interface OpenPost {
  readonly url: string
  readonly path: string
  readonly authorPage: Page
  readonly member: Page
  readonly stranger: Page
}

async function editText({ authorPage, stranger }: OpenPost): Promise<void> {
  await choose(authorPage, '投稿を編集')
  const sheet = authorPage.getByRole('dialog', { name: '投稿の編集' })
  const save = sheet.getByRole('button', { name: '保存' })
  await expect(save).toBeDisabled()
  const box = sheet.getByRole('textbox', { name: '本文' })
  await box.fill('  ')
  await save.click()
  await expect(box).toHaveAccessibleDescription('本文を入力するか、ファイルを選択してください')
  await box.fill(EDITED)
  await expectNoViolations(authorPage)
  await save.click()
  await expect(sheet).toHaveCount(0)
  await expect(inPost(authorPage, EDITED)).toBeVisible()
  await expect(authorPage.getByText(/に編集$/)).toBeVisible()
  await refocus(stranger)
  await expect(inPost(stranger, EDITED)).toBeVisible()
  await expect(stranger.getByText(FIRST)).toHaveCount(0)
  await expect(stranger.getByText(/に編集$/)).toBeVisible()
}

async function limitToPlan({ authorPage, member, stranger }: OpenPost): Promise<void> {
  await choose(authorPage, '公開範囲を変更')
  const sheet = authorPage.getByRole('dialog', { name: '公開範囲' })
  await sheet.getByRole('radio', { name: 'プラン限定' }).click()
  await sheet.getByRole('button', { name: '保存' }).click()
  await expect(sheet.getByText('プランを選択してください。')).toBeVisible()
  await sheet.getByRole('checkbox', { name: /朝の海プラン/ }).click()
  await expectNoViolations(authorPage)
  await sheet.getByRole('button', { name: '保存' }).click()
  await expect(sheet).toHaveCount(0)
  await refocus(stranger)
  await expect(stranger.getByText('朝の海プラン')).toBeVisible()
  await expect(stranger.getByText(EDITED)).toHaveCount(0)
  await expect(stranger.getByRole('button', { name: 'コメントを書く' })).toHaveCount(0)
  await refocus(member)
  await expect(inPost(member, EDITED)).toBeVisible()
}

async function setPrice({ authorPage, member }: OpenPost): Promise<void> {
  await choose(authorPage, '公開範囲を変更')
  const sheet = authorPage.getByRole('dialog', { name: '公開範囲' })
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
  await refocus(member)
  await expect(member.getByText(/1,200円/)).toBeVisible()
  await expect(member.getByText(EDITED)).toHaveCount(0)
  await expect(inPost(authorPage, EDITED)).toBeVisible()
}

async function deletePost({ url, path, authorPage, member, stranger }: OpenPost): Promise<void> {
  await choose(authorPage, '投稿を削除')
  await authorPage.getByRole('alertdialog').getByRole('button', { name: 'キャンセル' }).click()
  await expect(inPost(authorPage, EDITED)).toBeVisible()
  await choose(authorPage, '投稿を削除')
  await authorPage.getByRole('alertdialog').getByRole('button', { name: '削除する' }).click()
  await expect(authorPage).toHaveURL(`${url}/`)
  await expect(authorPage.getByText('投稿を削除しました。')).toBeVisible()
  await expect(authorPage.getByRole('article').first()).toBeVisible()
  await expect(authorPage.getByRole('main').getByText(EDITED)).toHaveCount(0)
  await refocus(member)
  await expect(notFound(member)).toBeVisible()
  await stranger.goto(`${url}${path}`)
  // With a slow server the cached copy is shown until the reply removes it.
  await expect(notFound(stranger)).toBeVisible()
  await expect(stranger.getByText(EDITED)).toHaveCount(0)
}

test(
  'the author edits a post, limits it to a plan, sets a price and deletes it; others see no more than each allows',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    await publishTexts(server.url, creator, FIRST)
    const [post] = await postsWithText(server.url, FIRST)
    const [member, stranger] = [(await newPhone()).page, (await newPhone()).page]
    const it: OpenPost = {
      url: network.url,
      path: `/post/${post?.id}`,
      authorPage: phone.page,
      member,
      stranger,
    }
    await signIn(it.authorPage, it.url, creator)
    // The home page lists it, so that its absence there after the deletion means something.
    await expect(it.authorPage.getByRole('article').filter({ hasText: FIRST })).toBeVisible()
    await signIn(member, it.url, fan)
    await signIn(stranger, it.url, akari)
    for (const page of [it.authorPage, member, stranger]) {
      await page.goto(`${it.url}${it.path}`)
      await expect(inPost(page, FIRST)).toBeVisible()
    }
    await test.step('the text', () => editText(it))
    await test.step('a plan', () => limitToPlan(it))
    await test.step('a price', () => setPrice(it))
    await test.step('the deletion', () => deletePost(it))
    await expect.poll(() => postsWithText(server.url, EDITED)).toEqual([])
  },
)
