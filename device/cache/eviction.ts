// Evicts cached responses, and with them the pictures and comments that nothing else refers to.
import { listComments, listReplies } from '#contract/posts/comments.ts'
import { answerOf, valueOf } from './response-row.ts'
import type { Tx } from '#device/database/database.ts'
import { withoutExpired } from './access-expiry.ts'
import { parseRow } from '#device/database/rows.ts'

type Id = [ownerId: string, key: string]

/** Drops one answer. */
export async function evictResponseIn(tx: Tx, id: Id): Promise<void> {
  const row = parseRow('answers', await tx.objectStore('answers').get(id))
  await tx.objectStore('answers').delete(id)
  if (row) await evictUnusedPicturesIn(tx, row.ownerId, row.pictures)
}

/** Drops those of these pictures that no answer names any more. */
export async function evictUnusedPicturesIn(tx: Tx, ownerId: string, refs: readonly string[]): Promise<void> {
  const named = tx.objectStore('answers').index('picture')
  for (const ref of refs)
    if ((await named.count(ref)) === 0) await tx.objectStore('pictures').delete([ownerId, ref])
}

/** Drops answers and pictures by whose they are. */
export async function evictResponsesIn(tx: Tx, whose: (ownerId: string) => boolean): Promise<void> {
  for (const store of ['answers', 'pictures'] as const) {
    const keys = await tx.objectStore(store).getAllKeys()
    for (const key of keys) if (whose(key[0])) await tx.objectStore(store).delete(key)
  }
}

/** Removes comments of these posts: a person without access to a post may not read them either. */
export async function eraseCommentsIn(tx: Tx, ownerId: string, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return
  const answers = tx.objectStore('answers')
  const ids = await answers.index('owner').getAllKeys(ownerId)
  const of = (name: string) => ids.filter(([, key]) => key.startsWith(`["${name}"`))
  let said = ''
  for (const id of of(listComments.name).filter(([, key]) => postIds.some((it) => key.includes(it)))) {
    said += parseRow('answers', await answers.get(id))?.text ?? ''
    await evictResponseIn(tx, id)
  }
  // The key of replies has the id of their comment.
  for (const id of of(listReplies.name)) {
    const [comment = ''] = /\b[0-9a-f]{8}-[0-9a-f-]{27}/.exec(id[1]) ?? []
    if (comment && said.includes(comment)) await evictResponseIn(tx, id)
  }
}

/** Takes the posts out of an answer that are over, with what was said about them. @param now see `withoutExpired` */
export async function trimResponseIn(tx: Tx, id: Id, now: number): Promise<void> {
  const row = parseRow('answers', await tx.objectStore('answers').get(id))
  const left = row && withoutExpired(valueOf(row), row.ownerId, row.at, now)
  if (!row || left?.data === undefined) await evictResponseIn(tx, id)
  else {
    await tx.objectStore('answers').put(answerOf({ ...row, value: left.data }))
    await evictUnusedPicturesIn(tx, row.ownerId, row.pictures)
  }
  await eraseCommentsIn(tx, id[0], left?.over ?? [])
}

/** Takes a post that is not there any more out of every stored list. */
export async function evictListedIn(tx: Tx, ownerId: string, postId: string): Promise<void> {
  const answers = tx.objectStore('answers')
  for (const raw of await answers.index('owner').getAll(ownerId)) {
    const row = parseRow('answers', raw)
    const value = row?.text.includes(postId) ? valueOf(row) : undefined
    const left = withoutPost(value, postId)
    if (!row || left === value) continue
    await answers.put(answerOf({ ...row, value: left }))
    await evictUnusedPicturesIn(tx, ownerId, row.pictures)
  }
}

/** A reply or the pages of a list without a post; the very same value where it is not among them. */
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

/** Removes what a person was allowed to see at most until now. */
export async function evictExpiredIn(tx: Tx, now: number): Promise<void> {
  const over = await tx.objectStore('answers').index('until').getAllKeys(IDBKeyRange.upperBound(now))
  for (const id of over) await trimResponseIn(tx, id, now)
}
