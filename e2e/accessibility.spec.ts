// Accessibility of pages that `routes.spec.ts` does not open: light and dark, phone and desktop.
import * as v from 'valibot'
import { listNotifications } from '#contract/notifications/notifications.ts'
import { openLoaded } from './rig/browsers/loading.ts'
import { expectNoViolations } from './rig/axe.ts'
import { pressFocused, pressOn, tabAndPress, tabAndType, tabTo } from './rig/browsers/keyboard.ts'
import { creator, fan, type Person, signIn } from './rig/people/people.ts'
import { releasedPosts } from './rig/posting/posts.ts'
import { sessionFor } from './rig/people/sessions.ts'
import { deepUnless } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

/** The demo's notice, as a notification of a person. */
async function noticeTo(url: string, who: Person): Promise<string> {
  const { token } = await sessionFor(url, who)
  const answer = await fetch(`${url}/api/notifications`, { headers: { authorization: `Bearer ${token}` } })
  const { notifications } = v.parse(listNotifications.reply, await answer.json())
  return notifications.find((it) => it.setting_cd === 'notice')?.target_id ?? 'none'
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [undefined, { width: 1280, height: 800 }])
    test(
      `${colorScheme}, ${viewport ? 'desk' : 'phone'}`,
      deepUnless(colorScheme === 'light' && !viewport),
      async ({ server, network, newPhone }) => {
        const { page } = await newPhone({ colorScheme, ...(viewport ? { viewport } : {}) })
        await signIn(page, network.url, fan)
        const [post] = await releasedPosts(server.url)
        if (!post) throw new Error('the demo has no post')
        const notice = await noticeTo(server.url, fan)
        for (const path of [
          '/no/such/page',
          `/post/${post.id}`,
          `/profile/${post.author.id}`,
          `/notify/detail/${notice}`,
          `/notify/detail/${post.id}`,
        ]) {
          await openLoaded(page, network.url + path)
          await expectNoViolations(page, path)
        }
      },
    )

test('a post is written and published by keyboard alone', async ({ network, newPhone }) => {
  const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${network.url}/login`)
  await page.getByRole('main').waitFor()
  await tabAndType(page, /^メールアドレス/, creator.email)
  await tabAndType(page, /^パスワード/, creator.password)
  await pressFocused(page, /^パスワード/, 'Enter')
  await expect(page).toHaveURL(`${network.url}/`)
  await tabAndPress(page, /^投稿$/, 'Enter')
  await expect(page).toHaveURL(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toBeVisible()
  await tabAndType(page, /^本文$/, 'キーボードだけで投稿しました。')
  await tabAndPress(page, /^年齢制限/, 'Space')
  await tabTo(page, /^投稿$/, 'Shift+Tab')
  await pressFocused(page, /^投稿$/, 'Enter')
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
})

test('a menu opens at the first key press and returns the focus when it closes, each time', async ({
  server,
  network,
  newPhone,
}) => {
  const { page } = await newPhone({ viewport: { width: 1280, height: 800 } })
  await signIn(page, network.url, fan)
  const [post] = await releasedPosts(server.url)
  await page.goto(`${network.url}/post/${post?.id}`)
  await tabTo(page, /^投稿のメニュー$/)
  for (const _ of ['loaded then', 'loaded before']) {
    await pressFocused(page, /^投稿のメニュー$/, 'Enter')
    await pressOn(page.getByRole('menuitem').first(), 'ArrowDown')
    await pressOn(page.getByRole('menuitem').nth(1), 'Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(page.getByRole('button', { name: '投稿のメニュー', exact: true })).toBeFocused()
  }
})
