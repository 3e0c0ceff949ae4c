// The files of a job at its beginning, and what becomes of them when the draft changes. Pure.
import { isTakenOut, uploadOf, urlOf, type JobFile } from './file-row.ts'
import type { Preupload, Protocol } from './job-rows.ts'
import type { Media } from '#device/database/schema.ts'

type Picked = Pick<Media, 'id' | 'size'>

/** How a job begins: without failures. */
export const noFailures = { attempts: 0, wait: { until: 0, told: false } } as const

/** A file of which nothing was sent yet. */
export const newFile = ({ id, size }: Picked): JobFile => ({
  id,
  size,
  state: { is: 'waiting' },
  resends: { digest: 0, gone: 0 },
})

/** Adds those of a draft's files that a preupload does not have; gives the same object back when it has all. */
export function withFiles(before: Preupload, media: readonly Picked[]): Preupload {
  const added = media.filter((it) => !before.files.some((known) => known.id === it.id))
  if (added.length === 0) return before
  return { ...before, files: [...before.files, ...added.map(newFile)], stage: { is: 'open' } }
}

const takenOut = (file: JobFile): JobFile => ({
  ...file,
  state: { is: 'discarding', url: urlOf(file), next: 'remove' },
})

/** A file was taken out of the draft: its bytes are to be removed from the server. */
export function withoutFile(job: Preupload, fileId: string): Preupload {
  // Its creation may be under way, so that the server may have it though no answer has said so.
  const files = job.files.map((it) => (it.id === fileId ? takenOut(it) : it))
  return { ...job, files, stage: { is: 'open' } }
}

/** The draft was discarded: the bytes of all files are to be removed from the server. */
export function withoutDraft(job: Preupload): Preupload {
  return { ...job, files: job.files.map(takenOut), stage: { is: 'cancelled' }, ...noFailures }
}

/** A file that was paused or refused, once it is to be sent. */
export function unpaused(file: JobFile): JobFile {
  if (file.state.is !== 'paused' && file.state.is !== 'failed') return file
  const upload = uploadOf(file)
  return { ...file, state: upload ? { is: 'sending', upload } : { is: 'waiting' } }
}

/**
 * The files of a post at its submission: what its preupload has sent counts, and what failed or was paused is sent.
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
    const known = preupload.files.find((other) => other.id === it.id && !isTakenOut(other))
    return known ? { ...unpaused(known), resends: it.resends } : it
  })
  const leftovers = preupload.files.filter(isTakenOut)
  const wait = preupload.wait.told ? preupload.wait : noFailures.wait
  return { files: [...sent, ...leftovers], attempts: 0, wait }
}
