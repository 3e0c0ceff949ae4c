// Every page, light and dark, phone and desk: no rule of axe is broken.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
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
  const tabTo = async (name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    for (let n = 0; n < 60; n++) {
      await page.keyboard.press(key)
      if (name.test(await page.evaluate(focusedName))) return
    }
    throw new Error(`no ${key} leads to ${name}`)
  }
  await page.goto(`${network.url}/login`)
  await page.getByRole('main').waitFor()
  await tabTo(/^メールアドレス/)
  await page.keyboard.type(creator.email)
  await tabTo(/^パスワード/)
  await page.keyboard.type(creator.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/`)
  await tabTo(/^投稿$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toBeVisible()
  await tabTo(/^本文$/)
  await page.keyboard.type('キーボードだけで投稿しました。')
  await tabTo(/^年齢制限/)
  await page.keyboard.press('Space')
  await tabTo(/^投稿$/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
})

/** Runs in the page: what the focused control is called. */
function focusedName(): string {
  const it = document.activeElement
  if (!it || it === document.body) return ''
  const labelledBy = it.getAttribute('aria-labelledby')?.split(' ') ?? []
  const named = labelledBy.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  const label = 'labels' in it ? (it as HTMLInputElement).labels?.[0]?.textContent : ''
  return (it.getAttribute('aria-label') || named || label || it.textContent || '').trim()
}
