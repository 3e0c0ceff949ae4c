// Optimistic toggles: a like or follow shows the last press before the server's reply.
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
 * The shown state of a toggle: the last unanswered press, else the server's state.
 * @param about name of the person whose post, comment or profile it concerns
 * @param onServer the server's state
 */
export function useOptimisticToggle(
  mutations: { on: Mutation; off: Mutation },
  about: string,
  onServer: boolean,
): OptimisticToggle {
  const last = useOpenMutations(aboutOf(mutations.on)).at(-1)
  return {
    on: last ? last.mutation.name === mutations.on.name : onServer,
    waits: last?.waits ?? false,
    set: (on) => void mutate(on ? mutations.on : mutations.off, about),
  }
}

/** The count, including the person's own unanswered press. */
export const countWith = (count: number, onServer: boolean, on: boolean): number =>
  onServer === on ? count : Math.max(0, count + (on ? 1 : -1))
