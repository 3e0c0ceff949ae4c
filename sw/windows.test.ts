// Tests notices on the desktop: shown only without a visible window, and opening their page.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MESSAGE_TAG, PUSH_TAG } from '#contract/notifications/push-payload.ts'
import { fakeDesktop, type Window } from './testing/fake-desktop.ts'
import { showDeliveryNotice, clearNotices, isSeen, type NoticePorts, openNotice } from './windows.ts'

const hidden: Window = { visibilityState: 'hidden', path: '/' }
const visible: Window = { visibilityState: 'visible', path: '/' }

const published = { is: 'published', jobId: 'j', title: '朝の海', postId: 'p1' } as const

test('a post that is published while the app is hidden has a notice that opens the post', async () => {
  const { desktop, shown } = fakeDesktop([hidden])
  await showDeliveryNotice(desktop, published)
  expect(shown).toMatchObject([
    {
      title: '投稿が完了しました',
      body: '「朝の海」を公開しました。',
      tag: 'delivery-j',
      data: { path: '/post/p1' },
    },
  ])
})

test('a visible app needs no notice, and an older one about the same post closes', async () => {
  const withoutWindow = fakeDesktop([])
  await showDeliveryNotice(withoutWindow.desktop, { is: 'failed', jobId: 'j', title: '' })
  expect(withoutWindow.shown).toHaveLength(1)
  const visibleApp = fakeDesktop([hidden, visible])
  visibleApp.shown.push(
    ...withoutWindow.shown.map((it) => ({ ...it, close: () => void visibleApp.shown.pop() })),
  )
  await showDeliveryNotice(visibleApp.desktop, published)
  expect(visibleApp.shown).toEqual([])
})

test('the notice of a failure is replaced by that of the later success of the same post', async () => {
  const { desktop, shown } = fakeDesktop([])
  await showDeliveryNotice(desktop, { is: 'failed', jobId: 'j', title: '朝の海' })
  await showDeliveryNotice(desktop, published)
  expect(shown.map((it) => it.title)).toEqual(['投稿が完了しました'])
})

test('without permission no notice is shown', async () => {
  const { desktop, shown } = fakeDesktop([], 'default')
  await showDeliveryNotice(desktop, published)
  expect(shown).toEqual([])
})

test('the notice about a sign-out names neither the person nor the post', async () => {
  const { desktop, shown } = fakeDesktop([])
  await showDeliveryNotice(desktop, { is: 'signedOut', jobId: 'j' })
  expect(shown[0]).toMatchObject({ title: 'ログインが必要です', data: { path: '/login' } })
})

const pressed = (data: unknown) => ({ data, close: () => undefined })
const refuse = () => Promise.reject(new Error('this call is not expected'))
const unexpected = { read: refuse, answer: refuse }

test('a press shows the page in an open window, or else in a new one', async () => {
  const open = fakeDesktop([hidden])
  await openNotice(open.desktop, pressed({ path: '/post/p1' }), { action: '' }, unexpected)
  expect(open.log).toEqual(['focused', 'go /post/p1'])
  const closed = fakeDesktop([])
  await openNotice(closed.desktop, pressed({ path: '/post/p1' }), { action: '' }, unexpected)
  expect(closed.log).toEqual(['opened /post/p1'])
})

test('of several windows the visible one shows the page', async () => {
  const { desktop, log } = fakeDesktop([{ ...hidden, blocksNavigation: true }, visible])
  await openNotice(desktop, pressed({ path: '/post/p1' }), { action: '' }, unexpected)
  expect(log).toEqual(['focused', 'go /post/p1'])
})

test('a window whose app does not answer is navigated; without permission for that, a new one opens', async () => {
  const silent = fakeDesktop([{ visibilityState: 'hidden' }])
  await openNotice(silent.desktop, pressed({ path: '/plan' }), { action: '' }, unexpected)
  expect(silent.log).toEqual(['focused', 'go /plan', 'navigated to /plan'])
  const blocked = fakeDesktop([{ visibilityState: 'hidden', blocksNavigation: true }])
  await openNotice(blocked.desktop, pressed({ path: '/plan' }), { action: '' }, unexpected)
  expect(blocked.log).toEqual(['focused', 'go /plan', 'navigated to /plan', 'opened /plan'])
})

test('返信 opens the page with the caret in the reply field', async () => {
  const { desktop, log } = fakeDesktop([])
  await openNotice(desktop, pressed({ path: '/post/p1?uidc=c1' }), { action: 'reply' }, unexpected)
  await openNotice(desktop, pressed({ path: '/post/p1' }), { action: 'reply' }, unexpected)
  expect(log).toEqual(['opened /post/p1?uidc=c1&reply=1', 'opened /post/p1?reply=1'])
})

