// A file on its way, with the fields of the specification's uploaded file (section 3) and its states (section 4). Pure.
import { extensionOf } from '#contract/posts/media.ts'
import type { FailureCode, Job, JobFacts, Media, MediaFacts } from '#device/database/schema.ts'

export type FileState = 'new' | 'started' | 'paused' | 'complete' | 'errored' | 'processing'

/** The device itself, an open page where the device had no room, or nobody since that page was closed. */
export type Keeper = 'device' | 'page' | 'nobody'

export interface UploadedFile {
  id: string
  kind: Media['kind']
  state: FileState
  name: string
  /** Bytes. */
  size: number
  /** As the device named it when the file was picked; '' when it did not. */
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
  /** Why this file, or else its whole post, failed. */
  error: FailureCode | null
  /** This file failed, whatever became of its post. */
  failedAlone: boolean
  /** Its bytes are not whole on this device. */
  isGhost: boolean
  /** Who has its bytes; a file that nobody has can only be picked again. */
  keeper: Keeper
}

/**
 * One file of a job.
 * @param row what the device keeps of the file; `undefined` when it keeps nothing
 * @param away the page that kept the file is closed
 */
export function uploadedFile(job: Job, it: MediaFacts, row: Media | undefined, away = false): UploadedFile {
  const { facts } = job
  const name = row?.name ?? ''
  return {
    id: it.id,
    kind: row?.kind ?? (job.kind === 'post' && job.form.kind === 'video' ? 'video' : 'image'),
    state: stateOf(facts, it),
    name,
    size: it.size,
    type: row?.mime ?? '',
    extension: extensionOf(name),
    meta: { alt: row?.alt ?? '', duration: row?.duration ?? null },
    progress: {
      bytesUploaded: it.acked,
      bytesTotal: it.size,
      percentage: it.done ? 100 : Math.min(99, Math.floor((it.acked / Math.max(1, it.size)) * 100)),
      uploadComplete: it.done,
      uploadStarted: it.begun || it.acked > 0,
    },
    isPaused: it.paused && !it.done,
    error: it.failed ?? (sharesFailure(facts) && facts.ending.is === 'failed' ? facts.ending.code : null),
    failedAlone: Boolean(it.failed),
    isGhost: row === undefined || row.bytes.is === 'copying' || away,
    keeper: row?.bytes.is !== 'picked' ? 'device' : away ? 'nobody' : 'page',
  }
}

/** A post that failed for one of its files has not failed for the others. */
function sharesFailure(facts: JobFacts): boolean {
  return facts.ending.is === 'failed' && !facts.media.some((it) => it.failed)
}

function stateOf(facts: JobFacts, it: MediaFacts): FileState {
  if (it.failed || sharesFailure(facts)) return 'errored'
  if (it.done) return facts.media.every((each) => each.done || each.dropped) ? 'processing' : 'complete'
  if (it.paused) return 'paused'
  return it.begun || it.acked > 0 ? 'started' : 'new'
}
