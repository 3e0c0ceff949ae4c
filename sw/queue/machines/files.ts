// The machine of a job's files, which the kinds with files share. Pure.
import { isRemovedFile, uploadOf, urlOf, remainingFiles, type JobFile } from '#device/jobs/file-row.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { unpaused } from '#device/jobs/new-files.ts'
import type { CommonEvent, FileEvent } from '#sw/queue/events.ts'
import { applyRetry, noWait, progressed } from '#sw/queue/waits.ts'

/** The part of a job that its files change. */
export type WithFiles = Pick<FileJob, 'files' | 'attempts' | 'wait'>

/** How often one file is sent again from its first byte before the job fails. */
export const MAX_RESENDS = { digest: 1, gone: 3 } as const

/** A step for a file. */
export type FileStep =
  /** Sends the file's bytes from the server's offset. */
  | { do: 'send'; fileId: string }
  /** Removes the file's bytes from the server. */
  | { do: 'discard'; fileId: string }

/** The file whose bytes are to be removed from the server next. */
export function nextDiscard({ files }: WithFiles): FileStep | undefined {
  const file = files.find(({ state }) => state.is === 'discarding')
  return file && { do: 'discard', fileId: file.id }
}

/** The file to be sent next; undefined when all are sent, paused or refused. */
export function nextSend({ files }: WithFiles): FileStep | undefined {
  const file = files.find(({ state }) => state.is === 'waiting' || state.is === 'sending')
  return file && { do: 'send', fileId: file.id }
}

/** Whether the server has every file that is wanted. */
export const areSent = ({ files }: WithFiles): boolean =>
  remainingFiles(files).every(({ state }) => state.is === 'sent')

/** Changes one file. */
function withFile<J extends WithFiles>(job: J, fileId: string, to: (file: JobFile) => JobFile): J {
  let changed = false
  const files = job.files.map((it) => {
    const next = it.id === fileId ? to(it) : it
    changed ||= next !== it
    return next
  })
  return changed ? { ...job, files } : job
}

/** Applies an event of one file to its job. `gone` is handled by the kind, since it may fail the job (see `resend`). */
export function applyFile<J extends WithFiles>(job: J, event: Exclude<FileEvent, { type: 'gone' }>): J {
  switch (event.type) {
    case 'created': {
      // The server answers again: the reason of the wait no longer holds.
      const answered = job.wait.why || job.wait.foreign ? { ...job, wait: noWait } : job
      return withFile(answered, event.fileId, (it) => created(it, event.url))
    }
    case 'accepted':
      return accept(job, event.fileId, event.offset)
    case 'discarded':
      return discarded(job, event.fileId)
    case 'fileRefused':
      return refuse(job, event.fileId, event.code)
    default:
      return event satisfies never
  }
}

function created(file: JobFile, url: string): JobFile {
  const { state } = file
  switch (state.is) {
    case 'sent':
    case 'discarding':
      return file
    case 'waiting':
      return { ...file, state: { is: 'sending', upload: { acked: 0, url } } }
    case 'sending':
    case 'paused':
    case 'failed':
      if (state.upload?.url === url) return file
      return { ...file, state: { ...state, upload: { acked: state.upload?.acked ?? 0, url } } }
    default:
      return state satisfies never
  }
}

function accept<J extends WithFiles>(job: J, fileId: string, offset: number): J {
  const before = job.files.find((it) => it.id === fileId)
  if (!before) return job
  const next = withFile(job, fileId, (it) => accepted(it, offset))
  if (next === job) return job
  const acked = uploadOf(before)?.acked ?? 0
  return offset > acked || offset === before.size ? progressed(next) : next
}

/** The server has `offset` bytes. Its answer counts even when it has fewer than before. */
function accepted(file: JobFile, offset: number): JobFile {
  const { state, size } = file
  if (state.is === 'discarding') return file
  const before = uploadOf(file)
  const upload = { acked: Math.min(offset, size), url: before?.url ?? null }
  if (state.is === 'failed')
    return before?.acked === upload.acked ? file : { ...file, state: { ...state, upload } }
  if (offset === size) return state.is === 'sent' ? file : { ...file, state: { is: 'sent', url: upload.url } }
  if (before?.acked === upload.acked) return file
  return { ...file, state: { is: state.is === 'paused' ? 'paused' : 'sending', upload } }
}

function discarded<J extends WithFiles>(job: J, fileId: string): J {
  const next = withFile(job, fileId, (it) => {
    if (it.state.is !== 'discarding' || it.state.next === 'remove') return it
    return { ...it, state: it.state.next === 'pause' ? { is: 'paused', upload: null } : { is: 'waiting' } }
  })
  const files = next.files.filter((it) => it.id !== fileId || !isRemovedFile(it))
  if (next === job && files.length === job.files.length) return job
  return progressed({ ...next, files })
}

function refuse<J extends WithFiles>(job: J, fileId: string, code: FailureCode): J {
  const next = withFile(job, fileId, (it) =>
    it.state.is === 'sent' || it.state.is === 'discarding'
      ? it
      : { ...it, state: { is: 'failed', code, upload: uploadOf(it) } },
  )
  return next === job ? job : progressed(next)
}

