// The server's last answers, kept so that what was read can be read without network. Only a cache: it gives way to
// everything the person made.
import {
  eraseAnswerIn,
  eraseAnswersIn,
  eraseListedIn,
  eraseOverIn,
  eraseTalkIn,
  letGoIn,
  trimAnswerIn,
} from './eviction.ts'
import { withoutOver } from './access-expiry.ts'
import { giveWay, isFull, transact, type Tx } from '#device/database/database.ts'
import { getPost } from '#contract/posts/posts.ts'
import { believe, sift } from '#device/database/rows.ts'
import { answerOf, valueOf, type Answer, type NewAnswer } from './response-row.ts'

/** An answer older than this is not shown any more, ms. */
export const ANSWER_AGE_MS = 14 * 24 * 3600 * 1000
/** So many are kept of a person, and so many characters of JSON together; the oldest go first. */
export const MAX_ANSWERS = 300
const MAX_CHARS = 10 * 1024 * 1024
const LARGE = 100_000

let swept = false

/**
 * Keeps an answer in the place of an older one, if the person is still signed in here: what arrives after a sign-out
 * is nobody's. Answers too old or too many go on the way. Without room the oldest pictures and answers give way; a device
 * without any keeps none, and nothing is thrown for it.
 * @returns whether it is kept
 */
export async function saveAnswer(answer: NewAnswer): Promise<boolean> {
  const row = answerOf(answer)
  try {
    return await write(row)
  } catch (error) {
    if (!isFull(error)) throw error
    return (await giveWay()) && write(row).catch(() => false)
  }
}

/** The post that is read under a key. */
const postOf = (key: string): string | undefined =>
  key.startsWith(`["${getPost.name}"`) ? /\b[0-9a-f]{8}-[0-9a-f-]{27}/.exec(key)?.[0] : undefined

/** Only a preview of the post is shown. */
const isClosed = (row: Answer): boolean =>
  (valueOf(row) as { access?: { is?: unknown } } | undefined)?.access?.is === 'preview'

function write(row: Answer): Promise<boolean> {
  const { ownerId, key, at } = row
  return transact(
    ['session', 'answers', 'pictures'],
    'readwrite',
    async (tx) => {
      const session = believe('session', await tx.objectStore('session').get('current'))
      if (session?.user.id !== ownerId) return false
      const answers = tx.objectStore('answers')
      const before = believe('answers', await answers.get([ownerId, key]))
      await answers.put(row)
      if (before) await letGoIn(tx, ownerId, before.pictures)
      const closed = postOf(key)
      if (closed !== undefined && isClosed(row)) await eraseTalkIn(tx, ownerId, [closed])
      const many = await answers.index('owner').count(ownerId)
      // Looking through all of them for a small one more is not worth it.
      if (!swept || many > MAX_ANSWERS || row.size > LARGE) await makeRoom(tx, ownerId, at)
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
    const tooMany = keys.length - i > MAX_ANSWERS || chars > MAX_CHARS
    const id = ids[i]
    if (!id || (!tooMany && at >= now - ANSWER_AGE_MS)) return
    await eraseAnswerIn(tx, id)
    chars -= size
  }
}

/** An answer as it was kept; whoever shows it parses it. */
export interface KeptAnswer {
  value: unknown
  at: number
}

/** What was kept under a key, without posts the right to which has ended; `undefined` when there is nothing, or it is too old. */
export async function readAnswer(
  ownerId: string,
  key: string,
  now: number = Date.now(),
): Promise<KeptAnswer | undefined> {
  const raw = await transact(['answers'], 'readonly', (tx) => tx.objectStore('answers').get([ownerId, key]))
  const row = believe('answers', raw)
  if (!row || row.at < now - ANSWER_AGE_MS) return undefined
  const value = valueOf(row)
  if (row.until === null || row.until > now) return { value, at: row.at }
  const { data } = withoutOver(value, ownerId, row.at, now)
  return data === undefined ? undefined : { value: data, at: row.at }
}

/**
 * Answers of some endpoints in which an id is mentioned, the latest first, without posts the right to which has ended
 * and without answers that are too old.
 */
export async function answersNaming(
  ownerId: string,
  id: string,
  endpoints: ReadonlySet<string>,
  now: number = Date.now(),
): Promise<KeptAnswer[]> {
  const raws = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('owner').getAll(ownerId),
  )
  return sift('answers', raws)
    .filter((row) => row.at >= now - ANSWER_AGE_MS && row.text.includes(id) && endpoints.has(nameOf(row)))
    .map((row) => ({ value: withoutOver(valueOf(row), ownerId, row.at, now).data, at: row.at }))
    .toSorted((a, b) => b.at - a.at)
}

/** The endpoint a row is the answer of: the first part of its key. */
const nameOf = ({ key }: Answer): string => /^\["(\w+)"/.exec(key)?.[1] ?? ''

/** Drops one answer: the server said that there is no such thing, or not for this person. A post leaves the lists too. */
export async function dropAnswer(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', async (tx) => {
    await eraseAnswerIn(tx, [ownerId, key])
    const postId = postOf(key)
    if (postId === undefined) return
    await eraseTalkIn(tx, ownerId, [postId])
    await eraseListedIn(tx, ownerId, postId)
  })
}

/** Takes out of an answer whatever a right is concerned with. */
export async function dropGated(ownerId: string, key: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) =>
    trimAnswerIn(tx, [ownerId, key], Number.POSITIVE_INFINITY),
  )
}

/** Drops all of a person's answers, with their pictures. */
export async function dropAnswers(ownerId: string): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => eraseAnswersIn(tx, (it) => it === ownerId))
}

/** Drops what nobody here has a right to any more; called when the app is opened. */
export async function dropOver(now: number): Promise<void> {
  await transact(['answers', 'pictures'], 'readwrite', (tx) => eraseOverIn(tx, now))
}

/** All of a person's answers, the oldest first. */
export async function listAnswers(ownerId: string): Promise<(KeptAnswer & { key: string })[]> {
  const raws = await transact(['answers'], 'readonly', (tx) =>
    tx.objectStore('answers').index('owner').getAll(ownerId),
  )
  return sift('answers', raws)
    .map((row) => ({ key: row.key, value: valueOf(row), at: row.at }))
    .toSorted((a, b) => a.at - b.at)
}
