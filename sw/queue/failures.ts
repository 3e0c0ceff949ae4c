// What goes wrong for good between two states of a job. Pure.
import type { JobFacts } from '#device/database/schema.ts'

export interface Failure {
  /** The job itself has failed now. */
  readonly ended: boolean
  /** Codes of all that has failed, files first; empty when nothing new has. */
  readonly codes: readonly string[]
}

function failuresOf({ media, ending }: JobFacts): string[] {
  const ofFiles = media.flatMap((it) => (it.failed === null ? [] : [it.failed]))
  return ending.is === 'failed' ? [...ofFiles, ending.code] : ofFiles
}

/** What failed by one event; section 8 of the specification has it logged. */
export function failureBetween(before: JobFacts, after: JobFacts): Failure {
  const codes = failuresOf(after)
  return {
    ended: before.ending.is !== 'failed' && after.ending.is === 'failed',
    codes: codes.length > failuresOf(before).length ? codes : [],
  }
}
