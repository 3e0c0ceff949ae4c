// The files of a new job, and how they change with their draft. Pure.
import { isRemovedFile, uploadOf, urlOf, type JobFile } from './file-row.ts'
import type { Preupload, Protocol } from './job-rows.ts'
import type { Media } from '#device/database/schema.ts'

type Picked = Pick<Media, 'id' | 'size'>

/** The retry fields of a new job. */
export const noFailures = { attempts: 0, wait: { until: 0, told: false } } as const

/** Makes the row of a file of which nothing was sent yet. */
export const newFile = ({ id, size }: Picked): JobFile => ({
  id,
  size,
  state: { is: 'waiting' },
  resends: { digest: 0, gone: 0 },
})

/** Adds the files of a draft that a preupload lacks; returns the same object when it has all. */
export function withFiles(before: Preupload, media: readonly Picked[]): Preupload {
  const added = media.filter((it) => !before.files.some((known) => known.id === it.id))
  if (added.length === 0) return before
  return { ...before, files: [...before.files, ...added.map(newFile)], stage: { is: 'open' } }
}

const takenOut = (file: JobFile): JobFile => ({
  ...file,
  state: { is: 'discarding', url: urlOf(file), next: 'remove' },
})

/** Marks a file that was removed from the draft: the server has to discard it. */
export function withoutFile(job: Preupload, fileId: string): Preupload {
  // A creating request may be running: the server may have the file without a reply yet.
  const files = job.files.map((it) => (it.id === fileId ? takenOut(it) : it))
  return { ...job, files, stage: { is: 'open' } }
}

/** Marks all files after the draft was discarded: the server has to discard them. */
export function withoutDraft(job: Preupload): Preupload {
  return { ...job, files: job.files.map(takenOut), stage: { is: 'cancelled' }, ...noFailures }
}

/** Sets a file that was paused or refused to be sent. */
export function unpaused(file: JobFile): JobFile {
  if (file.state.is !== 'paused' && file.state.is !== 'failed') return file
  const upload = uploadOf(file)
  return { ...file, state: upload ? { is: 'sending', upload } : { is: 'waiting' } }
}

/**
 * The files of a post at its submission. Files that its preupload has sent count as sent; failed and paused ones are sent.
 * @param preupload what was sent while the draft was written, if anything
 * @param media the post's files in their order
 */
export function submittedFiles(
  preupload: Preupload | undefined,
  media: readonly Picked[],
  protocol: Protocol,
): Pick<Preupload, 'files' | 'attempts' | 'wait'> {
  const files = media.map(newFile)
  if (!preupload || protocol === 'chunked') return { files, ...noFailures }
  const sent = files.map((it) => {
    const known = preupload.files.find((other) => other.id === it.id && !isRemovedFile(other))
    return known ? { ...unpaused(known), resends: it.resends } : it
  })
  const leftovers = preupload.files.filter(isRemovedFile)
  const wait = preupload.wait.told ? preupload.wait : noFailures.wait
  return { files: [...sent, ...leftovers], attempts: 0, wait }
}
