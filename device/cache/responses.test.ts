// Cached responses: their owner, their age, and their eviction.
import 'fake-indexeddb/auto'
import { forceCloseDatabase } from 'fake-indexeddb'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { responseKey, oneKey, pagesKey } from '#contract/search/reading-keys.ts'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { getPost, listPosts } from '#contract/posts/posts.ts'
import {
  RESPONSE_AGE_MS,
  responsesNaming,
  dropResponse,
  dropResponses,
  dropGated,
  dropExpired,
  listResponses,
  MAX_RESPONSES,
  readResponse,
  saveResponse,
} from './responses.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { purgePerson, sweepSignedOut } from '#device/session/purge.ts'
import { UNCONFIRMED_MS } from './access-expiry.ts'
import { clearSession, saveSession } from '#device/session/session.ts'
import { newUser } from '#device/testing/user.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const aoi = newUser('葵')
const ren = newUser('蓮')
const answer = (key: string, value: unknown = key, at = NOW) => ({ ownerId: aoi.id, key, value, at })
const valueOf = async (key: string, now = NOW) => (await readResponse(aoi.id, key, now))?.value
const count = () => transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').count())

beforeEach(async () => {
  await saveSession({ token: 'a', user: aoi })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

test('a response is read as it was stored, with the time of the server’s reply', async () => {
  expect(await saveResponse(answer('post', { id: '1', liked: true }))).toBe(true)
  expect(await readResponse(aoi.id, 'post', NOW + 1)).toEqual({ value: { id: '1', liked: true }, at: NOW })
  await saveResponse(answer('post', { id: '1', liked: false }, NOW + 5))
  expect(await readResponse(aoi.id, 'post', NOW + 6)).toEqual({
    value: { id: '1', liked: false },
    at: NOW + 5,
  })
})

test('equal requests have one cache key, however they are written', () => {
  const written = responseKey(oneKey(getPost, { params: { post_id: 'x', a: 1 } }))
  expect(responseKey(['getPost', 'one', { params: { a: 1, post_id: 'x' } }])).toBe(written)
  expect(responseKey(['getPost', 'one', { params: { a: 2, post_id: 'x' } }])).not.toBe(written)
})

test('responses of another person are not readable', async () => {
  await saveResponse(answer('post'))
  expect(await readResponse(ren.id, 'post', NOW)).toBeUndefined()
})

test('a response for a person who has signed out is not stored', async () => {
  await purgePerson(aoi)
  expect(await saveResponse(answer('post'))).toBe(false)
  await saveSession({ token: 'r', user: ren })
  expect(await saveResponse(answer('post'))).toBe(false)
  expect(await count()).toBe(0)
})

test('a sign-out removes the responses', async () => {
  await saveResponse(answer('post'))
  await purgePerson(aoi)
  expect(await count()).toBe(0)
})

test('a sign-in of another person removes the responses, one of the same person does not', async () => {
  await saveResponse(answer('post'))
  await saveSession({ token: 'b', user: aoi })
  expect(await count()).toBe(1)
  await saveSession({ token: 'r', user: ren })
  expect(await count()).toBe(0)
})

test('all responses are removed when the set of hidden people changes', async () => {
  await saveSession({ token: 'a', user: { ...aoi, apart: 'nobody' } })
  await saveResponse(answer('post'))
  await saveSession({ token: 'b', user: { ...aoi, apart: 'nobody', name: '葵葉' } })
  expect(await count()).toBe(1)
  await saveSession({ token: 'b', user: { ...aoi, apart: 'ren' } })
  expect(await count()).toBe(0)
  await saveResponse(answer('post'))
  expect(await count()).toBe(1)
})

test('a session that was ended remotely leaves no responses', async () => {
  await saveResponse(answer('post'))
  await clearSession('old')
  expect(await count()).toBe(1)
  await clearSession('a')
  expect(await count()).toBe(0)
})

test('responses written by an older page after the sign-out are removed at the next start', async () => {
  await purgePerson(aoi)
  await transact(['answers'], 'readwrite', (tx) =>
    tx.objectStore('answers').put({ ...answer('late'), text: '1', size: 1, until: null, pictures: [] }),
  )
  await sweepSignedOut()
  expect(await count()).toBe(0)
})

test('a response is shown for fourteen days', async () => {
  await saveResponse(answer('post'))
  expect(await valueOf('post', NOW + RESPONSE_AGE_MS)).toBe('post')
  expect(await valueOf('post', NOW + RESPONSE_AGE_MS + 1)).toBeUndefined()
})

const otherAuthor = newId()
/** Another person's post that a plan opens, until a known end or without one. */
const gated = (id: string, until?: number, over: object = {}) => ({
  id,
  type: 2,
  author: { id: otherAuthor },
  counts: {},
  access: { is: 'full', ...(until !== undefined && { until: new Date(until).toISOString() }) },
  ...over,
})
const postKey = (id: string) => responseKey(oneKey(getPost, { params: { post_id: id } }))
const HOUR = 3600_000

test('a post is found in cached lists that contain it, unless expired, too old, or of other endpoints', async () => {
  const [open, over] = [{ ...gated(newId()), type: 1 }, gated(newId(), NOW + HOUR)]
  const key = (kind: string) => responseKey(pagesKey(listPosts, { query: { kind } }))
  const list = (...posts: object[]) => ({ pages: [{ posts, next: null }], pageParams: [null] })
  await saveResponse(answer(key('a'), list(open), NOW - 5))
  await saveResponse(answer(key('b'), list(over, open)))
  const others = ['["listBlocks","one",{}]', 'listPosts', 'no endpoint ["listPosts","pages"]']
  for (const other of others) await saveResponse(answer(other, list(open)))
  const naming = async (id: string, now = NOW) =>
    (await responsesNaming(aoi.id, id, new Set([listPosts.name]), now)).map((it) => it.value)
  expect(await naming(open.id)).toEqual([list(over, open), list(open)])
  expect(await naming(open.id, NOW + 2 * HOUR)).toEqual([list(open), list(open)])
  expect(await naming(open.id, NOW + RESPONSE_AGE_MS)).toEqual([list(open)])
  expect(await naming(open.id, NOW + RESPONSE_AGE_MS + 1)).toEqual([])
  expect(await responsesNaming(ren.id, open.id, new Set([listPosts.name]), NOW)).toEqual([])
  // The server replied that the post was deleted: no list has it any more.
  await dropResponse(aoi.id, responseKey(oneKey(getPost, { params: { post_id: open.id } })))
  expect(await naming(open.id)).toEqual([])
  expect(await naming(over.id)).toEqual([list(over)])
})

test('content of a plan is shown until the membership ends, and for three days without a known end', async () => {
  const [soon, late, unknown, own] = [newId(), newId(), newId(), newId()]
  await saveResponse(answer(postKey(soon), gated(soon, NOW + HOUR)))
  await saveResponse(answer(postKey(late), gated(late, NOW + 30 * 24 * HOUR)))
  await saveResponse(answer(postKey(unknown), gated(unknown)))
  await saveResponse(answer(postKey(own), gated(own, undefined, { author: { id: aoi.id } })))
  const shown = async (now: number) => {
    const all = [soon, late, unknown, own]
    const there = await Promise.all(all.map(async (id) => (await valueOf(postKey(id), now)) !== undefined))
    return there.map(Number).join('')
  }
  expect(await shown(NOW + HOUR - 1)).toBe('1111')
  expect(await shown(NOW + HOUR)).toBe('0111')
  expect(await readResponse(aoi.id, postKey(soon), NOW + HOUR)).toBeUndefined()
  expect(await shown(NOW + UNCONFIRMED_MS - 1)).toBe('0111')
  expect(await shown(NOW + UNCONFIRMED_MS)).toBe('0001')
  await dropExpired(NOW + UNCONFIRMED_MS)
  expect(await count()).toBe(1)
})

test('a list is shown without its expired posts, and their data is deleted', async () => {
  const [over, stays] = [gated(newId(), NOW + HOUR), gated(newId(), NOW + 2 * HOUR)]
  const open = { ...gated(newId()), type: 1 }
  const pages = [
    { posts: [open, over], next: 'x' },
    { posts: [stays], next: null },
  ]
  await saveResponse(answer('feed', { pages, pageParams: [null, 'x'] }))
  const left = {
    pages: [
      { posts: [open], next: 'x' },
      { posts: [stays], next: null },
    ],
    pageParams: [null, 'x'],
  }
  expect(await valueOf('feed', NOW + HOUR)).toEqual(left)
  await dropExpired(NOW + HOUR)
  expect(await valueOf('feed', NOW)).toEqual(left)
  expect(await valueOf('feed', NOW + 2 * HOUR)).toMatchObject({ pages: [{ posts: [open] }, { posts: [] }] })
  await dropGated(aoi.id, 'feed')
  expect(await valueOf('feed', NOW)).toMatchObject({ pages: [{ posts: [open] }, { posts: [] }] })
})

test.each([
  ['the right to it ends', () => dropExpired(NOW + HOUR)],
  [
    'the server has closed it',
    (id: string) => saveResponse(answer(postKey(id), { id, access: { is: 'preview' } })),
  ],
  ['there is no such post any more', (id: string) => dropResponse(aoi.id, postKey(id))],
])('comments of a post are removed when %s', async (_what, end) => {
  const [id, other, comment, elsewhere] = [newId(), newId(), newId(), newId()]
  const talk = (postId: string, around?: string) => responseKey(pagesKey(listComments, { postId, around }))
  const replies = (commentId: string) => responseKey(pagesKey(listReplies, { commentId }))
  await saveResponse(answer(postKey(id), gated(id, NOW + HOUR)))
  await saveResponse(answer(talk(id), { pages: [{ comments: [{ id: comment }] }] }))
  await saveResponse(answer(talk(id, comment), { pages: [] }))
  await saveResponse(answer(replies(comment)))
  await saveResponse(answer(talk(other)))
  await saveResponse(answer(replies(elsewhere)))
  await end(id)
  const keys = (await listResponses(aoi.id)).map((it) => it.key).filter((key) => key !== postKey(id))
  expect(keys.toSorted()).toEqual([talk(other), replies(elsewhere)].toSorted())
})

test('comments of a post stay when the post is read again in full, and when its reply has no access', async () => {
  const id = newId()
  const comments = responseKey(pagesKey(listComments, { params: { post_id: id } }))
  await saveResponse(answer(comments))
  for (const value of [gated(id), { id }, null])
    expect(await saveResponse(answer(postKey(id), value))).toBe(true)
  expect(await saveResponse(answer(`["${getPost.name}","one"]`, 1))).toBe(true)
  expect(await valueOf(comments)).toBe(comments)
})

test('responses older than fourteen days are removed with a large one, and no other person’s', async () => {
  const ownerId = `00000000${aoi.id.slice(8)}`
  await transact(['answers'], 'readwrite', (tx) =>
    tx.objectStore('answers').put({
      ...answer('other', 1, NOW - RESPONSE_AGE_MS - 1),
      ownerId,
      text: '1',
      size: 1,
      until: null,
      pictures: [],
    }),
  )
  await saveResponse(answer('old', 1, NOW - RESPONSE_AGE_MS - 1))
  await saveResponse(answer('last', 2, NOW - RESPONSE_AGE_MS))
  await saveResponse(answer('large', 'x'.repeat(100_000)))
  expect((await listResponses(aoi.id)).map((it) => it.key)).toEqual(['last', 'large'])
  expect(await listResponses(ownerId)).toHaveLength(1)
})

test('the oldest responses are evicted when there are too many', async () => {
  for (let i = 0; i <= MAX_RESPONSES; i++) await saveResponse(answer(`post ${i}`, i, NOW + i))
  expect(await count()).toBe(MAX_RESPONSES)
  const later = NOW + MAX_RESPONSES
  expect([await valueOf('post 0', later), await valueOf('post 1', later)]).toEqual([undefined, 1])
})

test('large responses are evicted by their size', async () => {
  const large = 'あ'.repeat(13 * 1024 * 1024)
  await saveResponse(answer('first', large, NOW))
  await saveResponse(answer('second', large, NOW + 1))
  expect([await valueOf('first', NOW + 2), await valueOf('second', NOW + 2)]).toEqual([undefined, large])
})

test('responses are removed one by one, or all together', async () => {
  await saveResponse(answer('a', 2, NOW + 1))
  await saveResponse(answer('b', 1))
  expect((await listResponses(aoi.id)).map((it) => it.value)).toEqual([1, 2])
  await dropResponse(aoi.id, 'b')
  expect((await listResponses(aoi.id)).map((it) => it.key)).toEqual(['a'])
  await dropResponses(ren.id)
  expect(await count()).toBe(1)
  await dropResponses(aoi.id)
  expect(await count()).toBe(0)
})

test('a row that does not parse is not a response', async () => {
  await transact(['answers'], 'readwrite', (tx) =>
    tx.objectStore('answers').put({ ownerId: aoi.id, key: 'post', text: 5, at: NOW } as never),
  )
  expect(await valueOf('post')).toBeUndefined()
})

/** The next writes into this store find no room, `times` times. */
function noRoom(store: string, times: number): void {
  const { put } = IDBObjectStore.prototype
  let left = times
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === store && left-- > 0) throw new DOMException('no room', 'QuotaExceededError')
    return put.apply(this, args as [unknown])
  })
}

