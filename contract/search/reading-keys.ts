// Keys of cached responses, equal in the page, on the device and in the worker.
import type { Endpoint } from '#contract/endpoint.ts'

/** One reading: the endpoint, whether it is one reply or a list's pages, and the arguments. */
export type ReadingKey<Name extends string = string> = readonly [
  name: Name,
  shape: 'one' | 'pages',
  args: unknown,
]

type Named<Name extends string> = Pick<Endpoint, 'method'> & { readonly name: Name }

/** The name of one reply. */
export const oneKey = <Name extends string>({ name }: Named<Name>, args: unknown): ReadingKey<Name> => [
  name,
  'one',
  args,
]

/** The name of a paged list; cached as `{ pages, pageParams }`, a first page with `null`. */
export const pagesKey = <Name extends string>({ name }: Named<Name>, args: unknown): ReadingKey<Name> => [
  name,
  'pages',
  args,
]

/** The key of a request as text; the order of its arguments does not matter. */
export function responseKey(key: readonly unknown[]): string {
  return JSON.stringify(key, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
