// An unfinished comment is stored on the device, for every tab of its post.
import { creator, fan, fillSignIn, signInByCookie, sessionOf } from './rig/people/people.ts'
import { reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test('opening the field in a second tab of a post does not delete the text of the first tab', async ({
  server,
  network,
  phone,
}) => {
  await publishTexts(server.url, creator, '二つのタブで読む投稿')
  const [post] = await postsWithText(server.url, '二つのタブで読む投稿')
  const { page } = phone
  await signInByCookie(page, network.url, fan)
  await page.goto(`${network.url}/post/${post?.id}`)
  await expect(page.getByRole('button', { name: 'コメントを書く' })).toBeVisible()
  const other = await phone.context.newPage()
  await other.goto(`${network.url}/post/${post?.id}`)
  await expect(other.getByRole('button', { name: 'コメントを書く' })).toBeVisible()
  const field = page.getByRole('textbox', { name: 'コメントを書く' })
  await page.getByRole('button', { name: 'コメントを書く' }).click()
  await field.fill('書きかけのコメント')
  // The second tab opens its field with the text, and leaving that field deletes nothing.
  const second = other.getByRole('textbox', { name: 'コメントを書く' })
  await expect(second).toHaveValue('書きかけのコメント')
  await second.focus()
  await second.blur()
  await reload(page, ['書きかけのコメント'])
  await expect(field).toHaveValue('書きかけのコメント')
})

test(
  'signing out with a pending comment asks first; the comment is sent after the next sign-in',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    await publishTexts(server.url, creator, '待つコメントの投稿')
    const [post] = await postsWithText(server.url, '待つコメントの投稿')
    const { page, context } = phone
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/post/${post?.id}`)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.getByRole('button', { name: 'コメントを書く' }).click()
    network.cut()
    await context.setOffline(true)
    await expect(page.getByText('オフラインです。')).toBeVisible()
    await page.getByRole('textbox', { name: 'コメントを書く' }).fill('ログアウトしても届くコメント')
    await page.getByRole('button', { name: '送信', exact: true }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'ログアウトしても届くコメント' })).toBeVisible()
    await page.getByRole('textbox', { name: 'コメントを書く' }).fill('書きかけ')
    await storedOnDevice(page, ['書きかけ'])
    await page.goto(`${network.url}/`)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('この端末の書きかけのコメント1件は削除されます。')
    await expect(question).toContainText(
      '送信待ちのメッセージやコメント、いいねなどの操作1件はこの端末に残り、次にログインすると続きから送信します。',
    )
    await question.getByRole('button', { name: 'ログアウトする' }).click()
    await expect(page).toHaveURL(/\/login/)
    network.restore()
    await context.setOffline(false)
    await fillSignIn(page, fan)
    await expect(page).toHaveURL(`${network.url}/`)
    const { token } = await sessionOf(server.url, fan)
    const sentComments = async () => {
      const answer = await fetch(`${server.url}/api/posts/${post?.id}/comments`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const { comments } = (await answer.json()) as { comments: { body: { content: string } }[] }
      return comments.map((it) => it.body.content)
    }
    await expect.poll(sentComments).toEqual(['ログアウトしても届くコメント'])
  },
)
