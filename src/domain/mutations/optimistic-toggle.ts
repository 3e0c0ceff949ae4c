// What is switched on and off faster than the network answers: a heart, a follow. The last press shows.
import type { Act } from '#contract/mutations/mutations.ts'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { type ActWait, doAct, useOpenActs } from './mutations.ts'

export interface Switch {
  readonly on: boolean
  readonly waits: ActWait
  readonly set: (on: boolean) => void
}

/**
 * A switch as it is shown: how the server has it, unless the person has pressed it since.
 * @param about whose post, comment or profile it is about
 * @param says how the server has it
 */
export function useSwitch(acts: { on: Act; off: Act }, about: string, says: boolean): Switch {
  const last = useOpenActs(aboutOf(acts.on)).at(-1)
  return {
    on: last ? last.act.name === acts.on.name : says,
    waits: last?.waits ?? false,
    set: (on) => void doAct(on ? acts.on : acts.off, about),
  }
}

/** How many have done it, with the person's own press counted. */
export const countWith = (count: number, says: boolean, on: boolean): number =>
  says === on ? count : Math.max(0, count + (on ? 1 : -1))
