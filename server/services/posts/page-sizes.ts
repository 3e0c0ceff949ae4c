// Page sizes of lists of posts.
import type { PageStart } from '#server/store/posts/posts.ts'

/**
 * The first page must be fast, and ten posts are two to six screens of a phone: the next page is requested while they
 * are read.
 */
const FIRST = 10
const LATER = 20

/**
 * Chooses between two statements made once each, one for a list's first page and one for all later ones.
 * @param prepare makes the statement of so many rows: one more than a page has, to know whether another follows
 */
export function postPages<Ask>(
  prepare: (rows: number) => Ask,
): (after: PageStart | undefined) => { ask: Ask; size: number } {
  const sized = (size: number) => ({ ask: prepare(size + 1), size })
  const [first, later] = [sized(FIRST), sized(LATER)]
  return (after) => (after ? later : first)
}
