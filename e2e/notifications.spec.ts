// Notifications of another person's actions: the badge, grouping in the list, and their targets.
import type { Locator, Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { akari, creator, kami, type Person, signIn, yuu } from './rig/people/people.ts'
import { publishTexts, postsWithText } from './rig/posting/posts.ts'
import { sessionFor } from './rig/people/sessions.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

async function callerOf(url: string, who: Person) {
  const { token, user } = await sessionFor(url, who)
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  }
  return { ...user, call }
}

/** Resolves when the page has joined the channel of its person. */
const subscribed = (page: Page) =>
  page
    .waitForEvent('websocket')
    .then((it) =>
      it.waitForEvent('framereceived', ({ payload }) => String(payload).includes('subscription_succeeded')),
    )

/** A mention opens the post, and a notice of the operator opens its page. */
async function opensMentionAndNotice(page: Page, rows: Locator, by: string): Promise<void> {
  await rows
    .filter({ hasText: '未読' })
    .getByRole('link', { name: `${by}さんがあなたをメンションしました` })
    .click()
  await expect(page).toHaveURL(/\/post\//)
  await expect(page.getByRole('article').getByText('さんの海を見に行きました。')).toBeVisible()
  await page.goBack()

  await rows.filter({ hasText: 'とどけからのお知らせ' }).getByRole('link').click()
  await expect(page).toHaveURL(/\/notify\/detail\//)
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
}

test('a like, a comment, a reply and a follow are listed; a press opens the reply, and all become read', async ({
  server,
  network,
  phone: { page },
}) => {
  const [author, fan, other] = [
    await callerOf(server.url, creator),
    await callerOf(server.url, kami),
    await callerOf(server.url, yuu),
  ]
  await publishTexts(server.url, creator, '通知の物語の投稿です。')
  const [post] = await postsWithText(server.url, '通知の物語の投稿です。')
  if (!post) throw new Error('the post is not there')
  await author.call('POST', '/notifications/read', {})
  await other.call('DELETE', `/follows/${author.id}`)

  const live = subscribed(page)
  await signIn(page, network.url, creator)
  const bell = page.getByRole('link', { name: '通知', exact: true })
  await expect(bell).toBeVisible()
  await expect(page).toHaveTitle('ホーム | とどけ')
  await live

  for (const who of [fan, other]) await who.call('PUT', `/posts/${post.id}/like`)
  const [comment, reply] = [newId(), newId()]
  await fan.call('POST', `/posts/${post.id}/comments`, { id: comment, content: '海がきれいですね。' })
  const below = { parent_id: comment, content: 'ほんとうに、きれいです。' }
  await other.call('POST', `/posts/${post.id}/comments`, { id: reply, ...below })
  await other.call('PUT', `/follows/${author.id}`)

  // The badge is updated live, without a press on the page.
  await expect(page.getByRole('link', { name: '未読4件 通知' })).toBeVisible()
  await expect(page).toHaveTitle('(4) ホーム | とどけ')
  await page.getByRole('link', { name: '未読4件 通知' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '通知' })).toBeVisible()
  const rows = page.getByRole('list', { name: '通知' }).getByRole('listitem')
  await expect(rows.filter({ hasText: '未読' })).toHaveCount(4)
  await expect(rows.first()).toContainText(`${other.name}さんにフォローされました`)
  await expect(
    rows.filter({ hasText: `${other.name}さんとほか1人があなたの投稿に「いいね」しました` }),
  ).toContainText('通知の物語の投稿です。')
  await expectNoViolationsInEachLook(page)
  // One more person joins a notification while the list is shown.
  const third = await callerOf(server.url, akari)
  await third.call('PUT', `/posts/${post.id}/like`)
  await expect(
    rows.filter({ hasText: `${third.name}さんとほか2人があなたの投稿に「いいね」しました` }),
  ).toContainText('未読')

  await rows
    .filter({ hasText: 'ほんとうに、きれいです。' })
    .getByRole('link', { name: `${other.name}さんがあなたの投稿にコメントしました` })
    .click()
  await expect(page).toHaveURL(`${network.url}/post/${post.id}?uidc=${comment}&uidr=${reply}`)
  const marked = page.locator(`#comment-${reply}`)
  await expect(marked).toHaveAttribute('aria-current', 'true')
  await expect(marked).toBeInViewport()
  await expect(marked).toBeFocused()

  await page.goBack()
  await expect(rows.filter({ hasText: '未読' })).toHaveCount(3)
  await expect(page).toHaveTitle('(3) 通知 | とどけ')
  // An undone like is retracted, and missing when the list is read again.
  await other.call('DELETE', `/follows/${author.id}`)
  await page.getByRole('link', { name: 'ホーム' }).click()
  await page.getByRole('link', { name: /通知$/ }).click()
  await expect(rows.filter({ hasText: 'フォローされました' }).filter({ hasText: '未読' })).toHaveCount(0)
  await expect(rows.filter({ hasText: '未読' })).toHaveCount(2)

  await page.getByRole('button', { name: 'すべて既読にする' }).click()
  await expect(page.getByText('すべて既読にしました。')).toBeVisible()
  await expect(rows.filter({ hasText: '未読' })).toHaveCount(0)
  await expect(page).toHaveTitle('通知 | とどけ')
  await expect(page.getByRole('button', { name: 'すべて既読にする' })).toHaveCount(0)

  await publishTexts(server.url, kami, '@shiomi_haru さんの海を見に行きました。')
  await opensMentionAndNotice(page, rows, fan.name)
  await expectNoViolationsInEachLook(page)
})
