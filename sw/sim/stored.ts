// The device's stored deliveries, and which changes of them a power cut may undo.
import { isDeepStrictEqual } from 'node:util'
import { urlOf, type JobFile } from '#device/jobs/file-row.ts'
import type { Preupload, Job } from '#device/jobs/job-rows.ts'
import type { Draft, Receipt } from '#device/database/schema.ts'

/** Rows by their ids. */
export interface Stored {
  jobs: Map<string, Job>
  early: Map<string, Preupload>
  drafts: Map<string, Draft>
  receipts: Map<string, Receipt>
}

export const noRows = (): Stored => ({
  jobs: new Map(),
  early: new Map(),
  drafts: new Map(),
  receipts: new Map(),
})

/** What no transaction over these stores writes can be had again. */
export const strictStores: ReadonlySet<string> = new Set([
  'acts',
  'chunks',
  'identity',
  'media',
  'session',
  'shared',
])

/** What the server may lose: how far each file is, and values that follow from it. */
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
  const isUnderWay = state.is === 'waiting' || state.is === 'sending' || state.is === 'sent'
  return isUnderWay ? { is: 'sending', url: urlOf(file) } : { ...state, upload: null, url: urlOf(file) }
}
