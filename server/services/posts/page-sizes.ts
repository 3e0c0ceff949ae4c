// Page sizes of lists of posts.
import type { PageStart } from '#server/store/posts/posts.ts'

/** Size of the first page: small, so that it is fast. Ten posts fill two to six screens. */
const FIRST = 10
const LATER = 20

/**
 * Prepares two statements, one for a list's first page and one for all later ones, and returns their choice.
 * @param prepare makes the statement for a number of rows: one more than a page has, which shows whether a page follows
 */
export function postPages<Query>(
  prepare: (rows: number) => Query,
): (after: PageStart | undefined) => { query: Query; size: number } {
  const sized = (size: number) => ({ query: prepare(size + 1), size })
  const [first, later] = [sized(FIRST), sized(LATER)]
  return (after) => (after ? later : first)
}
