// Pushes from an act to the page they lead to: sent by the server, shown by the worker, pressed on a desktop.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { type PushData, type PushPayload } from '#contract/notifications/push-payload.ts'
import { Desktop, desktopIsThere } from './rig/browsers/desktop.ts'
import { akari, creator, fan, knownAs, sessionOf } from './rig/people/people.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { releasedPosts } from './rig/posting/posts.ts'
import { deliverTo, PushService, subscribesTo } from './rig/people/push.ts'
import { expect, test } from './rig/story.ts'

let desktop: Desktop
let service: PushService
test.skip(!desktopIsThere(), 'dbus-daemon and gjs are not installed')
test.use({ ownServer: true, ownPhone: true })
test.beforeAll(async () => {
  service = await PushService.start()
  desktop = await Desktop.start()
})
test.afterAll(() => {
  desktop.stop()
  service.stop()
})

/** The creator's browser, with pushes allowed and the settings open. */
async function readyPhone(phone: Phone, url: string): Promise<Page> {
  const { page, context } = phone
  await context.grantPermissions(['notifications'])
  await knownAs(page, url, creator)
  await page.goto(`${url}/settings/notification`)
  await expect(page.getByRole('heading', { name: 'この端末への通知' })).toBeVisible()
  await page.evaluate(async () => navigator.serviceWorker.ready)
  return page
}

const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length)
/** The app's windows, by the page they show. */
const windows = ({ context }: Phone, url: string) =>
  context
    .pages()
    .filter((it) => it.url().startsWith(url))
    .map(pathOf)

test('a comment reaches the closed app, 返信 leads to where it is answered, and what is read leaves the desktop', async ({
  server,
  network,
  phone,
}) => {
  const [device] = service.devices
  if (!device) throw new Error('no device')
  await subscribesTo(phone.page, device)
  const page = await readyPhone(phone, network.url)
  await page.getByRole('button', { name: '通知を受け取る' }).click()
  await expect(page.getByText('この端末で通知を受け取ります。')).toBeVisible()
  const deliver = await deliverTo(phone, page, network.url)

  await page.getByRole('button', { name: 'テスト通知を送る' }).click()
  await deliver(await service.next(0))
  expect(await desktop.next(0)).toMatchObject({ title: '通知のテスト' })

  const [post] = await releasedPosts(server.url)
  const { token } = await sessionOf(server.url, fan)
  const api = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return (await fetch(`${server.url}/api${path}`, init)).json()
  }
  const says = async (content: string, postId = post?.id, below: object = {}): Promise<string> => {
    const id = newId()
    await api(`/posts/${postId}/comments`, { id, content, ...below })
    return id
  }
  const id = await says('とてもきれいです')
  const text = await service.next(1)
  // The app's only window is closed.
  const other = await phone.context.newPage()
  const late = await deliverTo(phone, other, network.url)
  await page.close()
  await late(text)
  const shown = await desktop.next(1)
  expect(shown).toMatchObject({
    title: expect.stringMatching(/さんが投稿にコメントしました$/),
    body: expect.stringContaining('とてもきれいです'),
  })
  const unread = async (): Promise<number> => {
    const { token: mine } = await sessionOf(server.url, creator)
    const answer = await fetch(`${server.url}/api/notifications/unread`, {
      headers: { authorization: `Bearer ${mine}` },
    })
    return ((await answer.json()) as { unread: number }).unread
  }
  const before = await unread()
  const opened = phone.context.waitForEvent('page')
  desktop.press(shown, '返信')
  const answering = await opened
  await expect(answering).toHaveURL(`${network.url}/post/${post?.id}?uidc=${id}&reply=1`)
  await expect(answering.getByRole('textbox', { name: /に返信/ })).toBeFocused()
  expect(windows(phone, network.url)).toHaveLength(1)
  // Whoever opened it has read it.
  await expect.poll(unread).toBe(before - 1)

  await answering.close()

  // Named in a reply below somebody else's post: what is written to it stands below the same comment.
  const { user } = await sessionOf(server.url, akari)
  const theirs = (await api(`/posts?author=${user.id}`)).posts[0].id
  const thread = await says('どなたの写真ですか', theirs)
  const named = await says('@shiomi_haru さんの海に似ています', theirs, { parent_id: thread })
  await late(await service.next(2))
  const naming = phone.context.waitForEvent('page')
  desktop.press(await desktop.next(2), '返信')
  const below = await naming
  await expect(below).toHaveURL(`${network.url}/post/${theirs}?uidc=${thread}&uidr=${named}&reply=1`)
  const box = below.getByRole('textbox', { name: /に返信/ })
  await expect(box).toBeFocused()
  await box.fill('わたしの海です')
  await below.getByRole('button', { name: '送信', exact: true }).click()
  await expect
    .poll(async () => (await api(`/comments/${thread}/replies`)).comments.at(-1)?.body)
    .toMatchObject({ content: 'わたしの海です' })
  await below.close()

  // Another comment, read by 既読にする: no window is opened for it. And one that is read in the list of the app.
  await says('もうひとつ')
  await late(await service.next(3))
  desktop.press(await desktop.next(3), '既読にする')
  await expect.poll(unread).toBe(before - 1)
  await says('さいごに')
  await late(await service.next(4))
  const last = await desktop.next(4)
  expect(windows(phone, network.url)).toEqual([])
  await other.goto(`${network.url}/notify`)
  expect(desktop.closed).not.toContain(last.id)
  await other.getByRole('button', { name: 'すべて既読にする' }).click()
  await expect.poll(() => desktop.closed).toContain(last.id)

  // Who signs out leaves nothing on the desktop for whoever takes the device next.
  await says('またあした')
  await late(await service.next(5))
  const left = await desktop.next(5)
  await other.getByRole('banner').locator('button[aria-haspopup=menu]').click()
  await other.getByRole('menuitem', { name: 'ログアウト' }).click()
  await expect.poll(() => desktop.closed).toContain(left.id)
  await phone.stop()
})

