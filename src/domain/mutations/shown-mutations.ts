// Computes what screens show of an account's mutations, from device, page and replies.
import { aboutOf, type Mutation } from '#contract/mutations/mutations.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'

/** Why a mutation waits: no network, or replies of another program than the server. */
export type MutationWait = false | 'network' | 'foreign'

export interface ShownMutation {
  readonly id: string
  readonly mutation: Mutation
  /** Handle of the author or person that it concerns. */
  readonly about: string
  readonly waits: MutationWait
  /** Whether only this page has it, since the device has no room. */
  readonly inPage: boolean
}
export interface RefusedMutation extends ShownMutation {
  readonly code: FailureCode
}

/** A mutation that is being stored on the device. */
export interface PressedMutation {
  readonly id: string
  readonly mutation: Mutation
  readonly about: string
  readonly ownerId: string
}

export interface ShownMutations {
  /** Unanswered mutations by their target (`aboutOf`), oldest first. */
  readonly open: ReadonlyMap<string, readonly ShownMutation[]>
  readonly refused: readonly RefusedMutation[]
  /** Number of mutations that wait in this page alone. */
  readonly waitInPage: number
  /** Number of mutations that wait because another program answers in place of the server. */
  readonly waitForeign: number
}

export interface MutationSources {
  /** Rows of the device. */
  readonly stored: readonly MutationJob[]
  /** Rows that only this page has. */
  readonly inMemory: readonly MutationJob[]
  /** Mutations that are being stored. */
  readonly pressed: readonly PressedMutation[]
  /** Ids of mutations whose reply has been applied. */
  readonly answered: ReadonlySet<string>
}

/** Rows that the server has not refused. */
export const openOf = (rows: readonly MutationJob[]): readonly MutationJob[] =>
  rows.filter(({ stage }) => stage.is !== 'failed')

/** Computes what screens show. A mutation that is both stored and in memory is shown once. */
export function shownOf({ stored, inMemory, pressed, answered }: MutationSources): ShownMutations {
  const open = new Map<string, ShownMutation[]>()
  const refused: RefusedMutation[] = []
  const inPage = new Set([...openOf(inMemory), ...pressed].map((it) => it.id))
  const storedIds = new Set(stored.map((it) => it.id))
  const list = ({ id, form, stage, ...job }: MutationJob, isInPage: boolean) => {
    const it = { id, mutation: form.mutation, about: form.about, waits: waitOf(job), inPage: isInPage }
    if (stage.is === 'failed') refused.push({ ...it, code: stage.code })
    else if (!answered.has(id)) add(open, it)
  }
  for (const job of stored) if (job.stage.is === 'failed' || !inPage.has(job.id)) list(job, false)
  for (const job of inMemory) if (job.stage.is !== 'failed' || !storedIds.has(job.id)) list(job, true)
  for (const { id, mutation, about } of pressed)
    add(open, { id, mutation, about, waits: false, inPage: false })
  const waiting = [...open.values()].flat().filter((it) => it.waits)
  const waitInPage = waiting.some((it) => it.inPage) ? openOf(inMemory).length : 0
  return { open, refused, waitInPage, waitForeign: waiting.filter((it) => it.waits === 'foreign').length }
}

/** Foreign replies before they are shown; a proxy may send one while the server restarts. */
const FOREIGN_ANSWERS = 2

function waitOf({ attempts, wait }: Pick<MutationJob, 'attempts' | 'wait'>): MutationWait {
  if (attempts === 0) return false
  return wait.foreign && attempts >= FOREIGN_ANSWERS ? 'foreign' : 'network'
}

function add(open: Map<string, ShownMutation[]>, it: ShownMutation): void {
  const target = aboutOf(it.mutation)
  const before = open.get(target) ?? []
  // A mutation after one that waits for the same target waits with it.
  const waits = it.waits || (before.find((other) => other.waits)?.waits ?? false)
  open.set(target, [...before, { ...it, waits }])
}
