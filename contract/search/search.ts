// Search for posts and people, suggestions while typing, and frequent words.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { MAX_QUERY } from '#contract/limits.ts'
import { listedPerson, personView } from '#contract/people/people.ts'
import { postView } from '#contract/posts/posts.ts'
import { maxLength } from '#contract/rules.ts'
import { asLines } from '#contract/text/text-rule.ts'
import { searchMedia, searchPeriods, searchTypes } from './search-choices.ts'

/** What is searched for, as typed. Folding (`fold.ts`) comes later. */
export const searchText = v.pipe(
  v.string(),
  v.transform((it) => asLines(it).trim()),
  v.nonEmpty('required'),
  maxLength(MAX_QUERY),
)

const cursor = v.optional(v.pipe(v.string(), v.maxLength(200)))

/**
 * Released posts that contain every searched word, newest first, among those the caller may read in full: words of a
 * post that is closed to them find nothing. A page may be short and go on; `cursor` is the previous page's `next`.
 */
export const searchPosts = endpoint({
  name: 'searchPosts',
  method: 'GET',
  path: '/search/posts',
  audience: 'member',
  summary: '投稿を検索します（新しい順）',
  query: v.object({
    q: searchText,
    cursor,
    type: v.optional(v.picklist(searchTypes)),
    media: v.optional(v.picklist(searchMedia)),
    period: v.optional(v.picklist(searchPeriods)),
  }),
  reply: v.object({ posts: v.array(postView), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** People by name, handle and biography, the nearest first. */
export const searchPeople = endpoint({
  name: 'searchPeople',
  method: 'GET',
  path: '/search/people',
  audience: 'member',
  summary: 'ユーザーを検索します',
  query: v.object({ q: searchText, cursor }),
  reply: v.object({ people: v.array(listedPerson), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** Suggestions while typing: frequent words that begin with the text, and people whose names match. */
export const suggestSearch = endpoint({
  name: 'suggestSearch',
  method: 'GET',
  path: '/search/suggestions',
  audience: 'member',
  summary: '検索の候補',
  query: v.object({ q: searchText }),
  reply: v.object({ words: v.array(v.string()), people: v.array(personView) }),
  errors: ['unauthenticated'],
})

/** Words that many people searched for recently, the most frequent first. */
export const listTrending = endpoint({
  name: 'listTrending',
  method: 'GET',
  path: '/search/trending',
  audience: 'member',
  summary: 'よく検索されているキーワード',
  reply: v.object({ words: v.array(v.string()) }),
  errors: ['unauthenticated'],
})
