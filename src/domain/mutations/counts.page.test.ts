// Shown counts are the server's, in every order of replies, live messages and reads.
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { countUnread } from '#contract/notifications/notifications.ts'
import { type CommentView, listComments } from '#contract/posts/comments.ts'
import { getProfile } from '#contract/people/people.ts'
import { getPost, type PostView } from '#contract/posts/posts.ts'
import type { PostCounts } from '#contract/posts/reactions.ts'
import { defined } from '#contract/testing/defined.ts'
import { holdCounts } from './hold-counts.ts'
import { countWith } from './optimistic-toggle.ts'
import { applyToCache } from './reply-effects.ts'
import { unreadAfter } from './unread.ts'
import { applyUnread } from '#src/domain/notifications/unread.ts'
import { applyCounts, type CountsNow, keepLatestCounts } from '#src/domain/posts/post-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'

vi.mock('#src/domain/session/session.ts', () => ({
  viewer: { get: () => ({ is: 'unauthenticated' }), subscribe: () => () => undefined },
}))
vi.mock('#src/domain/push/push-offer.ts', () => ({ pushOffer: { show: () => undefined } }))

const { open, listeners } = vi.hoisted(() => ({ open: new Set<string>(), listeners: new Set<() => void>() }))
vi.mock('./mutations.ts', () => ({
  useOpenMutations: () => [],
  openMutations: {
    has: (about: string) => open.has(about),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  },
}))
/** An own mutation is pressed, or its reply is applied. */
function press(about: string, on: boolean): void {
  if (on) open.add(about)
  else open.delete(about)
  for (const it of listeners) it()
}

let postId: string
let client: QueryClient
let key: ReturnType<typeof queryFor<typeof getPost>>['queryKey']
beforeEach(() => {
  postId = newId()
  client = new QueryClient()
  key = queryFor(getPost, { params: { post_id: postId } }).queryKey
  keepLatestCounts(client)
  return () => {
    open.clear()
    listeners.clear()
  }
})

const author = { id: newId(), handle: null, name: '汐見はる', avatar_url: null }
const comment = (parentId: string | null, replies = 0): CommentView => ({
  id: newId(),
  post_id: postId,
  parent_id: parentId,
  created_at: '2026-11-29T00:00:00.000Z',
  replies,
  deletable: true,
  body: {
    is: 'shown',
    author,
    content: '灯り',
    mentions: [],
    likes: 0,
    liked: false,
    answers: null,
    muted: false,
  },
})
const post = (counts: PostCounts, liked = false) =>
  ({ id: postId, access: {}, counts, liked }) as unknown as PostView
const shownPost = () => client.getQueryData(key)
const read = (counts: PostCounts, liked = false) =>
  client.fetchQuery({ queryKey: key, queryFn: () => Promise.resolve(post(counts, liked)), staleTime: 0 })

const written = () => ({ name: 'addComment', params: { post_id: postId }, body: {} }) satisfies Mutation

/** Every order of some values. */
function orders<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((it, i) => orders(all.toSpliced(i, 1)).map((rest) => [it, ...rest]))
}

test('comments are never less than before, in every order of messages, the own reply and a read', async () => {
  const counts = (n: number): PostCounts => ({ likes: 0, comments: n, version: n })
  const steps = {
    'message 4': () => applyCounts(client, postId, counts(4)),
    'reply 5': () =>
      applyToCache(client, written(), { ...comment(null), post: { ...counts(5), liked: false } }),
    'message 6': () => applyCounts(client, postId, counts(6)),
    'read 5': () => read(counts(5)),
  }
  for (const order of orders(Object.keys(steps) as (keyof typeof steps)[])) {
    postId = newId()
    key = queryFor(getPost, { params: { post_id: postId } }).queryKey
    client.setQueryData(key, post(counts(3)))
    let latest = 3
    for (const it of order) {
      await steps[it]()
      latest = Math.max(latest, Number(it.slice(-1)))
      expect([order, it, shownPost()?.counts.comments]).toEqual([order, it, latest])
    }
  }
})

test('an own like is counted once, in every order of messages and its reply', () => {
  const about = 'like post'
  const message = (likes: number) => ({ likes, comments: 0, version: likes })
  // Two other likes and the own one; the server counts the own one as the fifth.
  for (const order of orders([4, 5, 6, 'reply'] as const)) {
    postId = newId()
    key = queryFor(getPost, { params: { post_id: postId } }).queryKey
    client.setQueryData(key, post({ likes: 3, comments: 0, version: 3 }))
    const live = holdCounts<CountsNow>(about, (now) => applyCounts(client, postId, now))
    press(about, true)
    const seen: number[] = []
    const look = () => {
      const { counts, liked } = defined(shownPost())
      seen.push(countWith(counts.likes, liked, open.has(about) || liked))
    }
    look()
    for (const it of order) {
      if (it === 'reply') {
        const data = { liked: true, ...message(5) }
        applyToCache(client, { name: 'likePost', params: { post_id: postId } }, { data })
        look()
        press(about, false)
      } else live.take(message(it))
      look()
    }
    live.stop()
    // With the own like, 4 is the fewest that is right; no number is taken back, and none is above the last.
    expect([order, seen]).toEqual([order, seen.toSorted()])
    expect([order, seen[0], seen.at(-1)]).toEqual([order, 4, 6])
  }
})