test('既読にする marks the notification as read and opens no page', async () => {
  const { desktop, log } = fakeDesktop([hidden])
  const read: unknown[] = []
  const data = { path: '/plan', notification_id: newId(), user_id: newId() }
  await openNotice(
    desktop,
    pressed(data),
    { action: 'read' },
    { ...unexpected, read: async (it) => void read.push(it) },
  )
  expect([read, log]).toEqual([[data], []])
})

test('opening a notice marks its notification as read', async () => {
  const { desktop, log } = fakeDesktop([])
  const read: unknown[] = []
  const data = { path: '/plan', notification_id: newId(), user_id: newId() }
  await openNotice(
    desktop,
    pressed(data),
    { action: '' },
    { ...unexpected, read: async (it) => void read.push(it) },
  )
  expect([read, log]).toEqual([[data], ['opened /plan']])
})

const conversation = { user_id: newId(), name: '花子', seq: 3 }
const ofConversation = { path: `/chat-messages/${conversation.user_id}`, user_id: newId(), conversation }

test('a typed reply is sent and marks the conversation as read, and opens no page', async () => {
  const { desktop, log } = fakeDesktop([visible])
  const calls: unknown[] = []
  const ports: NoticePorts = {
    answer: async (data, text) => calls.push(['answer', data, text]) > 0,
    read: async (data) => void calls.push(['read', data]),
  }
  await openNotice(desktop, pressed(ofConversation), { action: 'reply', reply: 'はい' }, ports)
  expect([calls, log]).toEqual([
    [
      ['answer', ofConversation, 'はい'],
      ['read', ofConversation],
    ],
    [],
  ])
})

test.each([
  ['a browser without a field', undefined],
  ['an empty field', ''],
  ['no field', null],
])('with %s 返信 opens the conversation with the caret in its field', async (_, reply) => {
  const { desktop, log } = fakeDesktop([])
  const press = { action: 'reply', ...(reply !== undefined && { reply }) }
  await openNotice(desktop, pressed(ofConversation), press, unexpected)
  expect(log).toEqual([`opened ${ofConversation.path}?reply=1`])
})

test('a reply that cannot be sent opens the conversation', async () => {
  const { desktop, log } = fakeDesktop([])
  const ports = { ...unexpected, answer: async () => false }
  await openNotice(desktop, pressed(ofConversation), { action: 'reply', reply: 'はい' }, ports)
  expect(log).toEqual([`opened ${ofConversation.path}?reply=1`])
})

test('opening the notice of a conversation leaves the marking to its page', async () => {
  const { desktop, log } = fakeDesktop([])
  await openNotice(desktop, pressed(ofConversation), { action: '' }, unexpected)
  expect(log).toEqual([`opened ${ofConversation.path}`])
})

test.each([{ path: 'https://example.com/' }, { path: '//example.com' }, { path: '/\\example.com' }, null])(
  'a notice without a path of the app opens the home page: %o',
  async (data) => {
    const { desktop, log } = fakeDesktop([])
    await openNotice(desktop, pressed(data), { action: '' }, unexpected)
    expect(log).toEqual(['opened /'])
  },
)

test('a page counts as seen when a visible window shows it', async () => {
  const shows = (visibilityState: DocumentVisibilityState, path?: string) =>
    isSeen(fakeDesktop([{ visibilityState, ...(path === undefined ? {} : { path }) }]).desktop, '/post/p1')
  expect(await shows('visible', '/post/p1')).toBe(true)
  expect(await shows('hidden', '/post/p1')).toBe(false)
  expect(await shows('visible', '/')).toBe(false)
  // The app in the window is an older build, or is still loading.
  expect(await shows('visible')).toBe(false)
})

test('at a sign-in all earlier notices close', async () => {
  const { desktop, shown } = fakeDesktop([])
  await showDeliveryNotice(desktop, published)
  await desktop.registration.showNotification('花子さんにフォローされました', { tag: `${PUSH_TAG}1` })
  await clearNotices(desktop, true)
  expect(shown).toEqual([])
})

test('at a sign-out the notices of conversations close', async () => {
  const { desktop, shown } = fakeDesktop([])
  await desktop.registration.showNotification('花子', { tag: MESSAGE_TAG + newId() })
  await clearNotices(desktop, false)
  expect(shown).toEqual([])
})

test('at a sign-out the notices of notifications close, and the one about a waiting post stays', async () => {
  const { desktop, shown } = fakeDesktop([])
  await showDeliveryNotice(desktop, { is: 'signedOut', jobId: 'j' })
  await desktop.registration.showNotification('花子さんにフォローされました', { tag: `${PUSH_TAG}1` })
  await clearNotices(desktop, false)
  expect(shown.map((it) => it.title)).toEqual(['ログインが必要です'])
})
