// Errors of a text or a price are shown before submission.
import { write, postButton } from './rig/posting/editor.ts'
import { creator, signInByCookie } from './rig/people/people.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test('a price out of bounds or with a fraction keeps the sheet open with an error at the field', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content: '有料の日記' })
  await page.getByRole('button', { name: /公開範囲/ }).click()
  const sheet = page.getByRole('dialog', { name: '公開範囲' })
  await sheet.getByRole('radio', { name: /有料/ }).check()
  const price = sheet.getByRole('textbox', { name: '価格（税込）' })
  const decide = sheet.getByRole('button', { name: '決定' })

  await decide.click()
  await expect(price).toBeFocused()
  await expect(price).toHaveAccessibleDescription(/入力必須項目です。/)
  for (const [typed, message] of [
    ['50', '100円以上で入力してください'],
    ['100.50', '小数点を使わず、1円単位で入力してください'],
    ['50,001', '50,000円以下で入力してください'],
    ['百円', '価格は数字で入力してください'],
  ] as const) {
    await price.fill(typed)
    await decide.click()
    await expect(sheet).toBeVisible()
    await expect(price).toHaveAttribute('aria-invalid', 'true')
    await expect(price).toHaveAccessibleDescription(new RegExp(message))
    await expect(price).toHaveValue(typed)
  }

  await price.fill('50')
  await sheet.getByRole('button', { name: '閉じる' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(page.getByText('100円以上で入力してください')).toBeVisible()
  await expect(page.getByText('有料（50円）')).toHaveCount(0)

  await page.getByRole('button', { name: /公開範囲/ }).click()
  await price.fill('1,050')
  await decide.click()
  await expect(sheet).toHaveCount(0)
  await expect(page.getByText('有料（1,050円）')).toBeVisible()
})

test(
  'too many combining marks show an error while typing, in posts and comments, and the text remains',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [stacked, message] = [`夜${'\u0301'.repeat(9)}`, '文字に重ねる記号は8個までにしてください']
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await write(page, network.url, { content: stacked })
    const box = page.getByRole('textbox', { name: '本文' })
    await expect(box).toHaveAccessibleDescription(message)
    await postButton(page).click()
    await expect(box).toHaveValue(stacked)
    await expect(page).toHaveURL(/upload2/)
    await box.fill(`a${'\u0301'.repeat(20_000)}`.repeat(5))
    await expect(box).toHaveAccessibleDescription('絵文字や重ねた記号が多すぎます。数を減らしてください')
    await box.fill('夜が明けます')
    await expect(box).toHaveAccessibleDescription('')

    await publishTexts(server.url, creator, '記号のないひとこと')
    const [post] = await postsWithText(server.url, '記号のないひとこと')
    await page.goto(`${network.url}/post/${post?.id}`)
    await page.getByRole('button', { name: 'コメントを書く' }).click()
    const comment = page.getByRole('textbox', { name: 'コメントを書く' })
    await comment.fill(stacked)
    await expect(comment).toHaveAccessibleDescription(message)
    await expect(page.getByRole('button', { name: '送信' })).toBeDisabled()
    await expect(comment).toHaveValue(stacked)
  },
)