test('without room the responses are evicted, and nothing that the person made is lost', async () => {
  await saveResponse(answer('post'))
  const draft = emptyDraft(aoi.id, NOW)
  noRoom('drafts', 1)
  await changeDraft(draft, (it) => ({ ...it, content: '下書き' }), NOW)
  expect(await readDraft(draft.id, aoi.id)).toMatchObject({ content: '下書き' })
  expect(await count()).toBe(0)
})

test('a response without room evicts the oldest half once, and is then not stored', async () => {
  for (const i of [0, 1]) await saveResponse(answer(`post ${i}`, i, NOW + i))
  noRoom('answers', Number.POSITIVE_INFINITY)
  expect(await saveResponse(answer('post'))).toBe(false)
  expect((await listResponses(aoi.id)).map((it) => it.key)).toEqual(['post 1'])
})

test('a failure other than missing room is thrown, and evicts nothing', async () => {
  await saveResponse(answer('post'))
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new TypeError('bug')
  })
  await expect(saveResponse(answer('other'))).rejects.toThrow('bug')
  expect(await count()).toBe(1)
})

test('a connection that is lost while room is made is opened again, and the write is repeated', async () => {
  await saveResponse(answer('post'))
  const draft = emptyDraft(aoi.id, NOW)
  noRoom('drafts', 1)
  const { getAllKeys } = IDBIndex.prototype
  vi.spyOn(IDBIndex.prototype, 'getAllKeys').mockImplementationOnce(function (this: IDBIndex, ...args) {
    const request = getAllKeys.apply(this, args)
    forceCloseDatabase(this.objectStore.transaction.db as never)
    return request
  })
  await changeDraft(draft, (it) => ({ ...it, content: '下書き' }), NOW)
  expect(await readDraft(draft.id, aoi.id)).toMatchObject({ content: '下書き' })
  expect(await count()).toBe(0)
})

test('a device without any room stores no response and reports no error', async () => {
  noRoom('answers', Number.POSITIVE_INFINITY)
  expect(await saveResponse(answer('post'))).toBe(false)
})
