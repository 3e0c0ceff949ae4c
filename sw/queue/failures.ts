// The failures by which two states of a job differ. Pure.
import type { AnyJob } from './kind.ts'

export interface Failure {
  /** The job itself has failed now. */
  readonly ended: boolean
  /** Codes of all that has failed, files first; empty when nothing new has. */
  readonly codes: readonly string[]
}

function failuresOf({ files = [], stage }: AnyJob): string[] {
  const ofFiles = files.flatMap(({ state }) => (state.is === 'failed' ? [state.code] : []))
  return stage.is === 'failed' && stage.code !== undefined ? [...ofFiles, stage.code] : ofFiles
}

/** What failed by one event; section 8 of the specification has it logged. */
export function failureBetween(before: AnyJob, after: AnyJob): Failure {
  const codes = failuresOf(after)
  return {
    ended: before.stage.is !== 'failed' && after.stage.is === 'failed',
    codes: codes.length > failuresOf(before).length ? codes : [],
  }
}
