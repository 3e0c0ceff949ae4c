// Copies the newest conversations to the device, where they are readable without network.
import type { QueryClient } from '@tanstack/react-query'
import type { ListedConversation } from '#contract/messages/conversations.ts'
import { getConversation, listConversations } from '#contract/messages/conversations.ts'
import { listMessageChanges, listMessages, type MessagePage } from '#contract/messages/messages.ts'
import { oneKey, responseKey } from '#contract/search/reading-keys.ts'
import {
  COPIED_CONVERSATIONS,
  COPIED_MESSAGES,
  copyKey,
  copyOf,
  newestPage,
  readCopy,
} from '#device/cache/message-copies.ts'
import { listPictures } from '#device/cache/pictures.ts'
import { pictureName } from '#device/cache/picture-names.ts'
import { saveResponse } from '#device/cache/responses.ts'
import { call, isMissing } from '#src/domain/api/api.ts'
import { seenUpTo, withChanges } from './message-pages.ts'
import { messagesQuery } from './message-queries.ts'

/** A copy that was not confirmed for this long is read again, ms: the device deletes copies after 14 days. */
const CONFIRM_AFTER_MS = 7 * 24 * 3600_000
/** Requests for changes of one copy; with more changes its newest pages are read instead. */
const MAX_CHANGES_READ = 3
/** Pictures of one conversation that are loaded in advance, the newest ones. */
const PICTURES = 8
/** Wait between two conversations, ms. */
const PAUSE_MS = 200

let running: Promise<void> | undefined
let isWantedAgain = false

/**
 * Copies what the device does not have: 200 messages of each of the 50 newest conversations, and their newest pictures in
 * their smallest width. One run at a time; a call during a run causes one further run. Nothing is thrown: the next run
 * continues.
 * @param pauseMs the wait between two conversations: what the person does comes first
 */
export function copyConversations(client: QueryClient, ownerId: string, pauseMs = PAUSE_MS): Promise<void> {
  isWantedAgain = running !== undefined
  running ??= (async () => {
    do {
      isWantedAgain = false
      await copyAll(client, ownerId, pauseMs).catch((error: unknown) =>
        console.warn('messages were not copied', error),
      )
    } while (isWantedAgain)
    running = undefined
  })()
  return running
}

async function copyAll(client: QueryClient, ownerId: string, pauseMs: number): Promise<void> {
  for (const it of await newestConversations()) {
    if (!navigator.onLine) return
    // An open conversation is stored by its own query.
    if (client.getQueryData(messagesQuery(it.person.id).queryKey) !== undefined) continue
    if (await copyOne(ownerId, it)) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function newestConversations(): Promise<readonly ListedConversation[]> {
  const query = { list: 'inbox' } as const
  const first = await call(listConversations, { query })
  const found = [...first.pinned, ...first.conversations]
  for (let { next } = first; next !== null && found.length < COPIED_CONVERSATIONS;) {
    const page = await call(listConversations, { query: { ...query, cursor: next } })
    found.push(...page.conversations)
    next = page.next
  }
  return found.slice(0, COPIED_CONVERSATIONS)
}

/** @returns whether something was requested */
async function copyOne(ownerId: string, listed: ListedConversation): Promise<boolean> {
  const userId = listed.person.id
  const now = Date.now()
  const copy = await readCopy(ownerId, userId)
  const { last_change: change, last_deletion: deletion } = listed
  if (
    copy?.page.last_change === change &&
    copy.page.last_deletion === deletion &&
    copy.at > now - CONFIRM_AFTER_MS
  )
    return false
  try {
    const params = { user_id: userId }
    const view = await call(getConversation, { params })
    const page = (copy && (await broughtUpToDate(userId, copy.page))) ?? (await readNewest(userId))
    const save = (key: string, value: unknown) => saveResponse({ ownerId, key, value, at: now })
    await save(responseKey(oneKey(getConversation, { params })), view)
    await save(copyKey(userId), copyOf(page))
    await loadPictures(ownerId, page)
  } catch (error) {
    // The person was blocked meanwhile.
    if (!isMissing(error)) throw error
  }
  return true
}

/** The copy with all changes since; undefined where there are too many. */
async function broughtUpToDate(userId: string, copy: MessagePage): Promise<MessagePage | undefined> {
  let pages = { pages: [copy], pageParams: [null] as unknown[] }
  for (let i = 0; i < MAX_CHANGES_READ; i++) {
    const [page = copy] = pages.pages
    const query = { after: String(page.last_change), deleted_after: String(page.last_deletion) }
    const reply = await call(listMessageChanges, { params: { user_id: userId }, query })
    pages = seenUpTo(withChanges(pages, reply), reply.next.after, reply.next.deleted_after)
    if (!reply.has_more) return newestPage([pages.pages[0] ?? copy])
  }
  return undefined
}

async function readNewest(userId: string): Promise<MessagePage> {
  const params = { user_id: userId }
  const pages: [MessagePage, ...MessagePage[]] = [await call(listMessages, { params })]
  for (let count = pages[0].messages.length; pages[0].has_before && count < COPIED_MESSAGES;) {
    const before = String(pages[0].messages[0]?.seq ?? 0)
    const page = await call(listMessages, { params, query: { before } })
    pages.unshift(page)
    count += page.messages.length
  }
  return newestPage(pages)
}

/** Requests the smallest width of pictures, which the worker stores; none where the person saves data. */
async function loadPictures(ownerId: string, { messages }: MessagePage): Promise<void> {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  if (!navigator.serviceWorker?.controller || connection?.saveData) return
  const addresses = messages.flatMap(({ body }) =>
    body.is === 'unsent'
      ? []
      : body.media.flatMap((it) => (it.kind === 'image' ? it.sources[0]?.src : it.poster) ?? []),
  )
  const stored = await listPictures(ownerId)
  for (const src of addresses.slice(-PICTURES)) {
    const name = pictureName(new URL(src, location.origin).pathname)
    if (name && !stored.has(name.ref)) await fetch(src).catch(() => undefined)
  }
}
