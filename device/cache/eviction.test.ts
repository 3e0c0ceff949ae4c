// Eviction of a deleted post from cached lists, with its comments and their replies.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { getConversation } from '#contract/messages/conversations.ts'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { getPost } from '#contract/posts/posts.ts'
import { responseKey, oneKey, pagesKey } from '#contract/search/reading-keys.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { saveSession } from '#device/session/session.ts'
import { newUser } from '#device/testing/user.ts'
import { copyKey } from './message-copies.ts'
import { dropGated, dropResponse, listResponses, saveResponse } from './responses.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const aoi = newUser('葵')

beforeEach(() => saveSession({ token: 'a', user: aoi }))
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

const save = (key: string, value: unknown) => saveResponse({ ownerId: aoi.id, key, value, at: NOW })
const postKey = (id: string) => responseKey(oneKey(getPost, { params: { post_id: id } }))
const commentsKey = (postId: string) => responseKey(pagesKey(listComments, { params: { post_id: postId } }))
const repliesKey = (id: string) => responseKey(pagesKey(listReplies, { params: { comment_id: id } }))
const cached = async () =>
  Object.fromEntries((await listResponses(aoi.id)).map(({ key, value }) => [key, value]))

test('a deleted post leaves every cached list; other posts and other lists do not change', async () => {
  const [gone, other] = [newId(), newId()]
  const [p, q] = [{ id: gone }, { id: other }]
  await save('pages', { pages: [{ posts: [p, q] }, { posts: [q] }, null, 'x'], pageParams: [null, 1, 2, 3] })
  await save('list', { posts: [q, p], next: 'cursor' })
  await save('odd', { pages: 'none', posts: [p] })
  await save('named', { notifications: [{ post_id: gone }], posts: 'none' })
  await save('text', `about ${gone}`)
  await save('nothing', null)
  await save('unnamed', { posts: [q] })
  await dropResponse(aoi.id, postKey(gone))
  expect(await cached()).toEqual({
    pages: { pages: [{ posts: [q] }, { posts: [q] }, null, 'x'], pageParams: [null, 1, 2, 3] },
    list: { posts: [q], next: 'cursor' },
    odd: { pages: 'none', posts: [] },
    named: { notifications: [{ post_id: gone }], posts: 'none' },
    text: `about ${gone}`,
    nothing: null,
    unnamed: { posts: [q] },
  })
})

test('a cached response that is not a post is removed alone', async () => {
  const id = newId()
  await save('list', { posts: [{ id }] })
  await save(`["listPosts","${id}"]`, { posts: [] })
  await dropResponse(aoi.id, `["listPosts","${id}"]`)
  expect(await cached()).toEqual({ list: { posts: [{ id }] } })
})

test('comments of a removed post and their replies are removed; responses that only contain the same names stay', async () => {
  const [gone, other] = [newId(), newId()]
  const [comment, elsewhere] = [newId(), newId()]
  await save(commentsKey(gone), { pages: [{ comments: [{ id: comment }] }] })
  await save(commentsKey(other), { pages: [{ comments: [{ id: elsewhere }] }] })
  for (const id of [comment, elsewhere]) await save(repliesKey(id), { comments: [] })
  const unnamed = `["${listReplies.name}","pages"]`
  const search = `["search","${listComments.name}","${gone}"]`
  for (const key of [unnamed, search]) await save(key, 1)
  await dropResponse(aoi.id, postKey(gone))
  expect(Object.keys(await cached()).toSorted()).toEqual(
    [commentsKey(other), repliesKey(elsewhere), unnamed, search].toSorted(),
  )
})

test('a conversation that the server refuses is removed with its messages; all other responses stay', async () => {
  const [ended, other] = [newId(), newId()]
  const conversationKey = (id: string) => responseKey(oneKey(getConversation, { params: { user_id: id } }))
  const profile = `["getProfile","${ended}"]`
  for (const id of [ended, other]) {
    await save(conversationKey(id), { conversation_id: id })
    await save(copyKey(id), { pages: [] })
  }
  await save(profile, { id: ended })
  await dropResponse(aoi.id, conversationKey(ended))
  expect(Object.keys(await cached()).toSorted()).toEqual(
    [conversationKey(other), copyKey(other), profile].toSorted(),
  )
})

test('comments of every post that is trimmed from one list are removed', async () => {
  const ids = [newId(), newId()]
  const gated = (id: string) => ({ id, type: 2, author: { id: newId() }, access: { is: 'full' } })
  await save('feed', { posts: ids.map(gated) })
  for (const id of ids) await save(commentsKey(id), { pages: [] })
  await dropGated(aoi.id, 'feed')
  expect(await cached()).toEqual({ feed: { posts: [] } })
})

test('a post is removed from the lists beside a row that was written by another build', async () => {
  const gone = newId()
  await transact(['answers'], 'readwrite', (tx) =>
    tx.objectStore('answers').put({ ownerId: aoi.id, key: 'a', text: 5, at: NOW } as never),
  )
  await save('list', { posts: [{ id: gone }] })
  await dropResponse(aoi.id, postKey(gone))
  expect(await cached()).toEqual({ list: { posts: [] } })
})

test('comments written by another build are removed with their post', async () => {
  const gone = newId()
  await transact(['answers'], 'readwrite', (tx) =>
    tx.objectStore('answers').put({ ownerId: aoi.id, key: commentsKey(gone), text: 5, at: NOW } as never),
  )
  await dropResponse(aoi.id, postKey(gone))
  const rows = await transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').count())
  expect(rows).toBe(0)
})

test('trimming changes no response without gated posts and restores no deleted response', async () => {
  await save('open', { posts: [], next: null })
  await dropGated(aoi.id, 'open')
  await dropGated(aoi.id, 'none')
  expect(await cached()).toEqual({ open: { posts: [], next: null } })
})
