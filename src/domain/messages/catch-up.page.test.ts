// Catching up a conversation: repeated after a failure, and ended by a final reply.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { message, messagePage, range } from '#device/testing/messages.ts'
import { cachedReading, error } from '#src/domain/queries/testing/cached-reading.ts'
import { catchUp, catchUpBefore } from './catch-up.ts'
import { messagesIn } from './message-pages.ts'
import { messagesQuery } from './message-queries.ts'

const reading = cachedReading()
beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => vi.useRealTimers())

/** A page with messages 1 to 3 of a conversation that has two more. @param refuse replies to requests for changes */
async function openPage(refuse: () => Response | undefined) {
  const userId = newId()
  const changes: string[] = []
  reading.server = (address) => {
    const { pathname, searchParams } = new URL(address, 'https://app')
    if (pathname.endsWith('/messages')) return Response.json(messagePage(range(1, 3), { last_change: 3 }))
    if (!pathname.endsWith('/changes')) return error(404, 'not_found')
    changes.push(defined(searchParams.get('after')))
    const next = { after: 5, deleted_after: 0 }
    return (
      refuse() ?? Response.json({ messages: [message(4), message(5)], deleted: [], next, has_more: false })
    )
  }
  const client = reading.openPage()
  await client.ensureInfiniteQueryData(messagesQuery(userId))
  const seqs = () =>
    messagesIn(client.getQueryData(messagesQuery(userId).queryKey) ?? { pages: [] }).map((it) => it.seq)
  return { client, userId, changes, seqs }
}

/** Longest wait before a refused read is sent a second time, ms. */
const SECOND_READ_MS = 400

/** Expects a read that the server refuses both times. */
async function expectRefused(read: Promise<unknown>): Promise<void> {
  const failure = read.catch((it: unknown) => it)
  await vi.advanceTimersByTimeAsync(SECOND_READ_MS)
  expect(await failure).toMatchObject({ code: 'unavailable' })
}

test('a request for changes without a reply of the server is repeated, although no event comes', async () => {
  // A read is sent twice before it counts as failed.
  let refusals = 4
  const { client, userId, changes, seqs } = await openPage(() =>
    refusals-- > 0 ? error(503, 'unavailable') : undefined,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expectRefused(catchUp(client, userId))
  expect(seqs()).toEqual([1, 2, 3])
  expect(changes).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1000 + SECOND_READ_MS)
  expect(changes).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(3000 + SECOND_READ_MS)
  expect(changes).toEqual(['3', '3', '3', '3', '3'])
  expect(seqs()).toEqual([1, 2, 3, 4, 5])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(changes).toHaveLength(5)
})

test('a final refusal is not repeated', async () => {
  const { client, userId, changes } = await openPage(() => error(404, 'not_found'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expect(catchUp(client, userId)).rejects.toMatchObject({ code: 'not_found' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(changes).toHaveLength(1)
})

test('a sent message whose number does not follow the cached ones causes a request for changes at once', async () => {
  const { client, userId, changes, seqs } = await openPage(() => undefined)
  catchUpBefore(client, userId, message(4))
  expect(changes).toEqual([])
  catchUpBefore(client, userId, message(5))
  await expect.poll(() => seqs()).toEqual([1, 2, 3, 4, 5])
})

test('a sent message repeats a failed request for changes at once, and it is not repeated later', async () => {
  let refusals = 2
  const { client, userId, changes, seqs } = await openPage(() =>
    refusals-- > 0 ? error(503, 'unavailable') : undefined,
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expectRefused(catchUp(client, userId))
  catchUpBefore(client, userId, message(4))
  await vi.advanceTimersByTimeAsync(0)
  expect(seqs()).toEqual([1, 2, 3, 4, 5])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(changes).toHaveLength(3)
})
