// A post of text alone.
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { expectNoDrafts, write, press, postButton } from './rig/posting/editor.ts'
import { closePage } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie, signIn } from './rig/people/people.ts'
import { waitForPost, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

test.use({ firstVisit: true })

test('a creator publishes a text and a fan reads it', async ({ server, network, phone, newPhone }) => {
  const content = '今朝の海は静かでした。'
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content })
  await press(page, network.url)
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
  await waitForPost(server.url, content)

  const { page: fanPage } = await newPhone()
  await signIn(fanPage, network.url, fan)
  await expect(fanPage.getByRole('article').getByText(content)).toBeVisible()
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
})

test('the button is disabled while the form is empty, and the form is empty after a post', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  await expect(postButton(page)).toBeDisabled()
  await page.getByRole('textbox', { name: '本文' }).fill('   \n')
  await expect(postButton(page)).toBeDisabled()
  await page.getByRole('textbox', { name: '本文' }).fill('ひとこと')
  await press(page, network.url)
  await waitUntilDelivered({ phone })
  await page.goto(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue('')
  await expectNoDrafts(page)
})

test('a written text is restored after the tab was closed', async ({ network, phone }) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await write(page, network.url, { content: '書きかけの文章' })
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
  const next = await phone.context.newPage()
  await closePage(page, ['書きかけの文章'])
  await next.goto(`${network.url}/post/upload2`)
  await expect(next.getByRole('textbox', { name: '本文' })).toHaveValue('書きかけの文章')
})
