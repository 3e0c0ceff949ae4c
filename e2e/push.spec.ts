// Pushes: sent by the server, shown by the worker, pressed on a desktop.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { Desktop, isDesktopInstalled } from './rig/browsers/desktop.ts'
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { akari, creator, fan, sessionOf } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import type { Server } from './rig/network/server.ts'
import { releasedPosts } from './rig/posting/posts.ts'
import { deliverPush, PushService, subscribeTo } from './rig/people/push.ts'
import { expect, test } from './rig/story.ts'
import { readyPhone, windows } from './rig/people/push-phone.ts'

let desktop: Desktop
let service: PushService
test.skip(!isDesktopInstalled(), 'dbus-daemon and gjs are not installed')
test.use({ ownServer: true, ownPhone: true })
test.beforeAll(async () => {
  service = await PushService.start()
  desktop = await Desktop.start()
})
test.afterAll(() => {
  desktop.stop()
  service.stop()
})

/** The fan's calls of the API. */
async function fanApi(url: string) {
  const { token } = await sessionOf(url, fan)
  const api = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return (await fetch(`${url}/api${path}`, init)).json()
  }
  /** Comments on a post. @param below the comment that is replied to @returns the comment's id */
  const comment = async (content: string, postId: string, below: object = {}): Promise<string> => {
    const id = newId()
    await api(`/posts/${postId}/comments`, { id, content, ...below })
    return id
  }
  return { api, comment }
}

/** The number of the creator's unread notifications. */
async function unreadOf(url: string): Promise<number> {
  const { token } = await sessionOf(url, creator)
  const answer = await fetch(`${url}/api/notifications/unread`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { unread: number }).unread
}

/** The creator's phone without a page of the app, and a fan who causes pushes. */
interface Receiving {
  readonly server: Server
  readonly url: string
  readonly phone: Phone
  /** A page that shows nothing of the app. */
  readonly other: Page
  readonly deliver: (text: string) => Promise<void>
  readonly writer: Awaited<ReturnType<typeof fanApi>>
  readonly postId: string
}

/** Subscribes, receives the test push, and closes the app before the first comment. */
async function closedApp(server: Server, url: string, phone: Phone): Promise<Receiving> {
  const [device] = service.devices
  if (!device) throw new Error('no device')
  await subscribeTo(phone.page, device)
  const page = await readyPhone(phone, url)
  await page.getByRole('button', { name: '通知を受け取る' }).click()
  await expect(page.getByText('この端末で通知を受け取ります。')).toBeVisible()
  const deliver = await deliverPush(phone, page, url)

  await page.getByRole('button', { name: 'テスト通知を送る' }).click()
  await deliver(await service.next(0))
  // Settled: what the desktop was told does not change.
  expect(await desktop.next(0)).toMatchObject({ title: '通知のテスト' })

  const [post] = await releasedPosts(server.url)
  if (!post) throw new Error('no post')
  const writer = await fanApi(server.url)
  const other = await phone.context.newPage()
  const late = await deliverPush(phone, other, url)
  return { server, url, phone, other, deliver: late, writer, postId: post.id }
}

/** 返信 on a comment's notification opens the post with its reply field. @returns the unread count */
async function repliesToComment(it: Receiving): Promise<number> {
  const { server, url, phone, deliver, writer, postId } = it
  const id = await writer.comment('とてもきれいです', postId)
  const text = await service.next(1)
  await closePage(phone.page, nothingWritten)
  await deliver(text)
  const shown = await desktop.next(1)
  expect(shown).toMatchObject({
    title: expect.stringMatching(/さんがあなたの投稿にコメントしました$/),
    body: expect.stringContaining('とてもきれいです'),
  })
  const before = await unreadOf(server.url)
  const opened = phone.context.waitForEvent('page')
  desktop.press(shown, '返信')
  const page = await opened
  await expect(page).toHaveURL(`${url}/post/${postId}?uidc=${id}&reply=1`)
  await expect(page.getByRole('textbox', { name: /に返信/ })).toBeFocused()
  expect(windows(phone, url)).toHaveLength(1)
  // Opening the post marks the notification as read.
  await expect.poll(() => unreadOf(server.url)).toBe(before - 1)
  await closePage(page, nothingWritten)
  return before - 1
}

/** 返信 on a mention in a reply adds a reply below the same comment. */
async function repliesToMention({ url, phone, deliver, server, writer }: Receiving): Promise<void> {
  const { user } = await sessionOf(server.url, akari)
  const otherPost = (await writer.api(`/posts?author=${user.id}`)).posts[0].id
  const thread = await writer.comment('どなたの写真ですか', otherPost)
  const mention = await writer.comment('@shiomi_haru さんの海に似ています', otherPost, { parent_id: thread })
  await deliver(await service.next(2))
  const opened = phone.context.waitForEvent('page')
  desktop.press(await desktop.next(2), '返信')
  const page = await opened
  await expect(page).toHaveURL(`${url}/post/${otherPost}?uidc=${thread}&uidr=${mention}&reply=1`)
  const box = page.getByRole('textbox', { name: /に返信/ })
  await expect(box).toBeFocused()
  await box.fill('わたしの海です')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect
    .poll(async () => (await writer.api(`/comments/${thread}/replies`)).comments.at(-1)?.body)
    .toMatchObject({ content: 'わたしの海です' })
  await closePage(page, nothingWritten)
}

/** 既読にする opens no window; reading in the app's list closes the desktop notification. */
async function marksAsRead(it: Receiving, unread: number): Promise<void> {
  const { server, url, phone, other, deliver, writer, postId } = it
  await writer.comment('もうひとつ', postId)
  await deliver(await service.next(3))
  desktop.press(await desktop.next(3), '既読にする')
  await expect.poll(() => unreadOf(server.url)).toBe(unread)
  await writer.comment('さいごに', postId)
  await deliver(await service.next(4))
  const last = await desktop.next(4)
  expect(windows(phone, url)).toEqual([])
  await other.goto(`${url}/notify`)
  const readAll = other.getByRole('button', { name: 'すべて既読にする' })
  await expect(readAll).toBeVisible()
  expect(desktop.closed).not.toContain(last.id)
  await readAll.click()
  await expect.poll(() => desktop.closed).toContain(last.id)
}

/** Signing out closes all desktop notifications. */
async function signsOut({ other, deliver, writer, postId }: Receiving): Promise<void> {
  await writer.comment('またあした', postId)
  await deliver(await service.next(5))
  const remaining = await desktop.next(5)
  await other.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await other.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect.poll(() => desktop.closed).toContain(remaining.id)
}

test('a comment notifies the closed app, 返信 opens its reply field, and read notifications are closed', async ({
  server,
  network,
  phone,
}) => {
  const it = await closedApp(server, network.url, phone)
  const unread = await test.step('返信 on a comment', () => repliesToComment(it))
  await test.step('返信 on a mention', () => repliesToMention(it))
  await test.step('reading on the desktop and in the app', () => marksAsRead(it, unread))
  await test.step('signing out', () => signsOut(it))
  await phone.stop()
})
