// Cached responses, for reading without network. They are evicted for files and texts of the person.
import {
  evictResponseIn,
  evictResponsesIn,
  evictListedIn,
  evictExpiredIn,
  eraseCommentsIn,
  evictUnusedPicturesIn,
  trimResponseIn,
} from './eviction.ts'
import { withoutExpired } from './access-expiry.ts'
import { evictOldest, isFull, transact, type Tx } from '#device/database/database.ts'
import { getPost } from '#contract/posts/posts.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import { answerOf, valueOf, type CachedResponse, type NewResponse } from './response-row.ts'

/** An answer older than this is not shown any more, ms. */
export const RESPONSE_AGE_MS = 14 * 24 * 3600 * 1000
/** Most responses stored per person, and their characters of JSON together; the oldest are removed first. */
export const MAX_RESPONSES = 300
const MAX_CHARS = 10 * 1024 * 1024
const LARGE = 100_000

let swept = false

/**
 * Stores a response in place of an older one, if the person is still signed in here. Responses that are too old or too
 * many are removed. Without room the oldest pictures and responses are evicted; a device without any stores none, and
 * nothing is thrown for it.
 * @returns whether it was stored
 */
export async function saveResponse(answer: NewResponse): Promise<boolean> {
  const row = answerOf(answer)
  try {
    return await write(row)
  } catch (error) {
    if (!isFull(error)) throw error
    return (await evictOldest()) && write(row).catch(() => false)
  }
}

/** The post that is read under a key. */
const postOf = (key: string): string | undefined =>
  key.startsWith(`["${getPost.name}"`) ? /\b[0-9a-f]{8}-[0-9a-f-]{27}/.exec(key)?.[0] : undefined

/** Only a preview of the post is shown. */
const isClosed = (row: CachedResponse): boolean =>
  (valueOf(row) as { access?: { is?: unknown } } | undefined)?.access?.is === 'preview'

function write(row: CachedResponse): Promise<boolean> {
  const { ownerId, key, at } = row
  return transact(
    ['session', 'answers', 'pictures'],
    'readwrite',
    async (tx) => {
      const session = parseRow('session', await tx.objectStore('session').get('current'))
      if (session?.user.id !== ownerId) return false
      const answers = tx.objectStore('answers')
      const before = parseRow('answers', await answers.get([ownerId, key]))
      await answers.put(row)
      if (before) await evictUnusedPicturesIn(tx, ownerId, before.pictures)
      const closed = postOf(key)
      if (closed !== undefined && isClosed(row)) await eraseCommentsIn(tx, ownerId, [closed])
      const many = await answers.index('owner').count(ownerId)
      // Looking through all of them for a small one more is not worth it.
      if (!swept || many > MAX_RESPONSES || row.size > LARGE) await makeRoom(tx, ownerId, at)
      swept = true
      return true
    },
    'copy',
  )
}

/** Oldest first, by an index that holds the sizes: no answer that stays is read for it. */
async function makeRoom(tx: Tx, ownerId: string, now: number): Promise<void> {
  const ages = tx.objectStore('answers').index('age')
  const keys: [string, number, number][] = []
  const ids: [string, string][] = []
  const mine = IDBKeyRange.bound([ownerId], [ownerId, []])
  for (let cursor = await ages.openKeyCursor(mine); cursor; cursor = await cursor.continue()) {
    keys.push(cursor.key)
    ids.push(cursor.primaryKey)
  }
  let chars = keys.reduce((sum, [, , size]) => sum + size, 0)
  for (const [i, [, at, size]] of keys.entries()) {
    const tooMany = keys.length - i > MAX_RESPONSES || chars > MAX_CHARS
    const id = ids[i]
    if (!id || (!tooMany && at >= now - RESPONSE_AGE_MS)) return
    await evictResponseIn(tx, id)
    chars -= size
  }
}

/** A stored response; the caller parses it. */
export interface ReadResponse {
  value: unknown
  at: number
}

/** The response of a key, without posts whose access has ended; `undefined` when there is none, or it is too old. */
export async function readResponse(
  ownerId: string,
  key: string,
  now: number = Date.now(),
): Promise<ReadResponse | undefined> {
  const raw = await transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').get([ownerId, key]))
  const row = parseRow('answers', raw)
  if (!row || row.at < now - RESPONSE_AGE_MS) return undefined
  const value = valueOf(row)
  if (row.until === null || row.until > now) return { value, at: row.at }
  const { data } = withoutExpired(value, ownerId, row.at, now)
  return data === undefined ? undefined : { value: data, at: row.at }
}

/**
 * Answers of some endpoints in which an id is mentioned, the latest first, without posts the right to which has ended
 * and without answers that are too old.
 */
export async function responsesNaming(
  ownerId: string,
  id: string,
  endpoints: ReadonlySet<string>,
  now: number = Date.now(),
): Promise<ReadResponse[]> {
  const raws = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('owner').getAll(ownerId),
  )
  return parseRows('answers', raws)
    .filter((row) => row.at >= now - RESPONSE_AGE_MS && row.text.includes(id) && endpoints.has(nameOf(row)))
    .map((row) => ({ value: withoutExpired(valueOf(row), ownerId, row.at, now).data, at: row.at }))
    .toSorted((a, b) => b.at - a.at)
}

/** The endpoint a row is the answer of: the first part of its key. */
const nameOf = ({ key }: CachedResponse): string => /^\["(\w+)"/.exec(key)?.[1] ?? ''

/** Drops one answer: the server said that there is no such thing, or not for this person. A post leaves the lists too. */
export async function dropResponse(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', async (tx) => {
    await evictResponseIn(tx, [ownerId, key])
    const postId = postOf(key)
    if (postId === undefined) return
    await eraseCommentsIn(tx, ownerId, [postId])
    await evictListedIn(tx, ownerId, postId)
  })
}

/** Takes out of an answer whatever a right is concerned with. */
export async function dropGated(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) =>
    trimResponseIn(tx, [ownerId, key], Number.POSITIVE_INFINITY),
  )
}

/** Drops all of a person's answers, with their pictures. */
export async function dropResponses(ownerId: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => evictResponsesIn(tx, (it) => it === ownerId))
}

/** Removes responses without a right to read them; called when the app is opened. */
export async function dropExpired(now: number): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => evictExpiredIn(tx, now))
}

/** All of a person's answers, the oldest first. */
export async function listResponses(ownerId: string): Promise<(ReadResponse & { key: string })[]> {
  const raws = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('owner').getAll(ownerId),
  )
  return parseRows('answers', raws)
    .map((row) => ({ key: row.key, value: valueOf(row), at: row.at }))
    .toSorted((a, b) => a.at - b.at)
}
