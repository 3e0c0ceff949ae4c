// A comment that is being written stays on the device, in each tab of its post.
import { creator, fan, knownAs } from './rig/people.ts'
import { postsSaying, publishTexts } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

test('opening the field in a second tab of the same post keeps what the first one has typed', async ({
  server,
  network,
  phone,
}) => {
  await publishTexts(server.url, creator, '二つのタブで読む投稿')
  const [post] = await postsSaying(server.url, '二つのタブで読む投稿')
  const { page } = phone
  await knownAs(page, network.url, fan)
  await page.goto(`${network.url}/post/${post?.id}`)
  await expect(page.getByRole('button', { name: 'コメントを書く' })).toBeVisible()
  const other = await phone.context.newPage()
  await other.goto(`${network.url}/post/${post?.id}`)
  await expect(other.getByRole('button', { name: 'コメントを書く' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'コメントを書く' })
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  await field.fill('書きかけのコメント')
  // The second tab follows: its field opens with the words, and going there and away deletes nothing.
  const second = other.getByRole('textbox', { name: 'コメントを書く' })
  await expect(second).toHaveValue('書きかけのコメント')
  await second.focus()
  await second.blur()
  await page.reload()
  await expect(field).toHaveValue('書きかけのコメント')
})
