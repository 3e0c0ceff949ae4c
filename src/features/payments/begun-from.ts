// The post at whose gate joining a plan began, until the buyer returns.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const begun = createPersistedValue(
  () => sessionStorage,
  'todoke.begun-from',
  v.object({ payment: id, post: id }),
)

/** Remembers the post; without one an earlier post is removed. */
export function saveBegunFrom(payment: string, post: string | undefined): void {
  if (post === undefined) begun.remove()
  else begun.save({ payment, post })
}

/** The post from which this payment began, in this tab. */
export function begunFrom(payment: string): string | undefined {
  const it = begun.read()
  return it?.payment === payment ? it.post : undefined
}
