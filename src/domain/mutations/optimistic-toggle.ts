// Optimistic toggles: a like or a follow shows the last press at once, whatever the network does.
import type { Mutation } from '#contract/mutations/mutations.ts'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { mutate, useOpenMutations } from './mutations.ts'
import type { MutationWait } from './shown-mutations.ts'

export interface OptimisticToggle {
  readonly on: boolean
  readonly waits: MutationWait
  readonly set: (on: boolean) => void
}

/**
 * A switch as it is shown: how the server has it, unless the person has pressed it since.
 * @param about whose post, comment or profile it is about
 * @param says how the server has it
 */
export function useOptimisticToggle(
  acts: { on: Mutation; off: Mutation },
  about: string,
  says: boolean,
): OptimisticToggle {
  const last = useOpenMutations(aboutOf(acts.on)).at(-1)
  return {
    on: last ? last.mutation.name === acts.on.name : says,
    waits: last?.waits ?? false,
    set: (on) => void mutate(on ? acts.on : acts.off, about),
  }
}

/** How many have done it, with the person's own press counted. */
export const countWith = (count: number, says: boolean, on: boolean): number =>
  says === on ? count : Math.max(0, count + (on ? 1 : -1))
