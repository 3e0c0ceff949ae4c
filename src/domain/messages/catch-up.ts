// Catching up: reads what has changed in a conversation since its cached messages were read.
import type { QueryClient } from '@tanstack/react-query'
import { listMessageChanges, type MessageView } from '#contract/messages/messages.ts'
import { call } from '#src/domain/api/api.ts'
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { changeData } from '#src/domain/queries/query.ts'
import { changesSeen, messagesIn, type MessagePages, seenUpTo, withChanges } from './message-pages.ts'
import { conversationQuery, messagesQuery, messagesWith } from './message-queries.ts'

/** Waits before a failed request is repeated, ms; the last one repeats. No further live event may come. */
const RETRY_AFTER_MS = [1000, 3000, 10_000, 30_000]

/** Conversations whose last request failed: how often, and the time at which it is repeated. */
const failures = new Map<string, { count: number; timer: ReturnType<typeof setTimeout> | undefined }>()

/** Conversations that are being caught up, and whether a further change came meanwhile. */
const running = new Map<string, { again: boolean }>()

/**
 * Reads what has changed in the cached messages with a person, page by page. One run at a time for each conversation; a
 * call during a run causes one further read.
 * @throws ApiFailure as `call` does; what was read until then stays
 */
export async function catchUp(client: QueryClient, userId: string): Promise<void> {
  const current = running.get(userId)
  if (current) {
    current.again = true
    return
  }
  const run = { again: true }
  running.set(userId, run)
  try {
    while (run.again) {
      run.again = false
      await readChanges(client, userId)
    }
    forgetFailures(userId)
  } catch (error) {
    if (isAway(error)) retryLater(client, userId)
    throw error
  } finally {
    running.delete(userId)
  }
}

/**
 * Catches up when a sent message shows that others are missing: its number does not follow the cached ones, or the last
 * request failed and the server is reached again.
 */
export function catchUpBefore(client: QueryClient, userId: string, { seq }: MessageView): void {
  const { data } = client.getQueryState(messagesQuery(userId).queryKey) ?? {}
  const isNext = data !== undefined && (messagesIn(data).at(-1)?.seq ?? 0) >= seq - 1
  if (isNext && !failures.has(userId)) return
  catchUp(client, userId).catch((error: unknown) => console.warn('messages were not read', error))
}

function forgetFailures(userId: string): void {
  clearTimeout(failures.get(userId)?.timer)
  failures.delete(userId)
}

function retryLater(client: QueryClient, userId: string): void {
  const { count, timer } = failures.get(userId) ?? { count: 0, timer: undefined }
  if (timer !== undefined) return
  const wait = RETRY_AFTER_MS[Math.min(count, RETRY_AFTER_MS.length - 1)]
  const retry = () => {
    failures.set(userId, { count: count + 1, timer: undefined })
    void client.invalidateQueries({ queryKey: conversationQuery(userId).queryKey, exact: true })
    catchUp(client, userId).catch((error: unknown) => console.warn('messages were not read', error))
  }
  failures.set(userId, { count, timer: setTimeout(retry, wait) })
}

async function readChanges(client: QueryClient, userId: string): Promise<void> {
  for (;;) {
    const seen = seenOf(client, userId)
    if (!seen) return
    const reply = await call(listMessageChanges, {
      params: { user_id: userId },
      query: { after: String(seen.after), deleted_after: String(seen.deletedAfter) },
    })
    const { after, deleted_after: deletedAfter } = reply.next
    changeData<MessagePages>(client, messagesWith(userId), (data) =>
      seenUpTo(withChanges(data, reply), after, deletedAfter),
    )
    if (!reply.has_more) return
  }
}

/** The lowest numbers of all cached pages of a conversation; undefined without any. */
function seenOf(client: QueryClient, userId: string) {
  const all = client
    .getQueryCache()
    .findAll(messagesWith(userId))
    .flatMap(({ state: { data } }) => (data === undefined ? [] : changesSeen(data as MessagePages)))
  if (all.length === 0) return undefined
  return {
    after: Math.min(...all.map((it) => it.after)),
    deletedAfter: Math.min(...all.map((it) => it.deletedAfter)),
  }
}
