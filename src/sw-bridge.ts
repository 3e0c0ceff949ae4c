// The page's one door to the worker and its queue; where there is no worker, the queue runs behind this door.
import { TUS_PATH } from '#contract/paths.ts'
import { setProbe } from '#device/files/byte-form.ts'
import { onChange } from '#device/database/changes.ts'
import { submitIdentityDraft, type IdentitySubmission } from '#device/jobs/identity.ts'
import { beginPreupload, pausePreupload } from '#device/jobs/preupload.ts'
import { changeJob, dropFile, dropJob, submitDraft, type Submission } from '#device/jobs/jobs.ts'
import { renewMedia } from '#device/files/renew-media.ts'
import type { Draft } from '#device/database/schema.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { addedPostOf } from '#device/jobs/job-rows.ts'
import { readSession } from '#device/session/session.ts'
import { noticesPort } from './domain/notifications/notices-port.ts'
import { queuePort } from './domain/mutations/queue-port.ts'
import type { PersonEvent } from '#sw/queue/events.ts'
import { applyPersonEvent, canCancel } from '#sw/queue/machines/machines.ts'
import { apply } from '#sw/queue/machines/post.ts'
import type { MeasureEnd, MeasureProgress } from '#sw/queue/measure.ts'
import {
  deliver,
  hasWork,
  probe,
  promised,
  registerSync,
  say,
  sayNow,
  startWorker,
  update,
  type Promised,
} from './worker.ts'

export { canCancel, promised, update }
export type { Promised }
export type { MeasureEnd, MeasureProgress }

/** The queue is looked at this often while a page is open, ms. */
const WATCH_MS = 5000
/** Who wants to edit a post again does not wait longer than this for the server to take it back, ms. */
const WITHDRAWN_MS = 10_000

let heardAt = 0
let findPerson = () => Promise.resolve()
/**
 * Starts the worker, or the queue in this page, and keeps it going. Called once, by main.tsx.
 * @param go shows the page a pressed notice leads to
 * @param refresh finds out again who is signed in, and notes it on the device
 */
export function startQueue(go: (path: string) => void, refresh: () => Promise<void>): void {
  findPerson = refresh
  startWorker(go)
  queuePort.deliver = () => {
    void registerSync()
    void deliver()
  }
  // At once: what is only promised does not happen any more.
  queuePort.storeOnLeave = (userId, mutations) => {
    sayNow({
      type: 'acts',
      userId,
      acts: mutations.map(({ mutation, ...rest }) => ({ ...rest, act: mutation })),
    })
    void registerSync()
  }
  queuePort.runMemory = async (rows, page) => {
    const { createMemoryRunnerHere } = await import('#sw/queue/memory-here.ts')
    return createMemoryRunnerHere(location.origin, rows, page)
  }
  noticesPort.read = (ids) => void say({ type: 'read', ids: [...ids] })
  setProbe(probe)
  onChange((change) => {
    if (change.store === 'jobs' || change.store === 'early' || change.store === 'chunks') heardAt = Date.now()
    if (change.store !== 'session') return
    void deliver()
    // A stopped worker misses changes.
    void say({ type: 'person' })
  })
  const back = () => void nudge()
  window.addEventListener('online', back)
  window.addEventListener('focus', back)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && back())
  setInterval(() => void watch().catch((error: unknown) => console.error(error)), WATCH_MS)
  void deliver()
}

/** A worker that was stopped in the middle says nothing: poke it. With nothing to deliver it may rest. */
async function watch(): Promise<void> {
  if (Date.now() - heardAt < WATCH_MS) return
  if (await hasWork()) await deliver()
}

/**
 * Sends the draft's files while it is still being written. Nothing is registered with the browser for it:
 * what was not submitted does not wake a closed app.
 */
export async function preupload(draftId: string, ownerId: string): Promise<void> {
  await beginPreupload(draftId, ownerId, Date.now())
  await deliver()
}

export { pausePreupload }

/**
 * Queues a draft as it is shown and starts delivering it. A second call for the same draft changes nothing.
 * @param shown with the revision of the stored version it was made from
 */
export async function submit(shown: Draft): Promise<Submission> {
  const end = await submitDraft(shown, Date.now())
  if (end.is === 'submitted') {
    // The browser may have cleared the device under this open page: the queue needs its person again.
    if (!(await readSession())) void findPerson()
    // It is stored, so that it is delivered without the person waiting.
    void registerSync()
    void deliver()
  }
  return end
}

/** Queues the check under making and starts delivering it. A second call changes nothing. */
export async function submitCheck(ownerId: string, wantsBack: boolean): Promise<IdentitySubmission> {
  const end = await submitIdentityDraft(ownerId, wantsBack, Date.now())
  if (end.is === 'submitted') {
    void registerSync()
    void deliver()
  }
  return end
}

/** Something a waiting job needs is there now: try at once. */
export function nudge(): Promise<void> {
  return say({ type: 'nudge' })
}

/** Applies what the person did to a job: paused, resumed, retried, cancelled, sent at once. */
export async function changeDelivery(jobId: string, event: PersonEvent): Promise<void> {
  if (event.type === 'fileCancelled') await dropFile(jobId, event.fileId, (job) => apply(job, event))
  else await changeJob(jobId, (job) => applyPersonEvent(job, event))
  await deliver()
}

/**
 * Takes a failed job back into the editor; a post that was added meanwhile is taken back first.
 * @returns false when the server has not taken it back yet: the draft comes back later
 * @throws QuotaExceededError when the device has no room to prepare its files to be sent anew; the draft is back
 */
export async function editAgain(jobId: string): Promise<boolean> {
  let isHeld = false
  const job = await changeJob(jobId, (stored) => {
    isHeld = stored.stage.is === 'failed' && heldElsewhere.has(stored.stage.code)
    return applyPersonEvent(stored, { type: 'cancelled', keep: true })
  })
  if (job?.kind === 'post' && addedPostOf(job)) {
    const gone = goneWithin(jobId, WITHDRAWN_MS)
    await deliver()
    if (!(await gone)) return false
  } else await dropJob(jobId)
  if (isHeld) await renewMedia(jobId)
  return true
}

/** Refusals after which another post has the uploads of this one. */
const heldElsewhere: ReadonlySet<FailureCode> = new Set<FailureCode>(['conflict', 'post_deleted', 'gone'])

/** Whether the queue drops a job within `ms`. */
function goneWithin(jobId: string, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (gone: boolean) => {
      clearTimeout(timer)
      deaf()
      resolve(gone)
    }
    const timer = setTimeout(() => end(false), ms)
    const deaf = onChange((change) => {
      if (change.store !== 'jobs' || change.id !== jobId) return
      void changeJob(jobId, (job) => job).then((job) => job ?? end(true))
    })
  })
}

/**
 * Sends bytes that become no post, by the queue's own protocol client, and removes them from the server again.
 * Runs in this page, so that it never waits behind posts on their way.
 */
export async function measureUpload(
  ownerId: string,
  bytes: Blob,
  onProgress: (progress: MeasureProgress) => void,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const [{ measure }, { callerHere }, { deviceStore }] = await Promise.all([
    import('#sw/queue/measure.ts'),
    import('#sw/queue/ports-here.ts'),
    import('#sw/queue/device-store.ts'),
  ])
  const endpoint = new URL(import.meta.env['VITE_UPLOAD_BASE'] ?? TUS_PATH, location.origin).href
  return measure({ ...callerHere(), store: deviceStore, endpoint, ownerId }, bytes, onProgress, signal)
}