test('a message of an earlier server has one count, and the other one stays', () => {
  client.setQueryData(key, post({ likes: 3, comments: 2, version: 7 }))
  const live = holdCounts<CountsNow>('like', (now) => applyCounts(client, postId, now))
  press('like', true)
  live.take({ likes: 4 })
  live.take({ comments: 3 })
  expect(shownPost()?.counts).toEqual({ likes: 3, comments: 2, version: 7 })
  press('like', false)
  expect(shownPost()?.counts).toEqual({ likes: 4, comments: 3, version: 7 })
  live.stop()
})

test('the replies below a comment are those that the server counts, and no earlier number replaces them', () => {
  const parent = comment(null, 7)
  const list = [listComments.name, {}, { postId }] as const
  client.setQueryData(list, {
    pages: [{ comments: [parent], next: null, previous: null }],
    pageParams: [null],
  })
  const replies = () =>
    (client.getQueryData(list) as { pages: { comments: CommentView[] }[] }).pages[0]?.comments[0]?.replies
  const reply = (n: number) =>
    applyToCache(client, written(), {
      ...comment(parent.id),
      post: { likes: 0, comments: n, version: n, liked: false },
      parent: { likes: 0, replies: n, version: n, liked: false },
    })
  reply(2)
  expect(replies()).toBe(2)
  reply(1)
  expect(replies()).toBe(2)
})

test('numbers that a server of an earlier version does not tell are read again', () => {
  client.setQueryData(key, post({ likes: 0, comments: 3 }))
  applyToCache(client, written(), comment(null))
  expect([shownPost()?.counts.comments, client.getQueryState(key)?.isInvalidated]).toEqual([3, true])
})

test('a reply to a like of an earlier server has no version, and is shown', () => {
  client.setQueryData(key, post({ likes: 3, comments: 2, version: 7 }))
  const reply = { data: { liked: true, likes: 4 } }
  applyToCache(client, { name: 'likePost', params: { post_id: postId } }, reply)
  expect(shownPost()).toMatchObject({ liked: true, counts: { likes: 4, comments: 2, version: 7 } })
})

test('a follow replaces no later number of followers', () => {
  const userId = newId()
  const profile = queryFor(getProfile, { params: { user_id: userId } }).queryKey
  const relation = { following: true, followed_by: false, muted: false, blocked: false }
  client.setQueryData(profile, { id: userId, follower_count: 6, count_version: 6, relation } as never)
  const reply = (n: number) =>
    applyToCache(
      client,
      { name: 'follow', params: { user_id: userId } },
      { data: { user_id: userId, following: true, follower_count: n, version: n } },
    )
  reply(5)
  expect(client.getQueryData(profile)?.follower_count).toBe(6)
  reply(7)
  expect(client.getQueryData(profile)).toMatchObject({ follower_count: 7, count_version: 7 })
})

test('a mark of one notification is counted once, in every order of messages and its reply', () => {
  const { queryKey } = queryFor(countUnread, {})
  const about = 'notifications'
  const mark = [
    { mutation: { name: 'readNotifications', params: {}, body: { ids: [newId()] } } },
  ] satisfies Parameters<typeof unreadAfter>[0]
  // One more came (4), the own mark was recorded (3), one more came (4).
  const numbers = { 10: 4, 11: 3, 12: 4 }
  const at = (version: keyof typeof numbers) => ({ unread: numbers[version], version })
  for (const order of orders([10, 11, 12, 'reply'] as const)) {
    client.setQueryData(queryKey, { unread: 3, version: 9 })
    const live = holdCounts<{ unread: number; version: number }>(about, (now) => applyUnread(client, now))
    press(about, true)
    const seen: number[] = []
    const look = () =>
      seen.push(unreadAfter(open.has(about) ? mark : [], defined(client.getQueryData(queryKey)).unread))
    for (const it of order) {
      if (it === 'reply') {
        applyToCache(client, { name: 'readNotifications', params: {}, body: {} }, at(11))
        press(about, false)
      } else live.take(at(it))
      look()
    }
    live.stop()
    expect([order, seen]).toEqual([order, seen.toSorted()])
    expect([order, seen.at(-1), Math.min(...seen) >= 2]).toEqual([order, 4, true])
  }
})

test('a mark of all leaves none until its reply', () => {
  const body = { until: '2026-11-29T00:00:00.000Z' }
  expect(unreadAfter([{ mutation: { name: 'readNotifications', params: {}, body } }], 12)).toBe(0)
})

test('a list that was read before a message shows the counts of the message', async () => {
  applyCounts(client, postId, { likes: 9, comments: 1, version: 9 })
  const list = ['listFeed', 'pages', { query: {} }] as const
  const before = post({ likes: 8, comments: 1, version: 8 })
  await client.fetchQuery({ queryKey: list, queryFn: () => Promise.resolve({ posts: [before] }) })
  expect(client.getQueryData(list)).toMatchObject({ posts: [{ counts: { likes: 9, version: 9 } }] })
})
