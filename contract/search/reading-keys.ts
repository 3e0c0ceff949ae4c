// Names of what was read: the page's cache, the device's store of answers and the worker call one reading by one name.
import type { Endpoint } from '#contract/endpoint.ts'

/** One reading: the endpoint, whether it is one reply or a list's pages, and the arguments. */
export type ReadingKey = readonly [name: string, shape: 'one' | 'pages', args: unknown]

/** The name of one reply. */
export const oneKey = (endpoint: Endpoint, args: unknown): ReadingKey => [endpoint.name, 'one', args]

/** The name of a paged list; cached as `{ pages, pageParams }`, a first page with `null`. */
export const pagesKey = (endpoint: Endpoint, args: unknown): ReadingKey => [endpoint.name, 'pages', args]

/** A reading's name as text: the same whatever order its arguments were written in. */
export function answerKey(key: readonly unknown[]): string {
  return JSON.stringify(key, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
