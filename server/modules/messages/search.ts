// One page of the viewer's messages that match a search.
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { searchMessages } from '#contract/messages/search.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { searchFor, searchTermsOf } from '#server/rules/search-grams.ts'
import { conversationIdOf } from '#server/store/messages/contacts.ts'
import { messageSearches, placeOfFound } from '#server/store/messages/message-search.ts'
import { findPeople } from '#server/store/people/people.ts'
import { messageViews, otherView } from './views.ts'

/** Messages of one page of results. */
const PAGE = 20
const DAY = 24 * 3600_000

const readPage = messageSearches(PAGE + 1)

/** The beginning of a day in Tokyo. */
const dayOf = (day: string): Date => new Date(`${day}T00:00:00+09:00`)

export async function findMessages(
  deps: Deps,
  viewerId: string,
  query: QueryOf<typeof searchMessages>,
): Promise<ReplyOf<typeof searchMessages>> {
  const words = searchFor(searchTermsOf(query.q))
  if (!words) return { hits: [], next: null }
  const conversationId =
    query.user_id === undefined ? undefined : await conversationIdOf(deps.db, viewerId, query.user_id)
  if (conversationId === null) return { hits: [], next: null }
  const filters = {
    conversationId,
    isOwn: query.from && query.from === 'me',
    has: query.has,
    since: query.since === undefined ? undefined : dayOf(query.since),
    before: query.until === undefined ? undefined : new Date(dayOf(query.until).getTime() + DAY),
  }
  const rows = await readPage(deps.db, viewerId, words, { filters, after: timeCursor.read(query.cursor) })
  const shown = rows.slice(0, PAGE)
  const people = await findPeople(
    deps.db,
    shown.map((it) => it.otherId),
  )
  const views = await messageViews(deps, viewerId, shown)
  const last = shown.at(-1)
  return {
    hits: views.map((message, i) => {
      const otherId = shown[i]?.otherId ?? ''
      return { person: otherView(otherId, people.get(otherId)), message }
    }),
    next: last && rows.length > PAGE ? timeCursor.write(placeOfFound(last)) : null,
  }
}
