// Every page, light and dark, phone and desk: no rule of axe is broken.
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { creator, fan, signIn } from './rig/people.ts'
import { releasedPosts } from './rig/posts.ts'
import { expect, test } from './rig/story.ts'

async function broken(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap((it) =>
    it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.html}`),
  )
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [undefined, { width: 1280, height: 800 }])
    test(`${colorScheme}, ${viewport ? 'desk' : 'phone'}`, async ({ server, network, another }) => {
      const { page } = await another({ colorScheme, ...(viewport ? { viewport } : {}) })
      for (const path of ['/login', '/register', '/no/such/page']) {
        await page.goto(network.url + path)
        await page.getByRole('main').waitFor()
        expect.soft(await broken(page), path).toEqual([])
      }
      await signIn(page, network.url, fan)
      const [post] = await releasedPosts(server.url)
      const paths = [
        '/',
        '/post/upload2',
        ...(post ? [`/post/${post.id}`, `/profile/${post.author.id}`] : []),
      ]
      for (const path of paths) {
        await page.goto(network.url + path)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        expect.soft(await broken(page), path).toEqual([])
      }
    })

test('a post is written and published by keyboard alone', async ({ network, another }) => {
  const { page } = await another({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${network.url}/login`)
  const focusOn = async (name: RegExp): Promise<void> => {
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press('Tab')
      const focused = page.locator(':focus')
      if ((await focused.count()) > 0 && name.test(await accessibleName(focused))) return
    }
    throw new Error(`no Tab leads to ${name}`)
  }
  await focusOn(/^メールアドレス/)
  await page.keyboard.type(creator.email)
  await focusOn(/^パスワード/)
  await page.keyboard.type(creator.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/`)
  await focusOn(/^投稿/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
  await focusOn(/^本文/)
  await page.keyboard.type('キーボードだけで投稿しました。')
  await focusOn(/^年齢制限/)
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+Tab')
  const post = page.getByRole('banner').getByRole('button', { name: '投稿', exact: true })
  for (let n = 0; n < 60 && !(await post.evaluate((it) => it === document.activeElement)); n++)
    await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
})

async function accessibleName(it: Locator): Promise<string> {
  const snapshot = await it.ariaSnapshot()
  return /"(.*?)"/.exec(snapshot)?.[1] ?? ''
}
