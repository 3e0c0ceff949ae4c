// Cached responses, for reading without network; evicted when the person's data needs room.
import {
  evictResponseIn,
  evictResponsesIn,
  evictListedIn,
  evictMessagesIn,
  evictExpiredIn,
  eraseCommentsIn,
  evictUnusedPicturesIn,
  trimResponseIn,
} from './eviction.ts'
import { withoutExpired } from './access-expiry.ts'
import { evictOldest, isFull, transact, type Tx } from '#device/database/database.ts'
import { getPost } from '#contract/posts/posts.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import { responseRowOf, valueOf, type CachedResponse, type NewResponse } from './response-row.ts'

/** A response older than this is not shown any more, ms. */
export const RESPONSE_AGE_MS = 14 * 24 * 3600 * 1000
/** Most responses stored per person, and their characters of JSON together; the oldest are removed first. */
export const MAX_RESPONSES = 450
const MAX_CHARS = 24 * 1024 * 1024
const LARGE = 100_000

let swept = false

/**
 * Stores a response in place of an older one, if the person is still signed in here. Responses that are too old or too
 * many are removed. Without room the oldest pictures and responses are evicted; a device without any stores none, and
 * nothing is thrown for it.
 * @returns whether it was stored
 */
export async function saveResponse(response: NewResponse): Promise<boolean> {
  const row = responseRowOf(response)
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

/** Whether the viewer sees only a preview of the post. */
const isLocked = (row: CachedResponse): boolean =>
  (valueOf(row) as { access?: { is?: unknown } } | undefined)?.access?.is === 'preview'

function write(row: CachedResponse): Promise<boolean> {
  const { ownerId, key, at } = row
  return transact(
    ['session', 'answers', 'pictures'],
    'readwrite',
    async (tx) => {
      const session = parseRow('session', await tx.objectStore('session').get('current'))
      if (session?.user.id !== ownerId) return false
      const responses = tx.objectStore('answers')
      const before = parseRow('answers', await responses.get([ownerId, key]))
      await responses.put(row)
      if (before) await evictUnusedPicturesIn(tx, ownerId, before.pictures)
      const postId = postOf(key)
      if (postId !== undefined && isLocked(row)) await eraseCommentsIn(tx, ownerId, [postId])
      const count = await responses.index('owner').count(ownerId)
      // One more small response does not justify reading the sizes of all.
      if (!swept || count > MAX_RESPONSES || row.size > LARGE) await makeRoom(tx, ownerId, at)
      swept = true
      return true
    },
    'copy',
  )
}

/** Evicts the oldest responses. The index has the sizes, so that no remaining response is read. */
async function makeRoom(tx: Tx, ownerId: string, now: number): Promise<void> {
  const ages = tx.objectStore('answers').index('age')
  const keys: [string, number, number][] = []
  const ids: [string, string][] = []
  const range = IDBKeyRange.bound([ownerId], [ownerId, []])
  for (let cursor = await ages.openKeyCursor(range); cursor; cursor = await cursor.continue()) {
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
 * Responses of some endpoints that contain an id, the latest first, without expired posts.
 * Responses that are too old are left out.
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

/** The endpoint of a response: the first part of its key. */
const nameOf = ({ key }: CachedResponse): string => /^\["(\w+)"/.exec(key)?.[1] ?? ''

/**
 * Removes a response after the server has replied that there is none, or none for this person. A post is removed from
 * the lists too, and a conversation with its messages.
 */
export async function dropResponse(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', async (tx) => {
    await evictResponseIn(tx, [ownerId, key])
    const userId = /^\["getConversation".*"user_id":"([\da-f-]{36})"/.exec(key)?.[1]
    if (userId !== undefined) await evictMessagesIn(tx, ownerId, userId)
    const postId = postOf(key)
    if (postId === undefined) return
    await eraseCommentsIn(tx, ownerId, [postId])
    await evictListedIn(tx, ownerId, postId)
  })
}

/** Removes every gated post from a response. */
export async function dropGated(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) =>
    trimResponseIn(tx, [ownerId, key], Number.POSITIVE_INFINITY),
  )
}

/** Removes all responses of a person, with their pictures. */
export async function dropResponses(ownerId: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => evictResponsesIn(tx, (it) => it === ownerId))
}

/** Removes content whose access has ended; called when the app opens. */
export async function dropExpired(now: number): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => evictExpiredIn(tx, now))
}

/** Lists all responses of a person, the oldest first. */
export async function listResponses(ownerId: string): Promise<(ReadResponse & { key: string })[]> {
  const raws = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('owner').getAll(ownerId),
  )
  return parseRows('answers', raws)
    .map((row) => ({ key: row.key, value: valueOf(row), at: row.at }))
    .toSorted((a, b) => a.at - b.at)
}
