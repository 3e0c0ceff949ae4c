// A file of a delivery as the specification defines it (sections 3 and 4). Pure.
import { extensionOf } from '#contract/posts/media.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { ackedOf, uploadOf, remainingFiles, type JobFile } from '#device/jobs/file-row.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import type { Media } from '#device/database/schema.ts'
import type { BytesLocation } from '#src/domain/media/delivery-status.ts'

export type FileState = 'new' | 'started' | 'paused' | 'complete' | 'errored' | 'processing'

export interface UploadedFile {
  id: string
  kind: Media['kind']
  state: FileState
  name: string
  /** Bytes. */
  size: number
  /** Media type reported by the device; '' for none. */
  type: string
  /** Lower case, without the dot. */
  extension: string
  meta: { alt: string; duration: number | null }
  progress: {
    /** Bytes the server has. */
    bytesUploaded: number
    bytesTotal: number
    /** 0..100, whole; 100 only when the server has every byte. */
    percentage: number
    uploadComplete: boolean
    uploadStarted: boolean
  }
  isPaused: boolean
  /** Why this file or its whole post failed. */
  error: FailureCode | null
  /** Whether this file itself failed. */
  failedAlone: boolean
  /** Whether its bytes are incomplete on this device. */
  isGhost: boolean
  /** Where its bytes are; a lost file must be picked again. */
  bytesAt: BytesLocation
}

/**
 * One file of a job.
 * @param row the device's row of the file; `undefined` if there is none
 * @param away whether the page that held the file is closed
 */
export function uploadedFile(job: Job, it: JobFile, row: Media | undefined, away = false): UploadedFile {
  const { state, size } = it
  const acked = ackedOf(it)
  const name = row?.name ?? ''
  return {
    id: it.id,
    kind: row?.kind ?? (job.kind === 'post' && job.form.kind === 'video' ? 'video' : 'image'),
    state: stateOf(job, it),
    name,
    size,
    type: row?.mime ?? '',
    extension: extensionOf(name),
    meta: { alt: row?.alt ?? '', duration: row?.duration ?? null },
    progress: {
      bytesUploaded: acked,
      bytesTotal: size,
      percentage: state.is === 'sent' ? 100 : Math.min(99, Math.floor((acked / Math.max(1, size)) * 100)),
      uploadComplete: state.is === 'sent',
      uploadStarted: uploadOf(it) !== null,
    },
    isPaused: isPaused(it),
    error: state.is === 'failed' ? state.code : sharedFailure(job),
    failedAlone: state.is === 'failed',
    isGhost: row === undefined || row.bytes.is === 'copying' || away,
    bytesAt: row?.bytes.is !== 'picked' ? 'device' : away ? 'lost' : 'page',
  }
}

const isPaused = ({ state }: JobFile): boolean =>
  state.is === 'paused' || (state.is === 'discarding' && state.next === 'pause')

/** Why a job failed as a whole; null if it failed because of one file. */
function sharedFailure({ stage, files }: Job): FailureCode | null {
  if (stage.is !== 'failed' || files.some(({ state }) => state.is === 'failed')) return null
  return stage.code
}

function stateOf(job: Job, file: JobFile): FileState {
  if (file.state.is === 'failed' || sharedFailure(job)) return 'errored'
  if (file.state.is === 'sent')
    return remainingFiles(job.files).every(({ state }) => state.is === 'sent') ? 'processing' : 'complete'
  if (isPaused(file)) return 'paused'
  return uploadOf(file) ? 'started' : 'new'
}
