// One page of posts that match the search in what the viewer may read.
import { MIN_AGE } from '#contract/limits.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { ageOn } from '#contract/rules.ts'
import type { SearchMedia, SearchPeriod, SearchType } from '#contract/search/search-choices.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { postPages } from '#server/services/posts/page-sizes.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { allTextsOf } from '#server/rules/post-texts.ts'
import { containsAll, searchFor, searchTermsOf } from '#server/rules/search-grams.ts'
import type { Db } from '#server/store/database.ts'
import type { Reader } from '#server/services/replicas/reads.ts'
import type { PageStart } from '#server/store/posts/posts.ts'
import { factsOfPosts, rowsOfPosts } from '#server/store/posts/post-facts.ts'
import { guardFound, postSearches } from '#server/store/search/posts.ts'
import { privacyOf } from '#server/store/accounts/settings.ts'
import { viewFacts } from '#server/services/posts/post-view.ts'

const pageAfter = postPages(postSearches)
const DAY = 24 * 3600_000
const daysOf: Record<SearchPeriod, number> = { day: 1, week: 7, month: 30 }
const typeOf: Record<SearchType, 1 | 2 | 3> = { '1': 1, '2': 2, '3': 3 }

export interface PostSearch {
  readonly q: string
  readonly after: PageStart | undefined
  readonly type?: SearchType | undefined
  readonly media?: SearchMedia | undefined
  readonly period?: SearchPeriod | undefined
}

interface Page {
  readonly posts: PostView[]
  /** Where the next page begins; null at the end. */
  readonly next: string | null
}

/**
 * The store selects posts by what the viewer may read of them, and the access policy decides each again: a closed post is found by its
 * open title and introduction alone. A post that the policy
 * withholds makes the page shorter and is never the place at which the next page begins.
 */
export async function findPosts(
  deps: Deps,
  viewer: Viewer,
  search: PostSearch,
  reader: Reader,
): Promise<Page> {
  const terms = searchTermsOf(search.q)
  const words = searchFor(terms)
  if (!words) return { posts: [], next: null }
  const { db, reads } = deps
  const now = deps.clock()
  const seesAgeLimited =
    ageOn(viewer.birthDate, now) >= MIN_AGE && (await privacyOf(db, viewer.id)).showsAgeLimited
  const since = search.period && new Date(now - daysOf[search.period] * DAY)
  const filters = { type: search.type && typeOf[search.type], media: search.media, since }
  const page = { filters, after: search.after, now }
  const { query: readPage, size } = pageAfter(search.after)
  const searcher = { id: viewer.id, seesAgeLimited }
  const idsIn = async (either: Db) => (await readPage(either, searcher, words, page)).map((row) => row.id)
  const rows = await reads.page(reader, {
    find: async (replica) => rowsOfPosts(replica, viewer.id, await idsIn(replica), now),
    check: (found) => guardFound(db, searcher, now, found),
    whole: async () => factsOfPosts(db, viewer.id, await idsIn(db), now),
  })
  const views = await viewFacts(deps, viewer, rows.slice(0, size), now)
  const posts = views.filter((it) => it.access.is === 'full' || containsAll(openTextOf(it), terms))
  const shown = new Set(posts.map((it) => it.id))
  const last = rows.length > size ? rows.findLast((row) => shown.has(row.id)) : undefined
  return { posts, next: last ? timeCursor.write(postPlace(last)) : null }
}

const openTextOf = ({ title = '', introduction = '' }: PostView): string =>
  allTextsOf({ title, introduction, content: '' })
