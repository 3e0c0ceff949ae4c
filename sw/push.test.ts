// A push is always shown, with content only for its recipient, and opens its page.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PUSH_TAG, type PushData, type PushPayload } from '#contract/notifications/push-payload.ts'
import type { Session } from '#device/database/schema.ts'
import { showPush, type PushPorts } from './push.ts'
import { fakeDesktop, type Window } from './testing/fake-desktop.ts'

const me = newId()
const session: Session = {
  token: 't',
  user: { id: me, email: 'a@b.example', name: '私', avatar_url: null, role: 'member' },
}
const [post, comment, reply, them] = [newId(), newId(), newId(), newId()]

const data = (settingCd: string, more: Partial<PushData> = {}): PushData => ({
  setting_cd: settingCd,
  idol_id: them,
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

async function pushed(
  text: unknown,
  given: { windows?: readonly Window[]; who?: () => Promise<Session | undefined> } = {},
) {
  const { desktop, shown, said } = fakeDesktop(given.windows ?? [])
  const ports = {
    desktop,
    session: given.who ?? (async () => session),
    badge: async (unread: number) => void said.push(`badge ${unread}`),
    warm: async (it: PushData) => {
      said.push(`warmed ${it.setting_cd}`)
      return undefined
    },
    now: Date.now,
  }
  await showPush(ports, typeof text === 'string' || text === undefined ? text : JSON.stringify(text))
  return { shown, said }
}
const neutral = { title: 'お知らせがあります', body: '', data: { path: '/notify' } }

test('a comment is shown with its words, can be answered and read, and leads to the comment', async () => {
  const it = data('comment', { target_sub_1_id: comment })
  const { shown, said } = await pushed(payload(it))
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
  expect(said).toEqual([`shown ${shown[0]?.title}`, 'badge 4', 'warmed comment'])
})

test.each([
  ['message', {}, `/chat-messages/${them}`],
  ['like_post', {}, `/post/${post}`],
  ['like_post', { post_deleted: true }, `/profile/${them}`],
  ['like_comment', { target_sub_1_id: comment }, `/post/${post}?uidc=${comment}`],
  [
    'reply_comment',
    { target_sub_1_id: reply, target_sub_2_id: comment },
    `/post/${post}?uidc=${comment}&uidr=${reply}`,
  ],
  ['follow', { to_user_id: me }, `/profile/follow?uid=${me}&list=followers`],
  ['plan', {}, '/plan'],
  ['of_a_later_version', {}, '/notify'],
])('%s %o leads to %s', async (code, more, path) => {
  const { shown } = await pushed(payload(data(code, more)))
  expect(shown[0]?.data).toMatchObject({ path })
})

test('likes make no sound again, and what was deleted cannot be answered', async () => {
  const liked = await pushed(payload(data('like_post')))
  expect(liked.shown[0]).toMatchObject({ renotify: false, actions: [{ action: 'read' }] })
  const gone = await pushed(payload(data('comment', { target_sub_1_id: comment, post_deleted: true })))
  expect(gone.shown[0]?.actions?.map((it) => it.action)).toEqual(['read'])
})

test.each([
  ['a reply', { target_sub_1_id: reply, target_sub_2_id: comment }, `?uidc=${comment}&uidr=${reply}`, true],
  ['a comment', { target_sub_1_id: comment }, `?uidc=${comment}`, true],
  ['a comment on a post that is gone', { target_sub_1_id: comment, post_deleted: true }, undefined, false],
  ['the post itself', {}, '', false],
])('whoever is named in %s is led there, and answers what somebody said below a post', async (...row) => {
  const [, more, query, answered] = row
  const { shown } = await pushed(payload(data('mention', more)))
  const path = query === undefined ? `/profile/${them}` : `/post/${post}${query}`
  expect(shown[0]?.data).toMatchObject({ path })
  expect(shown[0]?.actions?.map((it) => it.action)).toEqual(answered ? ['reply', 'read'] : ['read'])
})

test.each([
  ['no data', undefined],
  ['no JSON', 'こんにちは'],
  ['another shape', { notification: { title: 'だれかの見出し' } }],
  ['an id that is none', payload(data('comment', { idol_id: '../../x' }))],
])('a push with %s is shown without content, and leads to the list', async (_, text) => {
  const { shown, said } = await pushed(text)
  expect(shown).toMatchObject([neutral])
  expect(said).toEqual(['shown お知らせがあります'])
})

test.each([
  ['somebody else is signed in', async () => ({ ...session, user: { ...session.user, id: them } })],
  ['nobody is signed in', async () => undefined],
  ['the device cannot say who is', () => Promise.reject(new Error('no database'))],
  ['the device does not answer', () => new Promise<undefined>(() => undefined)],
])('while %s nothing of it is said, fetched or counted', async (_, who) => {
  const { shown, said } = await pushed(payload(data('comment')), { who })
  expect(shown).toMatchObject([neutral])
  expect(said).toEqual(['shown お知らせがあります'])
})

test('about the page that is being looked at it is shown without a sound, and taken away', async () => {
  const windows: Window[] = [{ visibilityState: 'visible', path: `/post/${post}` }]
  const { shown, said } = await pushed(payload(data('post')), { windows })
  expect([shown, said[1]]).toEqual([[], 'shown 花子さんがあなたの投稿にコメントしました'])
})

test('a later push of the same line takes the place of the earlier one', async () => {
  const { desktop, shown } = fakeDesktop([])
  const warm = async () => undefined
  const ports = { desktop, session: async () => session, badge: async () => {}, warm, now: Date.now }
  for (let n = 0; n < 2; n++) await showPush(ports, JSON.stringify(payload(data('like_post'))))
  expect(shown).toHaveLength(1)
})

/** Pushes on one desktop, each later than the one before. */
function inTurn() {
  const { desktop, shown } = fakeDesktop([])
  let time = 0
  const ports = { desktop, session: async () => session, badge: async () => {}, now: () => ++time }
  const show = (tag: string, warm: PushPorts['warm']) =>
    showPush({ ...ports, warm }, JSON.stringify(payload(data('comment'), PUSH_TAG + tag)))
  return { show, stands: () => shown.map((it) => it.tag.replace(PUSH_TAG, '')) }
}
const allRead = { notifications: [], next: null, unread: 0 }

test('what was read meanwhile on another device is taken away by the next push', async () => {
  const { show, stands } = inTurn()
  await show('1', async () => undefined)
  await show('2', async () => allRead)
  expect(stands()).toEqual(['2'])
})

test('a push that arrives while an earlier one still asks for the list stays: the list does not know it', async () => {
  const { show, stands } = inTurn()
  const list = Promise.withResolvers<typeof allRead>()
  const earlier = show('1', () => list.promise)
  await show('2', async () => undefined)
  list.resolve(allRead)
  await earlier
  expect(stands()).toEqual(['1', '2'])
})

test('a test says that it is one, and leads to the settings', async () => {
  const { shown, said } = await pushed(payload({ setting_cd: 'test', user_id: me }, 'test'))
  expect(shown).toMatchObject([{ tag: 'test', data: { path: '/settings/notification' } }])
  expect(said).toHaveLength(1)
})
