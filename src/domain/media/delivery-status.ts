// What a job with files does, as the tray and a conversation show it. Pure.
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { remainingFiles } from '#device/jobs/file-row.ts'
import type { Job, Queued } from '#device/jobs/job-rows.ts'

/** Where a file's bytes are: on the device, in an open page, or lost. */
export type BytesLocation = 'device' | 'page' | 'lost'

export type DeliveryStatus =
  | { is: 'sending' }
  /** It waits for the network or the next try; `until` ms since 1970. */
  | { is: 'waiting'; until: number }
  /** The server's disk has no room; `until` as above. */
  | { is: 'noRoom'; until: number }
  /** Another program answers in place of the server; `until` as above. */
  | { is: 'foreign'; until: number }
  | { is: 'paused' }
  /** A file has to be picked again. */
  | { is: 'away' }
  /** All files are sent; the post is being added and released. */
  | { is: 'finishing' }
  | { is: 'failed'; code: FailureCode; fields: Readonly<Record<string, string>> }
  | { is: 'cancelling' }

/**
 * What a job does.
 * @param bytesAt where its unsent bytes are
 * @param online whether the browser reports a network
 */
export function statusOf(
  job: Job,
  now: number,
  { bytesAt, online }: { bytesAt: BytesLocation; online: boolean },
): DeliveryStatus {
  const { stage, wait } = job
  const states = remainingFiles(job.files).map(({ state }) => state.is)
  if (stage.is === 'failed') return { is: 'failed', code: stage.code, fields: stage.fields ?? {} }
  if (stage.is === 'cancelled') return { is: 'cancelling' }
  if (stage.is === 'released' || stage.is === 'delivered') return { is: 'finishing' }
  const sent = states.every((it) => it === 'sent')
  const paused = !sent && states.every((it) => it === 'sent' || it === 'paused' || it === 'failed')
  if (online && !paused && waitsForRoom(job, now)) return { is: 'noRoom', until: wait.until }
  if (online && !paused && hasForeignReplies(job, now)) return { is: 'foreign', until: wait.until }
  if (paused) return { is: 'paused' }
  if (!sent && bytesAt === 'lost') return { is: 'away' }
  // A short wait is shown as sending, to avoid flicker.
  if (!online || wait.until - now > 1500) return { is: 'waiting', until: wait.until }
  return { is: sent ? 'finishing' : 'sending' }
}

/** Time of a request during which the reason of the wait is still shown, ms, to avoid flicker. */
const REQUEST_MS = 3000

/** Whether the delivery waits because the server's disk has no room. */
export const waitsForRoom = ({ wait }: Pick<Queued, 'wait'>, now: number): boolean =>
  wait.why === 'storage_full' && wait.until + REQUEST_MS > now

/** Foreign replies before they are shown; a proxy may send one while the server restarts. */
const MIN_FOREIGN_REPLIES = 2

/** Whether another program repeatedly answers in place of the server. */
export const hasForeignReplies = (
  { wait, attempts }: Pick<Queued, 'wait' | 'attempts'>,
  now: number,
): boolean => wait.foreign === true && attempts >= MIN_FOREIGN_REPLIES && wait.until + REQUEST_MS > now
