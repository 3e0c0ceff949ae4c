// Copies of conversations on the device: the newest messages of each, readable without network.
import * as v from 'valibot'
import { listMessages, type MessagePage, type MessageView } from '#contract/messages/messages.ts'
import { pagesKey, responseKey } from '#contract/search/reading-keys.ts'
import { readResponse } from './responses.ts'

/** Messages that are stored of a conversation. */
export const COPIED_MESSAGES = 200
/** Conversations that are stored, by their newest message. */
export const COPIED_CONVERSATIONS = 50

/** The messages of pages in their order, each once and as it was changed last. */
export function messagesOf(pages: readonly MessagePage[]): MessageView[] {
  const bySeq = new Map<number, MessageView>()
  for (const page of pages)
    for (const it of page.messages) {
      const before = bySeq.get(it.seq)
      if (!before || before.change <= it.change) bySeq.set(it.seq, it)
    }
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq)
}

/**
 * The newest messages of adjoining pages as one page. It has every change up to the lowest number of its pages.
 * @param pages at least one, oldest first
 */
export function newestPage(pages: readonly [MessagePage, ...MessagePage[]]): MessagePage {
  const all = messagesOf(pages)
  const messages = all.slice(-COPIED_MESSAGES)
  const lowest = (of: (page: MessagePage) => number) => Math.min(...pages.map(of))
  return {
    messages,
    has_before: pages[0].has_before || messages.length < all.length,
    has_after: pages.at(-1)?.has_after ?? false,
    last_change: lowest((it) => it.last_change),
    last_deletion: lowest((it) => it.last_deletion),
  }
}

/**
 * The newest messages, with older ones of a former copy where nothing is missing between them.
 * @param newest a page without messages after it
 */
export function withOlder(newest: MessagePage, former: MessagePage | undefined): MessagePage {
  const first = newest.messages[0]
  if (!first || !former || !newest.has_before) return newest
  const last = former.messages.at(-1)
  const older = former.messages.filter((it) => it.seq < first.seq)
  if (older.length === 0 || !last || last.seq < first.seq - 1) return newest
  return newestPage([{ ...former, messages: older, has_after: true }, newest])
}

/** The key under which the copy of the messages with a person is stored, as a list of pages. */
export const copyKey = (userId: string): string =>
  responseKey(pagesKey(listMessages, { params: { user_id: userId } }))

const stored = v.object({ pages: v.tuple([listMessages.reply]) })

/** A stored copy as one page, and when it was last confirmed, ms since 1970; undefined without one that can be read. */
export async function readCopy(
  ownerId: string,
  userId: string,
): Promise<{ page: MessagePage; at: number } | undefined> {
  const response = await readResponse(ownerId, copyKey(userId))
  const parsed = v.safeParse(stored, response?.value)
  return response && parsed.success ? { page: parsed.output.pages[0], at: response.at } : undefined
}

/** A copy as the response cache stores it. */
export const copyOf = (page: MessagePage) => ({ pages: [page], pageParams: [null] })