const [them, comment, reply] = [newId(), newId(), newId()]

interface Row {
  readonly is: Partial<PushData> & { readonly setting_cd: string }
  /** As the specification has it, with `P` for the post: no word of it is asked of the product's own table. */
  readonly leads: string
}

const gone = { post_deleted: true }
const answer = { target_sub_1_id: reply, target_sub_2_id: comment }
/** Every row of the specification's table, section 2. No two that follow each other lead to the same page. */
const rows: readonly Row[] = [
  { is: { setting_cd: 'message' }, leads: `/chat-messages/${them}` },
  { is: { setting_cd: 'like_post' }, leads: '/post/P' },
  { is: { setting_cd: 'like_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'like_comment', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'like_comment', ...answer }, leads: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'like_comment', ...answer, ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'comment', target_sub_1_id: comment, ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'reply_comment', ...answer }, leads: `/post/P?uidc=${comment}&uidr=${reply}` },
  { is: { setting_cd: 'reply_comment', ...answer, ...gone }, leads: `/profile/${them}` },
  // Not of that table: where the name stands.
  { is: { setting_cd: 'mention', target_sub_1_id: comment }, leads: `/post/P?uidc=${comment}` },
  { is: { setting_cd: 'post' }, leads: '/post/P' },
  { is: { setting_cd: 'post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'buy_post' }, leads: '/post/P' },
  { is: { setting_cd: 'buy_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'plan_post' }, leads: '/post/P' },
  { is: { setting_cd: 'plan_post', ...gone }, leads: `/profile/${them}` },
  { is: { setting_cd: 'follow', to_user_id: them }, leads: `/profile/follow?uid=${them}&list=followers` },
  { is: { setting_cd: 'plan' }, leads: '/plan' },
  { is: { setting_cd: 'of_a_later_version' }, leads: '/notify' },
]

const answerable = new Set(['comment', 'reply_comment', 'mention'])

test('every kind leads to its page in the one window there is: open, hidden or none', async ({
  server,
  network,
  phone,
}) => {
  const page = await readyPhone(phone, network.url)
  const { user } = await sessionOf(server.url, creator)
  const front = await phone.context.newPage()
  const deliver = await deliverTo(phone, front, network.url)
  let count = desktop.shown.length
  /** Delivers one, and gives what the desktop shows. */
  async function pushed(it: Row['is'], post = newId()) {
    const data: PushData = {
      idol_id: them,
      target_id: post,
      target_sub_1_id: null,
      target_sub_2_id: null,
      to_user_id: null,
      post_deleted: false,
      notification_id: newId(),
      user_id: user.id,
      ...it,
    }
    const payload: PushPayload = {
      web_push: 8030,
      mutable: true,
      notification: {
        title: `見出し ${count}`,
        body: '本文',
        lang: 'ja',
        dir: 'ltr',
        tag: `notification-${data.notification_id}`,
        navigate: network.url,
        data,
      },
      app_badge: 1,
    }
    await deliver(JSON.stringify(payload))
    const shown = await desktop.next(count)
    count += 1
    expect(shown.title).toBe(payload.notification.title)
    return shown
  }

  const ours = ['返信', '既読にする']
  const states = {
    open: () => page.bringToFront(),
    hidden: () => front.bringToFront(),
    closed: async () => {
      for (const it of phone.context.pages()) if (it !== front) await it.close()
    },
  }
  for (const [state, enter] of Object.entries(states))
    for (const { is, leads } of rows) {
      const post = newId()
      const path = leads.replace('P', post)
      await enter()
      const shown = await pushed(is, post)
      // The browser adds a button of its own.
      expect(shown.actions.filter((it) => ours.includes(it))).toEqual(
        answerable.has(is.setting_cd) && !is.post_deleted ? ours : ['既読にする'],
      )
      desktop.press(shown)
      await expect
        .poll(() => windows(phone, network.url), {
          message: `${is.setting_cd} while ${state}`,
          intervals: [50],
        })
        .toEqual([path])
    }

  // 既読にする and a dismissal open nothing and lead nowhere.
  const before = windows(phone, network.url)
  expect(before).toHaveLength(1)
  const pressed = newId()
  const read = phone.context.waitForEvent(
    'request',
    (it) => it.url().endsWith('/api/notifications/read') && it.postData()?.includes(pressed) === true,
  )
  desktop.press(await pushed({ setting_cd: 'plan', notification_id: pressed }), '既読にする')
  await read
  desktop.dismiss(await pushed({ setting_cd: 'plan' }))
  await pushed({ setting_cd: 'plan' })
  expect(windows(phone, network.url)).toEqual(before)
  await phone.stop()
})
