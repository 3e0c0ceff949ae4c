// Tests that the newest conversations are copied, and are readable without network.
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ConversationView, ListedConversation } from '#contract/messages/conversations.ts'
import type { MessagePage } from '#contract/messages/messages.ts'
import { responseKey } from '#contract/search/reading-keys.ts'
import { readCopy } from '#device/cache/message-copies.ts'
import { saveResponse } from '#device/cache/responses.ts'
import { message, messagePage, range } from '#device/testing/messages.ts'
import { cachedOf, cachedReading, error, me } from '#src/domain/queries/testing/cached-reading.ts'
import { copyConversations } from './copy-conversations.ts'
import { conversationQuery, messagesQuery } from './message-queries.ts'

const reading = cachedReading()
beforeEach(() => vi.stubGlobal('navigator', { onLine: true }))

/** A conversation on the server: its messages, and the number of its newest change. */
interface Served {
  readonly userId: string
  readonly messages: number
  readonly change: number
}

const person = (id: string) => ({ id, name: '蓮', handle: null, avatar_url: null })
const flags = { pinned: false, muted: false, archived: false }

const listed = ({ userId, change }: Served): ListedConversation => ({
  conversation_id: userId,
  person: person(userId),
  last_message: null,
  unread: 0,
  last_change: change,
  last_deletion: 0,
  last_at: '2026-11-26T00:00:00.000Z',
  ...flags,
})

const view = ({ userId, messages, change }: Served): ConversationView => ({
  conversation_id: userId,
  person: person(userId),
  may_write: 'open',
  is_request: false,
  last_seq: messages,
  last_change: change,
  last_deletion: 0,
  read_seq: messages,
  cleared_seq: 0,
  marks: null,
  unread: 0,
  ...flags,
})

function pageOf({ messages, change }: Served, before: number): MessagePage {
  const last = Math.min(messages, before - 1)
  const first = Math.max(1, last - 49)
  return messagePage(range(first, last), {
    has_before: first > 1,
    has_after: last < messages,
    last_change: change,
  })
}

/** A server with these conversations. @returns the requested paths */
function serve(all: readonly Served[]): string[] {
  const paths: string[] = []
  reading.server = (address) => {
    const { pathname, searchParams } = new URL(address, 'https://app')
    const [, userId, rest] = /\/conversations(?:\/([0-9a-f-]{36}))?\/?(\w*)/.exec(pathname) ?? []
    paths.push(rest || (userId ? 'view' : 'list'))
    if (!userId) return Response.json({ pinned: [], conversations: all.map(listed), next: null })
    const served = all.find((it) => it.userId === userId)
    if (!served) return error(404, 'not_found')
    if (rest === 'messages') return Response.json(pageOf(served, Number(searchParams.get('before') ?? 1e6)))
    if (rest !== 'changes') return Response.json(view(served))
    const after = Number(searchParams.get('after'))
    const messages = range(after + 1, served.messages).map((it) => message(it))
    const next = { after: served.change, deleted_after: 0 }
    return Response.json({ messages, deleted: [], next, has_more: false })
  }
  return paths
}

const seqsOf = async (userId: string) => (await readCopy(me, userId))?.page.messages.map((it) => it.seq) ?? []

test('the newest 200 messages of each conversation are copied, and open without network', async () => {
  const [long, short] = [
    { userId: newId(), messages: 260, change: 260 },
    { userId: newId(), messages: 3, change: 3 },
  ]
  serve([long, short])
  await copyConversations(reading.openPage(), me)
  expect(await seqsOf(long.userId)).toEqual(range(61, 260))
  expect(await seqsOf(short.userId)).toEqual([1, 2, 3])

  reading.server = () => undefined
  const client = reading.openPage()
  expect(await client.ensureQueryData(conversationQuery(long.userId))).toMatchObject({ last_seq: 260 })
  const { pages } = await client.ensureInfiniteQueryData(messagesQuery(long.userId))
  expect(pages.flatMap((it) => it.messages)).toHaveLength(200)
})

test('a copy that has everything is not read again, and one that is behind gets its changes alone', async () => {
  const served = { userId: newId(), messages: 120, change: 120 }
  serve([served])
  await copyConversations(reading.openPage(), me)
  const again = serve([served])
  await copyConversations(reading.openPage(), me)
  expect(again).toEqual(['list'])
  const more = serve([{ ...served, messages: 125, change: 125 }])
  await copyConversations(reading.openPage(), me)
  expect(more).toEqual(['list', 'view', 'changes'])
  expect(await seqsOf(served.userId)).toEqual(range(1, 125))
})

test('reading the newest page of a conversation leaves the older messages of its copy', async () => {
  const served = { userId: newId(), messages: 120, change: 120 }
  serve([served])
  await copyConversations(reading.openPage(), me)
  serve([{ ...served, messages: 121, change: 121 }])
  await reading.openPage().ensureInfiniteQueryData(messagesQuery(served.userId))
  await expect.poll(() => seqsOf(served.userId)).toContain(121)
  expect(await seqsOf(served.userId)).toEqual(range(1, 121))
})

test('a conversation that the server no longer shows is removed with its messages', async () => {
  const served = { userId: newId(), messages: 20, change: 20 }
  serve([served])
  await copyConversations(reading.openPage(), me)
  serve([])
  await expect(reading.openPage().ensureQueryData(conversationQuery(served.userId))).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect.poll(() => seqsOf(served.userId)).toEqual([])
  expect(await cachedOf(conversationQuery(served.userId).queryKey)).toBeUndefined()
})

test('of sixty conversations the fifty newest are copied, beside what is stored of other pages', async () => {
  const all = range(1, 60).map((n) => ({ userId: newId(), messages: n, change: n }))
  const other = { ownerId: me, key: responseKey(['a list of posts']), value: { posts: [] }, at: Date.now() }
  await saveResponse(other)
  serve(all)
  await copyConversations(reading.openPage(), me, 0)
  const copied = await Promise.all(all.map(({ userId }) => seqsOf(userId)))
  expect(copied.map((it) => it.length)).toEqual([...range(1, 50), ...range(51, 60).map(() => 0)])
  expect(await cachedOf(['a list of posts'])).toBeDefined()
})
