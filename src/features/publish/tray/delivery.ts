// What the tray shows of a job, derived from what is stored (specification section 4). Pure.
import { PROGRESS_CAP } from '#contract/limits.ts'
import { trayText } from '#src/features/publish/text.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { wantedFiles, type JobFile } from '#device/jobs/file-row.ts'
import {
  addedPostOf,
  canDropFile,
  type Job,
  type JobKind,
  type Protocol,
  type Queued,
} from '#device/jobs/job-rows.ts'
import type { Media } from '#device/database/schema.ts'
import { uploadedFile, type Keeper, type UploadedFile } from './uploaded-file.ts'

export type DeliveryStatus =
  | { is: 'sending' }
  /** For the network, or between two tries; `until` ms since 1970. */
  | { is: 'waiting'; until: number }
  /** The server's disk has no room; `until` as above. */
  | { is: 'noRoom'; until: number }
  /** Something else answers in the server's place; `until` as above. */
  | { is: 'foreign'; until: number }
  | { is: 'paused' }
  /** A file has to be picked again. */
  | { is: 'away' }
  /** Every byte is there; the post is being added and released. */
  | { is: 'finishing' }
  | { is: 'failed'; code: FailureCode; fields: Readonly<Record<string, string>> }
  | { is: 'cancelling' }

export interface DeliveryView {
  id: string
  kind: JobKind
  protocol: Protocol
  /** The first line of the text, or the first file's name; what it is when it is no post. */
  title: string
  /** All that was written; '' when it is no post. */
  content: string
  /** Once the server has made it. */
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
  /** The server had lost bytes and they are being sent again. */
  restarted: boolean
  canCancel: boolean
  /** It waits, and can be sent at once. */
  canHurry: boolean
  /** One file can be taken out of the post. */
  canDropFile: boolean
  /** Who has the bytes that are still to be sent. */
  keeper: Keeper
  /** What a press would do to all its files at once; null where there is nothing to pause or resume. */
  forAll: 'pause' | 'resume' | null
}

/** Section 4: the mean of the slots (one at least), capped at 99 until completed, then 100. */
export function displayedPercent(slots: readonly number[], completed: boolean): number {
  if (completed) return 100
  const mean = slots.length === 0 ? 0 : slots.reduce((sum, slot) => sum + slot, 0) / slots.length
  return Math.min(PROGRESS_CAP, Math.floor(mean))
}

/**
 * A job as the tray shows it.
 * @param media its rows, for the names
 * @param speed bytes per second, null while unknown
 * @param cancellable what the queue's machine says
 * @param away ids of media whose page is closed (device/files/page-held.ts)
 * @param online whether the browser says that it has a network
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
  const keeper = keeperOf(files)
  const status = statusOf(job, now, { keeper, online })
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0)
  const bytesUploaded = files.reduce((sum, file) => sum + file.progress.bytesUploaded, 0)
  const moving = status.is === 'sending' && speed !== null && speed > 0
  return {
    id: job.id,
    kind: job.kind,
    protocol: job.kind === 'post' ? job.protocol : 'tus',
    title: titleOf(job, files),
    content: job.kind === 'post' ? job.form.content : '',
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
    keeper,
    forAll: forAll(status, files),
  }
}

/** Files that were taken out are not shown; of a cancelled job all are. */
const shownFiles = ({ stage, files }: Job): readonly JobFile[] =>
  stage.is === 'cancelled' ? files : wantedFiles(files)

function titleOf(job: Job, files: readonly UploadedFile[]): string {
  if (job.kind === 'identity') return trayText.identity.title
  return job.form.content.trim().split('\n')[0] || files[0]?.name || ''
}

function keeperOf(files: readonly UploadedFile[]): Keeper {
  const unsent = new Set(files.flatMap((file) => (file.progress.uploadComplete ? [] : [file.keeper])))
  return (['nobody', 'page'] as const).find((it) => unsent.has(it)) ?? 'device'
}

function statusOf(
  job: Job,
  now: number,
  { keeper, online }: { keeper: Keeper; online: boolean },
): DeliveryStatus {
  const { stage, wait } = job
  const states = wantedFiles(job.files).map(({ state }) => state.is)
  if (stage.is === 'failed') return { is: 'failed', code: stage.code, fields: stage.fields ?? {} }
  if (stage.is === 'cancelled') return { is: 'cancelling' }
  if (stage.is === 'released' || stage.is === 'delivered') return { is: 'finishing' }
  const sent = states.every((it) => it === 'sent')
  const paused = !sent && states.every((it) => it === 'sent' || it === 'paused' || it === 'failed')
  if (online && !paused && waitsForRoom(job, now)) return { is: 'noRoom', until: wait.until }
  if (online && !paused && meetsForeign(job, now)) return { is: 'foreign', until: wait.until }
  if (paused) return { is: 'paused' }
  if (!sent && keeper === 'nobody') return { is: 'away' }
  // A wait of a moment is part of sending; saying so each time would only flicker.
  if (!online || wait.until - now > 1500) return { is: 'waiting', until: wait.until }
  return { is: sent ? 'finishing' : 'sending' }
}

/** How long a request may run before the delivery counts as continuing, ms, so that the reason does not flicker. */
const ASKING_MS = 3000

/** Whether the server has said that its disk has no room, and is not asked again yet. */
export const waitsForRoom = ({ wait }: Pick<Queued, 'wait'>, now: number): boolean =>
  wait.why === 'storage_full' && wait.until + ASKING_MS > now

/** A single such answer may be a proxy's while the server starts again. */
const FOREIGN_ANSWERS = 2

/** Whether something else keeps answering in the server's place. */
export const meetsForeign = ({ wait, attempts }: Pick<Queued, 'wait' | 'attempts'>, now: number): boolean =>
  wait.foreign === true && attempts >= FOREIGN_ANSWERS && wait.until + ASKING_MS > now

function isWaiting(status: DeliveryStatus, now: number): boolean {
  return (status.is === 'waiting' || status.is === 'noRoom' || status.is === 'foreign') && status.until > now
}

function forAll(status: DeliveryStatus, files: readonly UploadedFile[]): DeliveryView['forAll'] {
  if (status.is === 'failed' || status.is === 'cancelling' || files.length < 2) return null
  const unsent = files.filter((file) => !file.progress.uploadComplete)
  if (unsent.length === 0) return null
  return unsent.every((file) => file.isPaused) ? 'resume' : 'pause'
}

/** Speed from what was acknowledged: a window over the last seconds, so that it neither jumps nor lags. */
export class SpeedMeter {
  #samples: { at: number; bytes: number }[] = []
  static readonly #WINDOW_MS = 12_000

  /** Notes how much is there at `at`; bytes that went back (a restart) begin a new measurement. */
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
