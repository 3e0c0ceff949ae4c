// Pages of a conversation's messages: merges new and changed messages. Pure.
import type { MessagePage, MessageView } from '#contract/messages/messages.ts'
import { messagesOf } from '#device/cache/message-copies.ts'

/** A place at which a page begins; `{}` is the newest messages. */
export interface PageStart {
  readonly before?: string
  readonly after?: string
  readonly around?: string
}

/** Pages of one query, oldest first. */
export interface MessagePages {
  pages: MessagePage[]
  pageParams: unknown[]
}

/** What a reply says about messages: changed ones, and ids of those that the viewer has deleted. */
export interface MessageChanges {
  readonly messages: readonly MessageView[]
  readonly deleted: readonly string[]
}

/** The messages of all pages in their order, each once. */
export const messagesIn = ({ pages }: Pick<MessagePages, 'pages'>): MessageView[] => messagesOf(pages)

/** The numbers up to which the pages have all changes: of pages read one after the other, the lowest. */
export function changesSeen({ pages }: MessagePages): { after: number; deletedAfter: number } {
  const lowest = (of: (page: MessagePage) => number) => Math.min(...pages.map(of))
  return {
    after: lowest((it) => it.last_change),
    deletedAfter: lowest((it) => it.last_deletion),
  }
}

/**
 * Adds changes to pages. A message that no page has is added between the first and the last one of the pages, or beyond
 * an end that has no more; every other one is read when the person scrolls there.
 */
export function withChanges(data: MessagePages, { messages, deleted }: MessageChanges): MessagePages {
  const gone = new Set(deleted)
  const changed = new Map(messages.filter((it) => !gone.has(it.id)).map((it) => [it.id, it]))
  const present = new Set(data.pages.flatMap((page) => page.messages.map((it) => it.id)))
  const range = rangeOf(data)
  const added = [...changed.values()].filter(
    (it) => !present.has(it.id) && it.seq > range.after && it.seq < range.before,
  )
  const pages = data.pages.map((page, i) => {
    const own = page.messages.flatMap((it) => {
      const newer = changed.get(it.id)
      if (gone.has(it.id)) return []
      return newer && newer.change > it.change ? newer : it
    })
    const more = added.filter((it) => pageOf(data, it.seq) === i)
    const isSame = own.length === page.messages.length && own.every((it, n) => it === page.messages[n])
    if (isSame && more.length === 0) return page
    return { ...page, messages: [...own, ...more].toSorted((a, b) => a.seq - b.seq) }
  })
  return pages.every((page, i) => page === data.pages[i]) ? data : { ...data, pages }
}

/** The sequence numbers between which the pages have every message. */
function rangeOf({ pages }: MessagePages): { after: number; before: number } {
  const all = pages.flatMap((page) => page.messages.map((it) => it.seq))
  return {
    after: pages[0]?.has_before ? Math.min(...all) : 0,
    before: pages.at(-1)?.has_after ? Math.max(...all) : Number.POSITIVE_INFINITY,
  }
}

/** The index of the page in which a sequence number belongs: the last one that begins before it. */
function pageOf({ pages }: MessagePages, seq: number): number {
  return Math.max(
    0,
    pages.findLastIndex(({ messages: [first] }) => first !== undefined && first.seq < seq),
  )
}

/** Notes that the pages have all changes up to these numbers; numbers do not decrease. */
export function seenUpTo(data: MessagePages, after: number, deletedAfter: number): MessagePages {
  const isSeen = (page: MessagePage) => page.last_change >= after && page.last_deletion >= deletedAfter
  if (data.pages.every(isSeen)) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      last_change: Math.max(page.last_change, after),
      last_deletion: Math.max(page.last_deletion, deletedAfter),
    })),
  }
}
