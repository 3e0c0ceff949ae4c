// Notices outside the app: shown only without a visible window, and opening their page.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PUSH_TAG } from '#contract/notifications/push-payload.ts'
import { fakeDesktop, type Window } from './testing/fake-desktop.ts'
import { announce, clearNotices, isSeen, openNotice } from './windows.ts'

const hidden: Window = { visibilityState: 'hidden', path: '/' }
const visible: Window = { visibilityState: 'visible', path: '/' }

const published = { is: 'published', jobId: 'j', title: '朝の海', postId: 'p1' } as const

test('a post that is published while the app is hidden is said, and leads to the post', async () => {
  const { desktop, shown } = fakeDesktop([hidden])
  await announce(desktop, published)
  expect(shown).toMatchObject([
    {
      title: '投稿が完了しました',
      body: '「朝の海」を公開しました。',
      tag: 'delivery-j',
      data: { path: '/post/p1' },
    },
  ])
})

test('what the person sees in the app is not said outside, and an older notice about it goes', async () => {
  const away = fakeDesktop([])
  await announce(away.desktop, { is: 'failed', jobId: 'j', title: '' })
  expect(away.shown).toHaveLength(1)
  const seen = fakeDesktop([hidden, visible])
  seen.shown.push(...away.shown.map((it) => ({ ...it, close: () => void seen.shown.pop() })))
  await announce(seen.desktop, published)
  expect(seen.shown).toEqual([])
})

test('a failure’s notice gives way to the success of the same post', async () => {
  const { desktop, shown } = fakeDesktop([])
  await announce(desktop, { is: 'failed', jobId: 'j', title: '朝の海' })
  await announce(desktop, published)
  expect(shown.map((it) => it.title)).toEqual(['投稿が完了しました'])
})

test('nothing is said without leave', async () => {
  const { desktop, shown } = fakeDesktop([], 'default')
  await announce(desktop, published)
  expect(shown).toEqual([])
})

test('who was signed out is not named, nor the post', async () => {
  const { desktop, shown } = fakeDesktop([])
  await announce(desktop, { is: 'signedOut', jobId: 'j' })
  expect(shown[0]).toMatchObject({ title: 'ログインが必要です', data: { path: '/login' } })
})

const pressed = (data: unknown) => ({ data, close: () => undefined })
const nothingRead = () => Promise.reject(new Error('nothing is to be read'))

test('a press shows the page in the window that is open, else in a new one', async () => {
  const open = fakeDesktop([hidden])
  await openNotice(open.desktop, pressed({ path: '/post/p1' }), '', nothingRead)
  expect(open.said).toEqual(['focused', 'go /post/p1'])
  const closed = fakeDesktop([])
  await openNotice(closed.desktop, pressed({ path: '/post/p1' }), '', nothingRead)
  expect(closed.said).toEqual(['opened /post/p1'])
})

test('of several windows the visible one is taken, and the others are left alone', async () => {
  const { desktop, said } = fakeDesktop([{ ...hidden, stubborn: true }, visible])
  await openNotice(desktop, pressed({ path: '/post/p1' }), '', nothingRead)
  expect(said).toEqual(['focused', 'go /post/p1'])
})

test('a window whose app does not answer is led there; one that cannot be led is left for a new one', async () => {
  const silent = fakeDesktop([{ visibilityState: 'hidden' }])
  await openNotice(silent.desktop, pressed({ path: '/plan' }), '', nothingRead)
  expect(silent.said).toEqual(['focused', 'go /plan', 'led to /plan'])
  const foreign = fakeDesktop([{ visibilityState: 'hidden', stubborn: true }])
  await openNotice(foreign.desktop, pressed({ path: '/plan' }), '', nothingRead)
  expect(foreign.said).toEqual(['focused', 'go /plan', 'led to /plan', 'opened /plan'])
})

test('返信 opens the page with the caret where one answers', async () => {
  const { desktop, said } = fakeDesktop([])
  await openNotice(desktop, pressed({ path: '/post/p1?uidc=c1' }), 'reply', nothingRead)
  await openNotice(desktop, pressed({ path: '/post/p1' }), 'reply', nothingRead)
  expect(said).toEqual(['opened /post/p1?uidc=c1&reply=1', 'opened /post/p1?reply=1'])
})

test('既読にする reads the line and opens nothing', async () => {
  const { desktop, said } = fakeDesktop([hidden])
  const read: unknown[] = []
  const data = { path: '/plan', notification_id: newId(), user_id: newId() }
  await openNotice(desktop, pressed(data), 'read', async (it) => void read.push(it))
  expect([read, said]).toEqual([[data], []])
})

test('whoever opens what a line is about has read it', async () => {
  const { desktop, said } = fakeDesktop([])
  const read: unknown[] = []
  const data = { path: '/plan', notification_id: newId(), user_id: newId() }
  await openNotice(desktop, pressed(data), '', async (it) => void read.push(it))
  expect([read, said]).toEqual([[data], ['opened /plan']])
})

test.each([{ path: 'https://example.com/' }, { path: '//example.com' }, { path: '/\\example.com' }, null])(
  'a notice without a page of ours leads home: %o',
  async (data) => {
    const { desktop, said } = fakeDesktop([])
    await openNotice(desktop, pressed(data), '', nothingRead)
    expect(said).toEqual(['opened /'])
  },
)

test('a page is seen when a visible window shows it', async () => {
  const shows = (visibilityState: DocumentVisibilityState, path?: string) =>
    isSeen(fakeDesktop([{ visibilityState, ...(path === undefined ? {} : { path }) }]).desktop, '/post/p1')
  expect(await shows('visible', '/post/p1')).toBe(true)
  expect(await shows('hidden', '/post/p1')).toBe(false)
  expect(await shows('visible', '/')).toBe(false)
  // Its app is older, or only loading.
  expect(await shows('visible')).toBe(false)
})

test('whoever signs in finds no notice of before', async () => {
  const { desktop, shown } = fakeDesktop([])
  await announce(desktop, published)
  await desktop.registration.showNotification('花子さんにフォローされました', { tag: `${PUSH_TAG}1` })
  await clearNotices(desktop, true)
  expect(shown).toEqual([])
})

test('whoever signs out leaves no notification, and a post that waits for them is still named by nothing but that', async () => {
  const { desktop, shown } = fakeDesktop([])
  await announce(desktop, { is: 'signedOut', jobId: 'j' })
  await desktop.registration.showNotification('花子さんにフォローされました', { tag: `${PUSH_TAG}1` })
  await clearNotices(desktop, false)
  expect(shown.map((it) => it.title)).toEqual(['ログインが必要です'])
})
