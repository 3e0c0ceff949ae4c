// The stored deliveries of a device, and which changes a power cut may undo.
import { isDeepStrictEqual } from 'node:util'
import { urlOf, type JobFile } from '#device/jobs/file-row.ts'
import type { Preupload, Job } from '#device/jobs/job-rows.ts'
import type { Draft, Receipt } from '#device/database/schema.ts'

/** Rows by their ids. */
export interface StoredRows {
  jobs: Map<string, Job>
  early: Map<string, Preupload>
  drafts: Map<string, Draft>
  receipts: Map<string, Receipt>
}

export const noRows = (): StoredRows => ({
  jobs: new Map(),
  early: new Map(),
  drafts: new Map(),
  receipts: new Map(),
})

/** Stores whose rows cannot be restored from the server: their transactions must be strict. */
export const strictStores: ReadonlySet<string> = new Set([
  'acts',
  'chunks',
  'identity',
  'media',
  'messageDrafts',
  'session',
  'shared',
])

/** Whether a change may be lost: it affects only offsets of files, and values that follow from the server's replies. */
export function mayBeLost(before: Job, after: Job): boolean {
  const rest = (job: Job) => ({
    ...job,
    attempts: 0,
    wait: null,
    stage: job.stage.is === 'failed' ? { is: 'open' } : job.stage,
    files: job.files.map((file) => ({ ...file, state: stateWithoutOffset(file) })),
  })
  return isDeepStrictEqual(rest(before), rest(after))
}

function stateWithoutOffset(file: JobFile): object {
  const { state } = file
  const isInProgress = state.is === 'waiting' || state.is === 'sending' || state.is === 'sent'
  return isInProgress ? { is: 'sending', url: urlOf(file) } : { ...state, upload: null, url: urlOf(file) }
}
