// Finds the failures that a change of a job adds. Pure.
import type { AnyJob } from './kind.ts'

export interface Failure {
  /** The job itself has failed now. */
  readonly ended: boolean
  /** Codes of all failures, files first; empty when none is new. */
  readonly codes: readonly string[]
}

function failuresOf({ files = [], stage }: AnyJob): string[] {
  const ofFiles = files.flatMap(({ state }) => (state.is === 'failed' ? [state.code] : []))
  return stage.code === undefined ? ofFiles : [...ofFiles, stage.code]
}

/** The failures that one event adds; they are logged (specification section 8). */
export function failureBetween(before: AnyJob, after: AnyJob): Failure {
  const codes = failuresOf(after)
  return {
    ended: before.stage.is !== 'failed' && after.stage.is === 'failed',
    codes: codes.length > failuresOf(before).length ? codes : [],
  }
}
