// Evicts cached responses, with the pictures and comments that no other response names.
import { listMessages } from '#contract/messages/messages.ts'
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { responseRowOf, valueOf } from './response-row.ts'
import type { Tx } from '#device/database/database.ts'
import { withoutExpired } from './access-expiry.ts'
import { parseRow } from '#device/database/rows.ts'

type Id = [ownerId: string, key: string]

/** Removes one response. */
export async function evictResponseIn(tx: Tx, id: Id): Promise<void> {
  const row = parseRow('answers', await tx.objectStore('answers').get(id))
  await tx.objectStore('answers').delete(id)
  if (row) await evictUnusedPicturesIn(tx, row.ownerId, row.pictures)
}

/** Removes those of these pictures that no response names any more. */
export async function evictUnusedPicturesIn(tx: Tx, ownerId: string, refs: readonly string[]): Promise<void> {
  const named = tx.objectStore('answers').index('picture')
  for (const ref of refs)
    if ((await named.count(ref)) === 0) await tx.objectStore('pictures').delete([ownerId, ref])
}

/** Removes the responses and pictures of the owners that `whose` selects. */
export async function evictResponsesIn(tx: Tx, whose: (ownerId: string) => boolean): Promise<void> {
  for (const store of ['answers', 'pictures'] as const) {
    const keys = await tx.objectStore(store).getAllKeys()
    for (const key of keys) if (whose(key[0])) await tx.objectStore(store).delete(key)
  }
}

/** Removes comments of these posts: a person without access to a post may not read them either. */
export async function eraseCommentsIn(tx: Tx, ownerId: string, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return
  const responses = tx.objectStore('answers')
  const ids = await responses.index('owner').getAllKeys(ownerId)
  const idsOf = (name: string) => ids.filter(([, key]) => key.startsWith(`["${name}"`))
  let comments = ''
  for (const id of idsOf(listComments.name).filter(([, key]) => postIds.some((it) => key.includes(it)))) {
    comments += parseRow('answers', await responses.get(id))?.text ?? ''
    await evictResponseIn(tx, id)
  }
  // The key of replies has the id of their comment.
  for (const id of idsOf(listReplies.name)) {
    const [comment = ''] = /\b[0-9a-f]{8}-[0-9a-f-]{27}/.exec(id[1]) ?? []
    if (comment && comments.includes(comment)) await evictResponseIn(tx, id)
  }
}

/** Removes the expired posts of a response, with their comments. @param now see `withoutExpired` */
export async function trimResponseIn(tx: Tx, id: Id, now: number): Promise<void> {
  const row = parseRow('answers', await tx.objectStore('answers').get(id))
  const trimmed = row && withoutExpired(valueOf(row), row.ownerId, row.at, now)
  if (!row || trimmed?.data === undefined) await evictResponseIn(tx, id)
  else {
    await tx.objectStore('answers').put(responseRowOf({ ...row, value: trimmed.data }))
    await evictUnusedPicturesIn(tx, row.ownerId, row.pictures)
  }
  await eraseCommentsIn(tx, id[0], trimmed?.over ?? [])
}

/** Removes the messages with a person. */
export async function evictMessagesIn(tx: Tx, ownerId: string, userId: string): Promise<void> {
  const ids = await tx.objectStore('answers').index('owner').getAllKeys(ownerId)
  for (const id of ids)
    if (id[1].startsWith(`["${listMessages.name}"`) && id[1].includes(userId)) await evictResponseIn(tx, id)
}

/** Removes a post that no longer exists from every cached list. */
export async function evictListedIn(tx: Tx, ownerId: string, postId: string): Promise<void> {
  const responses = tx.objectStore('answers')
  for (const raw of await responses.index('owner').getAll(ownerId)) {
    const row = parseRow('answers', raw)
    const value = row?.text.includes(postId) ? valueOf(row) : undefined
    const remaining = withoutPost(value, postId)
    if (!row || remaining === value) continue
    await responses.put(responseRowOf({ ...row, value: remaining }))
    await evictUnusedPicturesIn(tx, ownerId, row.pictures)
  }
}

/** A reply or the pages of a list without a post; the same object where the post is not in it. */
function withoutPost(value: unknown, postId: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('pages' in value && Array.isArray(value.pages)) {
    const pages = value.pages.map((page) => withoutPost(page, postId))
    return pages.every((page, i) => page === (value.pages as unknown[])[i]) ? value : { ...value, pages }
  }
  if (!('posts' in value) || !Array.isArray(value.posts)) return value
  const posts = (value.posts as { id?: unknown }[]).filter((it) => it.id !== postId)
  return posts.length === value.posts.length ? value : { ...value, posts }
}

/** Removes the content of every person whose access has ended. */
export async function evictExpiredIn(tx: Tx, now: number): Promise<void> {
  const expired = await tx.objectStore('answers').index('until').getAllKeys(IDBKeyRange.upperBound(now))
  for (const id of expired) await trimResponseIn(tx, id, now)
}