/** Lets a refused file, or every one, be sent again. */
export function retryRefused<J extends WithFiles>(job: J, fileId: string | undefined): J {
  const isHit = (it: JobFile) => it.state.is === 'failed' && (fileId === undefined || it.id === fileId)
  if (!job.files.some(isHit)) return job
  return { ...job, files: job.files.map((it) => (isHit(it) ? unpaused(it) : it)) }
}

/** The code of a refused file, once nothing else is left to send: the job waits for the person. */
export function stuckCode({ files }: WithFiles): FailureCode | undefined {
  const wanted = remainingFiles(files)
  const failed = wanted.flatMap(({ state }) => (state.is === 'failed' ? [state.code] : []))
  return wanted.every(({ state }) => state.is === 'sent' || state.is === 'failed') ? failed[0] : undefined
}

/** Pauses or resumes one file, or every one that is not sent. */
export function pause<J extends WithFiles>(job: J, fileId: string | undefined, isPaused: boolean): J {
  let changed = false
  const files = job.files.map((it) => {
    const next = fileId === undefined || it.id === fileId ? (isPaused ? pausedFile(it) : resumedFile(it)) : it
    changed ||= next !== it
    return next
  })
  return changed ? { ...job, files, wait: job.wait.told ? job.wait : noWait } : job
}

function pausedFile(file: JobFile): JobFile {
  const { state } = file
  if (state.is === 'waiting' || state.is === 'sending')
    return { ...file, state: { is: 'paused', upload: uploadOf(file) } }
  return state.is === 'discarding' && state.next === 'send'
    ? { ...file, state: { ...state, next: 'pause' } }
    : file
}

function resumedFile(file: JobFile): JobFile {
  const { state } = file
  if (state.is === 'paused') return unpaused(file)
  return state.is === 'discarding' && state.next === 'pause'
    ? { ...file, state: { ...state, next: 'send' } }
    : file
}

/**
 * Sends files again from their first byte, because the server lost them or has wrong bytes.
 * @returns the job; undefined when one of them was sent again too often
 */
export function resend<J extends WithFiles>(
  job: J,
  fileIds: readonly string[],
  why: 'digest' | 'gone',
): J | undefined {
  const hit = job.files.filter((it) => fileIds.includes(it.id) && it.state.is !== 'discarding')
  if (hit.length === 0) return job
  if (hit.some((it) => it.resends[why] >= MAX_RESENDS[why])) return undefined
  const files = job.files.map((it): JobFile => {
    if (!hit.includes(it)) return it
    const isPaused = it.state.is === 'paused'
    const resends = { ...it.resends, [why]: it.resends[why] + 1 }
    if (why === 'digest')
      return {
        ...it,
        resends,
        state: { is: 'discarding', url: urlOf(it), next: isPaused ? 'pause' : 'send' },
      }
    return { ...it, resends, state: isPaused ? { is: 'paused', upload: null } : { is: 'waiting' } }
  })
  return { ...job, files }
}

/** Marks sent files so that each offset is requested again; the reply replaces what is stored. */
export function requestOffsets<J extends WithFiles>(job: J): J {
  const files = job.files.map((it): JobFile => {
    const upload = it.state.is === 'sent' ? uploadOf(it) : null
    return upload ? { ...it, state: { is: 'sending', upload } } : it
  })
  return { ...job, files }
}

/**
 * The server denies uploads as missing or unfinished: every offset is requested again, up to three times.
 * @returns the job; undefined when that was done too often, or the job has no file
 */
export function denied<J extends WithFiles>(job: J): J | undefined {
  if (job.files.length === 0 || job.files.some((it) => it.resends.gone >= MAX_RESENDS.gone)) return undefined
  const files = job.files.map((it) => ({ ...it, resends: { ...it.resends, gone: it.resends.gone + 1 } }))
  return requestOffsets({ ...job, files })
}

/**
 * Applies an event to a cancelled job whose bytes are being removed from the server. A refused removal is `discarded` too
 * (sw/queue/kinds/files.ts). Any other refusal is the late reply to a request from before the cancellation.
 */
export function applyCleanup<J extends WithFiles>(
  job: J,
  event: CommonEvent | { type: 'requested' | 'delivered' },
): J {
  switch (event.type) {
    case 'discarded':
      return applyFile(job, event)
    case 'lost':
    case 'tokenRefused':
    case 'nudged':
      return applyRetry(job, event)
    default:
      return job
  }
}

/** Counts every resend from 0 again: the person tries again. */
export const withoutResends = <J extends WithFiles>(job: J): J => ({
  ...job,
  files: job.files.map((it) => ({ ...it, resends: { digest: 0, gone: 0 } })),
})

/** A file whose bytes are to be removed from the server; undefined where the server has none. */
function takenOut(file: JobFile): JobFile | undefined {
  if (file.state.is !== 'discarding' && !uploadOf(file)) return undefined
  return { ...file, state: { is: 'discarding', url: urlOf(file), next: 'remove' } }
}

/** The files of a cancelled job: what the server has of them is removed there. */
export const discardAll = (files: readonly JobFile[]): JobFile[] => files.map((it) => takenOut(it) ?? it)

/** The files of a job without one that was taken out; undefined when it is not among them. */
export function withoutFile(files: readonly JobFile[], fileId: string): JobFile[] | undefined {
  if (!remainingFiles(files).some((it) => it.id === fileId)) return undefined
  return files.flatMap((it) => (it.id === fileId ? (takenOut(it) ?? []) : [it]))
}
