// The row of a cached response.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { picturesIn } from './picture-names.ts'
import { accessEndOf } from './access-expiry.ts'

export const responseRow = v.object({
  ownerId: id,
  /** The endpoint and its arguments (contract/search/reading-keys.ts). */
  key: v.string(),
  /** The reply as JSON, and how many characters that is. */
  text: v.string(),
  size: v.number(),
  /** When the server gave it, ms since 1970. */
  at: v.number(),
  /** When the viewer's access to a post in it first ends, ms since 1970. */
  until: v.nullable(v.number()),
  /** The pictures that it names (picture-names.ts); they are evicted with it. */
  pictures: v.optional(v.array(v.string()), []),
})
export type CachedResponse = v.InferOutput<typeof responseRow>

export interface NewResponse {
  ownerId: string
  /** `answerKey` of contract/search/reading-keys.ts. */
  key: string
  /** The parsed reply, or `{ pages, pageParams }` of a list. */
  value: unknown
  /** When the server gave it, ms since 1970. */
  at: number
}

/** Makes the row of a response. */
export function responseRowOf({ ownerId, key, value, at }: NewResponse): CachedResponse {
  const text = JSON.stringify(value)
  const until = accessEndOf(value, ownerId, at) ?? null
  return { ownerId, key, text, size: text.length, at, until, pictures: picturesIn(text) }
}

/** The parsed response of a row; `undefined` where its text is no JSON. */
export function valueOf({ text }: CachedResponse): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
