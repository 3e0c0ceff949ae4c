// A priced post has an open title and introduction: from the editor to the receipt.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { reload } from './rig/browsers/leaving.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { admin, creator, fan, signInByCookie, yuu } from './rig/people/people.ts'
import { postButton, write } from './rig/posting/editor.ts'
import { publishWords } from './rig/posting/sending.ts'
import { expect, test } from './rig/story.ts'

const [TITLE, INTRODUCTION, SECRET] = ['朝の港の録音', '船が出るまでの四十分です。', '港の名前は秘密です。']

async function priced(page: Page): Promise<void> {
  await page.getByRole('button', { name: /公開範囲/ }).click()
  const sheet = page.getByRole('dialog', { name: '公開範囲' })
  await sheet.getByRole('radio', { name: /有料/ }).check()
  await sheet.getByRole('textbox', { name: '価格（税込）' }).fill('500')
  await sheet.getByRole('button', { name: '決定' }).click()
  await expect(sheet).toHaveCount(0)
}

test('people see title, introduction and length of a priced post before they buy it, and afterwards in its records', async ({
  server,
  network,
  phone,
  newPhone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content: SECRET })
  const title = page.getByRole('textbox', { name: /^タイトル/ })
  const introduction = page.getByRole('textbox', { name: /^紹介文/ })
  await expect(title).toHaveCount(0)
  await priced(page)
  await title.fill('港'.repeat(61))
  await introduction.fill(INTRODUCTION)
  await expect(title).toHaveAccessibleDescription(/60文字以内で入力してください/)
  await postButton(page).click()
  await expect(page.getByText('入力内容をご確認ください。')).toBeVisible()
  await expect(title).toHaveValue('港'.repeat(61))
  await title.fill(TITLE)
  await reload(page, [TITLE])
  await expect(title).toHaveValue(TITLE)
  await expect(introduction).toHaveValue(INTRODUCTION)
  await expectNoViolationsInEachLook(page)
  await postButton(page).click()
  await expect(page.getByText('投稿が完了しました。').first()).toBeVisible()

  const { page: other } = await newPhone()
  await signInByCookie(other, network.url, fan)
  await other.goto(network.url)
  const card = other.getByRole('article').filter({ hasText: TITLE })
  await expect(card).toContainText(INTRODUCTION)
  await expect(card).toContainText('文章10文字')
  await card.getByRole('link', { name: '購入する' }).click()
  const main = other.getByRole('main')
  for (const text of [TITLE, INTRODUCTION, '有料の投稿・文章10文字']) await expect(main).toContainText(text)
  await expectNoViolationsInEachLook(other)
  const id = new URL(other.url()).searchParams.get('post') ?? ''
  await buyPost(server.url, await apiOf(server.url, fan), id, 500)
  await other.goto(`${network.url}/post/${id}`)
  await expect(main).toContainText(SECRET)
  await expect(main).toContainText(TITLE)
  await other.goto(`${network.url}/purchase-history`)
  await expect(main).toContainText(TITLE)
  await other.getByRole('link', { name: /^領収書/ }).click()
  await other.getByRole('textbox', { name: '宛名' }).fill('山田 花子')
  await other.getByRole('button', { name: '領収書を発行する' }).click()
  await expect(other.getByRole('article')).toContainText(`有料の投稿「${TITLE}」`)
})

test('a buyer reads a post as it was bought after its seller emptied it, and staff see both texts', async ({
  server,
  network,
  phone: { page },
  newPhone,
}) => {
  const more = { type: '3', price: '500', title: TITLE }
  const id = await publishWords(server.url, SECRET, more)
  const [buyer, seller] = [await apiOf(server.url, yuu), await apiOf(server.url, creator)]
  const paymentId = await buyPost(server.url, buyer, id, 500)
  await seller.call('PATCH', `/posts/${id}`, { content: '。', title: '' })
  await signInByCookie(page, network.url, yuu)
  await page.goto(`${network.url}/post/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByText('。', { exact: true })).toBeVisible()
  await expect(main.getByText(SECRET)).toHaveCount(0)
  await page.getByRole('button', { name: '購入したときの内容を見る' }).click()
  const sheet = page.getByRole('dialog', { name: '購入したときの内容' })
  for (const text of [TITLE, SECRET]) await expect(sheet.getByText(text)).toBeVisible()
  await expectNoViolationsInEachLook(page)

  const { page: desk } = await newPhone()
  await signInByCookie(desk, network.url, admin)
  await desk.goto(`${network.url}/administration?show=adjustments&q=${paymentId}`)
  await desk.getByRole('main').getByText('購入したときの文章と、現在の文章').click()
  await expect(desk.getByRole('main').getByText(SECRET)).toBeVisible()
  await expect(desk.getByRole('main').getByText(/に初めて変更/)).toBeVisible()
})
