// Notices outside the app: said only when nobody looks, and leading to their page.
import { expect, test } from 'vitest'
import { announce, clearNotices, openNotice, type Desktop } from './windows.ts'

interface Shown {
  title: string
  body: string
  tag: string
  data: unknown
  close: () => void
}

function desk(given: { windows?: DocumentVisibilityState[]; permission?: NotificationPermission }) {
  const shown: Shown[] = []
  const said: string[] = []
  const registration = {
    showNotification: (title: string, options: { body: string; tag: string; data: unknown }) => {
      const it: Shown = { title, ...options, close: () => void shown.splice(shown.indexOf(it), 1) }
      const same = shown.findIndex((other) => other.tag === it.tag)
      if (same >= 0) shown.splice(same, 1)
      shown.push(it)
      return Promise.resolve()
    },
    getNotifications: (filter?: { tag?: string }) =>
      Promise.resolve(shown.filter((it) => !filter?.tag || it.tag === filter.tag)),
  }
  const windows = (given.windows ?? []).map((visibilityState) => ({
    visibilityState,
    postMessage: (message: unknown) => said.push(`said ${JSON.stringify(message)}`),
    focus: () => Promise.reject(new DOMException('not by a press', 'InvalidAccessError')),
  }))
  const clients = {
    matchAll: () => Promise.resolve(windows),
    openWindow: (url: string) => {
      said.push(`opened ${url}`)
      return Promise.resolve(null)
    },
  }
  const desktop = { registration, clients, permission: () => given.permission ?? 'granted' }
  return { desktop: desktop as unknown as Desktop, shown, said }
}

const published = { is: 'published', jobId: 'j', title: '朝の海', postId: 'p1' } as const

test('a post that is published while the app is hidden is said, and leads to the post', async () => {
  const { desktop, shown } = desk({ windows: ['hidden'] })
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
  const hidden = desk({ windows: [] })
  await announce(hidden.desktop, { is: 'failed', jobId: 'j', title: '' })
  expect(hidden.shown).toHaveLength(1)
  const seen = desk({ windows: ['hidden', 'visible'] })
  seen.shown.push(...hidden.shown.map((it) => ({ ...it, close: () => void seen.shown.pop() })))
  await announce(seen.desktop, published)
  expect(seen.shown).toEqual([])
})

test('a failure’s notice gives way to the success of the same post', async () => {
  const { desktop, shown } = desk({})
  await announce(desktop, { is: 'failed', jobId: 'j', title: '朝の海' })
  await announce(desktop, published)
  expect(shown.map((it) => it.title)).toEqual(['投稿が完了しました'])
})

test('nothing is said without leave', async () => {
  const { desktop, shown } = desk({ permission: 'default' })
  await announce(desktop, published)
  expect(shown).toEqual([])
})

test('who was signed out is not named, nor the post', async () => {
  const { desktop, shown } = desk({})
  await announce(desktop, { is: 'signedOut', jobId: 'j' })
  expect(shown[0]).toMatchObject({ title: 'ログインが必要です', data: { path: '/login' } })
})

test('a press shows the page in the window that is open, else in a new one', async () => {
  const pressed = (data: unknown) => ({ data, close: () => {} }) as Notification
  const open = desk({ windows: ['hidden'] })
  await openNotice(open.desktop, pressed({ path: '/post/p1' }))
  expect(open.said).toEqual(['said {"type":"go","path":"/post/p1"}'])
  const closed = desk({})
  await openNotice(closed.desktop, pressed({ path: '/post/p1' }))
  expect(closed.said).toEqual(['opened /post/p1'])
})

test.each([{ path: 'https://example.com/' }, { path: '//example.com' }, null])(
  'a notice without a page of ours leads home: %o',
  async (data) => {
    const { desktop, said } = desk({})
    await openNotice(desktop, { data, close: () => {} } as Notification)
    expect(said).toEqual(['opened /'])
  },
)

test('whoever signs in finds no notice of before', async () => {
  const { desktop, shown } = desk({})
  await announce(desktop, published)
  await clearNotices(desktop)
  expect(shown).toEqual([])
})
