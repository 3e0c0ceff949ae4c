// Tests how pushes are shown: always, with content only for the recipient.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import {
  MESSAGE_TAG,
  type MessageData,
  PUSH_TAG,
  type PushData,
  type PushPayload,
} from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { showPush, type PushPorts } from './push.ts'
import { fakeDesktop, type Window } from './testing/fake-desktop.ts'

const me = newId()
const session: Session = {
  token: 't',
  user: { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' },
}
const [post, comment, reply, author] = [newId(), newId(), newId(), newId()]

const data = (settingCd: string, more: Partial<PushData> = {}): PushData => ({
  setting_cd: settingCd,
  idol_id: author,
  target_id: post,
  target_sub_1_id: null,
  target_sub_2_id: null,
  to_user_id: null,
  post_deleted: false,
  notification_id: newId(),
  user_id: me,
  ...more,
})
const payload = (it: PushPayload['notification']['data'], tag = 'notification-1'): PushPayload => ({
  web_push: 8030,
  mutable: true,
  notification: {
    title: '花子さんがあなたの投稿にコメントしました',
    body: 'きれいです',
    lang: 'ja',
    dir: 'ltr',
    tag,
    navigate: 'https://todoke.example/x',
    data: it,
  },
  app_badge: 4,
})

async function push(
  text: unknown,
  options: { windows?: readonly Window[]; signedIn?: () => Promise<Session | undefined> } = {},
) {
  const { desktop, shown, log } = fakeDesktop([...(options.windows ?? [])])
  const ports = {
    desktop,
    session: options.signedIn ?? (async () => session),
    badge: async (unread: number) => void log.push(`badge ${unread}`),
    prefetch: async (it: PushData) => {
      log.push(`prefetched ${it.setting_cd}`)
      return undefined
    },
    prefetchConversation: async (userId: string) => void log.push(`prefetched messages with ${userId}`),
    closeConversations: async () => void log.push('closed conversations'),
    now: Date.now,
  }
  await showPush(ports, typeof text === 'string' || text === undefined ? text : JSON.stringify(text))
  return { shown, log }
}
const neutral = { title: 'お知らせがあります', body: '', data: { path: '/notify' } }

test('a comment is shown with its text, has buttons to reply and to mark it as read, and opens the comment', async () => {
  const it = data('comment', { target_sub_1_id: comment })
  const { shown, log } = await push(payload(it))
  expect(shown).toMatchObject([
    {
      title: '花子さんがあなたの投稿にコメントしました',
      body: 'きれいです',
      tag: 'notification-1',
      lang: 'ja',
      silent: false,
      renotify: true,
      actions: [
        { action: 'reply', title: '返信' },
        { action: 'read', title: '既読にする' },
      ],
      data: { path: `/post/${post}?uidc=${comment}`, notification_id: it.notification_id, user_id: me },
    },
  ])
  expect(log).toEqual([`shown ${shown[0]?.title}`, 'badge 4', 'prefetched comment', 'closed conversations'])
})

test.each([
  ['message', {}, `/chat-messages/${author}`],
  ['like_post', {}, `/post/${post}`],
  ['like_post', { post_deleted: true }, `/profile/${author}`],
  ['like_comment', { target_sub_1_id: comment }, `/post/${post}?uidc=${comment}`],
  [
    'reply_comment',
    { target_sub_1_id: reply, target_sub_2_id: comment },
    `/post/${post}?uidc=${comment}&uidr=${reply}`,
  ],
  ['follow', { to_user_id: me }, `/profile/follow?uid=${me}&list=followers`],
  ['plan', {}, '/plan'],
  ['of_a_later_version', {}, '/notify'],
])('%s %o opens %s', async (code, more, path) => {
  const { shown } = await push(payload(data(code, more)))
  expect(shown[0]?.data).toMatchObject({ path })
})

const { notification_id: _none, ...entity } = data('message')
const message = (more: Partial<MessageData> = {}): MessageData => ({
  ...entity,
  setting_cd: 'message',
  idol_id: author,
  name: '花子',
  seq: 12,
  ...more,
})

test('a message has a field for a reply and a button to mark it as read, and no list is fetched', async () => {
  const { shown, log } = await push(payload(message(), `${MESSAGE_TAG}${author}`))
  expect(shown).toMatchObject([
    {
      tag: `message-${author}`,
      silent: false,
      renotify: true,
      actions: [
        { action: 'read', title: '既読にする' },
        { action: 'reply', title: '返信', type: 'text' },
      ],
      data: {
        path: `/chat-messages/${author}`,
        user_id: me,
        conversation: { user_id: author, name: '花子', seq: 12 },
      },
    },
  ])
  expect(shown[0]?.data).not.toHaveProperty('notification_id')
  expect(log).toEqual([
    `shown ${shown[0]?.title}`,
    'badge 4',
    `prefetched messages with ${author}`,
    'closed conversations',
  ])
})

test('a later message of a conversation replaces its notice, and that of another one stays', async () => {
  const { show, shownTags } = pushesOnOneDesktop()
  for (const from of [author, post, author])
    await show(from, async () => undefined, payload(message({ idol_id: from }), MESSAGE_TAG + from))
  expect(shownTags()).toEqual([MESSAGE_TAG + post, MESSAGE_TAG + author])
})

test('a message of the conversation that the person sees is shown without sound, and then closed', async () => {
  const windows: Window[] = [{ visibilityState: 'visible', path: `/chat-messages/${author}` }]
  const { shown, log } = await push(payload(message()), { windows })
  expect([shown, log[1]]).toEqual([[], 'shown 花子さんがあなたの投稿にコメントしました'])
})

test('a message to another person than the one who is signed in is shown without sender and text', async () => {
  const { shown } = await push(payload(message({ user_id: newId() })))
  expect(shown).toMatchObject([neutral])
})

test('a later like makes no sound, and a deleted post has no button to reply', async () => {
  const liked = await push(payload(data('like_post')))
  expect(liked.shown[0]).toMatchObject({ renotify: false, actions: [{ action: 'read' }] })
  const deleted = await push(payload(data('comment', { target_sub_1_id: comment, post_deleted: true })))
  expect(deleted.shown[0]?.actions?.map((it) => it.action)).toEqual(['read'])
})

test.each([
  ['a reply', { target_sub_1_id: reply, target_sub_2_id: comment }, `?uidc=${comment}&uidr=${reply}`, true],
  ['a comment', { target_sub_1_id: comment }, `?uidc=${comment}`, true],
  ['a comment on a deleted post', { target_sub_1_id: comment, post_deleted: true }, undefined, false],
  ['the post itself', {}, '', false],
])('a mention in %s opens it, and has a button to reply if it is in a comment', async (...row) => {
  const [, more, query, answered] = row
  const { shown } = await push(payload(data('mention', more)))
  const path = query === undefined ? `/profile/${author}` : `/post/${post}${query}`
  expect(shown[0]?.data).toMatchObject({ path })
  expect(shown[0]?.actions?.map((it) => it.action)).toEqual(answered ? ['reply', 'read'] : ['read'])
})

test.each([
  ['no data', undefined],
  ['no JSON', 'こんにちは'],
  ['another shape', { notification: { title: 'だれかの見出し' } }],
  ['an invalid id', payload(data('comment', { idol_id: '../../x' }))],
])('a push with %s is shown without content, and opens the list', async (_, text) => {
  const { shown, log } = await push(text)
  expect(shown).toMatchObject([neutral])
  expect(log).toEqual(['shown お知らせがあります'])
})

test.each([
  ['another person is signed in', async () => ({ ...session, user: { ...session.user, id: author } })],
  ['no person is signed in', async () => undefined],
  ['the device cannot read the session', () => Promise.reject(new Error('no database'))],
  ['the device does not answer', () => new Promise<undefined>(() => undefined)],
])(
  'while %s the push is shown without content, without a prefetch and without a count',
  async (_, signedIn) => {
    const { shown, log } = await push(payload(data('comment')), { signedIn })
    expect(shown).toMatchObject([neutral])
    expect(log).toEqual(['shown お知らせがあります'])
  },
)

test('a push about the page that the person sees is shown, and then closed', async () => {
  const windows: Window[] = [{ visibilityState: 'visible', path: `/post/${post}` }]
  const { shown, log } = await push(payload(data('post')), { windows })
  expect([shown, log[1]]).toEqual([[], 'shown 花子さんがあなたの投稿にコメントしました'])
})

test('a later push of the same notification replaces the earlier one', async () => {
  const { desktop, shown } = fakeDesktop([])
  const prefetch = async () => undefined
  const ports = {
    desktop,
    session: async () => session,
    badge: async () => {},
    prefetch,
    prefetchConversation: async () => {},
    closeConversations: async () => {},
    now: Date.now,
  }
  for (let n = 0; n < 2; n++) await showPush(ports, JSON.stringify(payload(data('like_post'))))
  expect(shown).toHaveLength(1)
})

/** Shows pushes on one desktop, each at a later time than the one before. */
function pushesOnOneDesktop() {
  const { desktop, shown } = fakeDesktop([])
  let time = 0
  const closeConversations = async () => {}
  const ports = {
    desktop,
    session: async () => session,
    badge: async () => {},
    prefetchConversation: async () => {},
    closeConversations,
    now: () => ++time,
  }
  const show = (
    tag: string,
    prefetch: PushPorts['prefetch'],
    it = payload(data('comment'), PUSH_TAG + tag),
  ) => showPush({ ...ports, prefetch }, JSON.stringify(it))
  return { show, shownTags: () => shown.map((it) => it.tag.replace(PUSH_TAG, '')) }
}
const allRead = { notifications: [], next: null, unread: 0 }

test('the next push closes the notices of notifications that were read on another device', async () => {
  const { show, shownTags } = pushesOnOneDesktop()
  await show('1', async () => undefined)
  await show('2', async () => allRead)
  expect(shownTags()).toEqual(['2'])
})

test('a push that arrives while an earlier one requests the list stays, since the list may not contain it', async () => {
  const { show, shownTags } = pushesOnOneDesktop()
  const list = Promise.withResolvers<typeof allRead>()
  const earlier = show('1', () => list.promise)
  await show('2', async () => undefined)
  list.resolve(allRead)
  await earlier
  expect(shownTags()).toEqual(['1', '2'])
})

test('a test push is shown as one, and opens the settings', async () => {
  const { shown, log } = await push(payload({ setting_cd: 'test', user_id: me }, 'test'))
  expect(shown).toMatchObject([{ tag: 'test', data: { path: '/settings/notification' } }])
  expect(log).toHaveLength(1)
})
