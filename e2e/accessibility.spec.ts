// Pages that `routes.spec.ts` does not walk, light and dark, phone and desk: no rule of axe is broken.
import { broken } from './rig/axe.ts'
import { tabTo } from './rig/keyboard.ts'
import { creator, fan, signIn } from './rig/people.ts'
import { releasedPosts } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [undefined, { width: 1280, height: 800 }])
    test(`${colorScheme}, ${viewport ? 'desk' : 'phone'}`, async ({ server, network, another }) => {
      const { page } = await another({ colorScheme, ...(viewport ? { viewport } : {}) })
      await signIn(page, network.url, fan)
      const [post] = await releasedPosts(server.url)
      if (!post) throw new Error('the demo has no post')
      for (const path of ['/no/such/page', `/post/${post.id}`, `/profile/${post.author.id}`]) {
        await page.goto(network.url + path)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        expect.soft(await broken(page), path).toEqual([])
      }
    })

test('a post is written and published by keyboard alone', async ({ network, another }) => {
  const { page } = await another({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${network.url}/login`)
  await page.getByRole('main').waitFor()
  await tabTo(page, /^メールアドレス/)
  await page.keyboard.type(creator.email)
  await tabTo(page, /^パスワード/)
  await page.keyboard.type(creator.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/`)
  await tabTo(page, /^投稿$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toBeVisible()
  await tabTo(page, /^本文$/)
  await page.keyboard.type('キーボードだけで投稿しました。')
  await tabTo(page, /^年齢制限/)
  await page.keyboard.press('Space')
  await tabTo(page, /^投稿$/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
})
