// The tray's view of a job (specification section 4). Pure.
import { writtenText } from '#device/drafts/draft-merge.ts'
import { PROGRESS_CAP } from '#contract/limits.ts'
import { trayText } from '#src/features/publish/text.ts'
import { remainingFiles, type JobFile } from '#device/jobs/file-row.ts'
import { addedPostOf, canDropFile, type Job, type JobKind, type Protocol } from '#device/jobs/job-rows.ts'
import type { Media } from '#device/database/schema.ts'
import { type BytesLocation, type DeliveryStatus, statusOf } from '#src/domain/media/delivery-status.ts'
import { uploadedFile, type UploadedFile } from './uploaded-file.ts'

export interface DeliveryView {
  id: string
  kind: JobKind
  protocol: Protocol
  /** The first line of the text or the first file's name; for other kinds, their name. */
  title: string
  /** The whole text; '' for other kinds than a post. */
  content: string
  /** Id of the post on the server; null until it is added. */
  postId: string | null
  status: DeliveryStatus
  files: UploadedFile[]
  /** 0..99 until released; 100 after. */
  percent: number
  bytesUploaded: number
  bytesTotal: number
  /** Bytes per second over the last moments; null while unknown. */
  speed: number | null
  /** Null while unknown. */
  secondsLeft: number | null
  /** Whether bytes are sent again that the server had lost. */
  restarted: boolean
  canCancel: boolean
  /** Whether it waits and can be sent at once. */
  canHurry: boolean
  /** Whether a single file can be removed from the post. */
  canDropFile: boolean
  /** Where the unsent bytes are. */
  bytesAt: BytesLocation
  /** The action for all files at once; null when none can be paused or resumed. */
  forAll: 'pause' | 'resume' | null
}

/** The mean of the slots (section 4), at most 99 until completed, then 100. */
export function displayedPercent(slots: readonly number[], completed: boolean): number {
  if (completed) return 100
  const mean = slots.length === 0 ? 0 : slots.reduce((sum, slot) => sum + slot, 0) / slots.length
  return Math.min(PROGRESS_CAP, Math.floor(mean))
}

/**
 * A job as the tray shows it.
 * @param media the files' rows, for their names
 * @param speed bytes per second, null while unknown
 * @param cancellable whether the queue's machine permits cancelling
 * @param away ids of media whose page is closed (device/files/page-held.ts)
 * @param online whether the browser reports a network
 */
export function viewOf(
  job: Job,
  media: readonly Media[],
  speed: number | null,
  now: number,
  cancellable: boolean,
  { away = new Set(), online = true }: { away?: ReadonlySet<string>; online?: boolean } = {},
): DeliveryView {
  const { stage } = job
  const files = shownFiles(job).map((it) =>
    uploadedFile(
      job,
      it,
      media.find((row) => row.id === it.id),
      away.has(it.id),
    ),
  )
  const bytesAt = bytesAtOf(files)
  const status = statusOf(job, now, { bytesAt, online })
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0)
  const bytesUploaded = files.reduce((sum, file) => sum + file.progress.bytesUploaded, 0)
  const moving = status.is === 'sending' && speed !== null && speed > 0
  return {
    id: job.id,
    kind: job.kind,
    protocol: job.kind === 'post' ? job.protocol : 'tus',
    title: titleOf(job, files),
    content: job.kind === 'post' ? writtenText(job.form) : '',
    postId: job.kind === 'post' ? (addedPostOf(job)?.id ?? null) : null,
    status,
    files,
    percent: displayedPercent(
      files.map((file) => file.progress.percentage),
      stage.is === 'released' || stage.is === 'delivered',
    ),
    bytesUploaded,
    bytesTotal,
    speed: moving ? speed : null,
    secondsLeft: moving ? Math.ceil((bytesTotal - bytesUploaded) / speed) : null,
    restarted: job.files.some((it) => it.resends.gone + it.resends.digest > 0),
    canCancel: cancellable,
    canHurry: isWaiting(status, now),
    canDropFile: job.kind === 'post' && cancellable && canDropFile(job) && files.length > 1,
    bytesAt,
    forAll: forAll(status, files),
  }
}

/** The shown files: without removed ones, but all files of a cancelled job. */
const shownFiles = ({ stage, files }: Job): readonly JobFile[] =>
  stage.is === 'cancelled' ? files : remainingFiles(files)

function titleOf(job: Job, files: readonly UploadedFile[]): string {
  if (job.kind === 'identity') return trayText.identity.title
  if (job.kind === 'message') return trayText.message.title(job.form.about)
  return job.form.title || job.form.content.trim().split('\n')[0] || files[0]?.name || ''
}

function bytesAtOf(files: readonly UploadedFile[]): BytesLocation {
  const unsent = new Set(files.flatMap((file) => (file.progress.uploadComplete ? [] : [file.bytesAt])))
  return (['lost', 'page'] as const).find((it) => unsent.has(it)) ?? 'device'
}

function isWaiting(status: DeliveryStatus, now: number): boolean {
  return (status.is === 'waiting' || status.is === 'noRoom' || status.is === 'foreign') && status.until > now
}

function forAll(status: DeliveryStatus, files: readonly UploadedFile[]): DeliveryView['forAll'] {
  if (status.is === 'failed' || status.is === 'cancelling' || files.length < 2) return null
  const unsent = files.filter((file) => !file.progress.uploadComplete)
  if (unsent.length === 0) return null
  return unsent.every((file) => file.isPaused) ? 'resume' : 'pause'
}

/** The speed of acknowledged bytes, over a window of the last seconds. */
export class SpeedMeter {
  #samples: { at: number; bytes: number }[] = []
  static readonly #WINDOW_MS = 12_000

  /** Records the acknowledged bytes at a time. Fewer bytes (a restart) begin a new measurement. */
  note(at: number, bytes: number): void {
    const last = this.#samples.at(-1)
    if (last && bytes < last.bytes) this.#samples = []
    if (!last || bytes !== last.bytes || this.#samples.length === 0) this.#samples.push({ at, bytes })
    this.#samples = this.#samples.filter(
      (it, i, all) => i === all.length - 1 || at - it.at <= SpeedMeter.#WINDOW_MS,
    )
  }

  /** Bytes per second; null before two samples, and when nothing moved for a whole window. */
  speed(now: number): number | null {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last || last.at === first.at || now - last.at > SpeedMeter.#WINDOW_MS) return null
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
  }
}
