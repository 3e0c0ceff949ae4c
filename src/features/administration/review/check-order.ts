// The order of identity checks, by which the next and the previous one are found.
import type { CheckView } from '#contract/identity/admin-identity.ts'
import type { CheckList } from '#contract/identity/check-lists.ts'

type Placed = Pick<CheckView, 'id' | 'submitted_at'>

/** Times are ISO 8601 in UTC with milliseconds, so that their text has their order. */
function compare(one: Placed, other: Placed): number {
  if (one.submitted_at !== other.submitted_at) return one.submitted_at < other.submitted_at ? -1 : 1
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

/**
 * The checks before and after one, which may have left the list since: it was taken, or decided.
 * @param checks of the list in its order: decided ones latest first, others oldest first
 */
export function neighbours(
  checks: readonly Placed[],
  of: Placed,
  list: CheckList,
): { readonly previous: string | undefined; readonly next: string | undefined } {
  const direction = list === 'decided' ? -1 : 1
  const place = (it: Placed) => compare(it, of) * direction
  return {
    previous: checks.findLast((it) => place(it) < 0)?.id,
    next: checks.find((it) => place(it) > 0)?.id,
  }
}

/** The waiting check to decide after one: the first that the admin can take. */
export const nextToDecide = (
  waiting: readonly Pick<CheckView, 'id' | 'takeable'>[],
  decided: string,
): string | undefined => waiting.find((it) => it.takeable && it.id !== decided)?.id
