// The plans that an author may choose for a post.
import type { OwnPlan } from '#contract/plans/plans.ts'

/** Own plans that have not ended, and those that were chosen before they ended. Undefined while they are read. */
export function choosablePlans(
  plans: readonly OwnPlan[] | undefined,
  chosenIds: readonly string[],
): readonly OwnPlan[] | undefined {
  return plans?.filter((it) => it.state !== 'ended' || chosenIds.includes(it.id))
}
