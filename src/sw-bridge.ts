// The page's only access to the worker and to its queue.
import { TUS_PATH } from '#contract/paths.ts'
import { setProbe } from '#device/files/byte-form.ts'
import { onChange } from '#device/database/changes.ts'
import { onDatabaseLost } from '#device/database/database-state.ts'
import { submitIdentityDraft, type IdentitySubmission } from '#device/jobs/identity.ts'
import type { Between, MessageSubmission, MessageWords } from '#device/jobs/message.ts'
import { beginPreupload, pausePreupload } from '#device/jobs/preupload.ts'
import { changeJob, dropFile, dropJob, submitDraft, type Submission } from '#device/jobs/jobs.ts'
import { renewMedia } from '#device/files/renew-media.ts'
import type { Draft, Media } from '#device/database/schema.ts'
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
  activeRegistration,
  deliver,
  hasWork,
  probe,
  deliveryMode,
  registerSync,
  post,
  postNow,
  startWorker,
  update,
  type DeliveryMode,
} from './worker.ts'

export { canCancel, deliveryMode, update }
export type { DeliveryMode }
export type { MeasureEnd, MeasureProgress }

/** Interval of checks of the queue while a page is open, ms. */
const WATCH_MS = 5000
/** Longest wait for the withdrawal of a post that is edited again, ms. */
const WITHDRAWN_MS = 10_000

let changedAt = 0
let refreshSession = () => Promise.resolve()
/**
 * Starts the worker, or the queue in this page, and continues it at events. Called once, by main.tsx.
 * @param go opens the page of a pressed notice
 * @param refresh checks the session and stores it on the device
 */
export function startQueue(go: (path: string) => void, refresh: () => Promise<void>): void {
  refreshSession = refresh
  startWorker(go)
  queuePort.deliver = deliverSubmitted
  // Synchronously, since a closing page runs no further promise.
  queuePort.storeOnLeave = (userId, mutations) => {
    postNow({
      type: 'acts',
      userId,
      acts: mutations.map(({ mutation, ...rest }) => ({ ...rest, act: mutation })),
    })
    void registerSync()
  }
  queuePort.runMemory = async (rows, page) => {
    const { createConnectedMemoryRunner } = await import('#sw/queue/connected-memory-runner.ts')
    return createConnectedMemoryRunner(location.origin, rows, page)
  }
  noticesPort.read = (ids) => void post({ type: 'read', ids: [...ids], people: [] })
  noticesPort.readConversation = (userId) => void post({ type: 'read', ids: [], people: [userId] })
  setProbe(probe)
  onChange((change) => {
    if (change.store === 'jobs' || change.store === 'early' || change.store === 'chunks')
      changedAt = Date.now()
    if (change.store !== 'session') return
    void deliver()
    // A stopped worker misses changes.
    void post({ type: 'person' })
  })
  // The queue sends with the session on the device.
  onDatabaseLost(() => void refresh())
  const back = () => void nudge()
  window.addEventListener('online', back)
  window.addEventListener('focus', back)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && back())
  setInterval(() => void watch().catch((error: unknown) => console.error(error)), WATCH_MS)
  void deliver()
}

/** Continues the queue if no progress was made, since a stopped worker reports nothing. */
async function watch(): Promise<void> {
  if (Date.now() - changedAt < WATCH_MS) return
  if (await hasWork()) await deliver()
}

/**
 * Uploads the draft's files while it is being written. No sync is registered, since an unsubmitted draft must not wake
 * a closed app.
 */
export async function preupload(draftId: string, ownerId: string): Promise<void> {
  await beginPreupload(draftId, ownerId, Date.now())
  await deliver()
}

export { pausePreupload }

/**
 * Queues a draft as it is displayed and starts its delivery. A second call for the same draft changes nothing.
 * @param shown the draft, with the revision of the stored version from which it was made
 */
export async function submit(shown: Draft): Promise<Submission> {
  const end = await submitDraft(shown, Date.now())
  if (end.is === 'submitted') {
    // The browser may have cleared the storage, and the queue requires the session.
    if (!(await readSession())) void refreshSession()
    deliverSubmitted()
  }
  return end
}

/** Queues the draft of an identity check and starts its delivery. A second call changes nothing. */
export async function submitCheck(ownerId: string, wantsBack: boolean): Promise<IdentitySubmission> {
  const end = await submitIdentityDraft(ownerId, wantsBack, Date.now())
  if (end.is === 'submitted') deliverSubmitted()
  return end
}

/**
 * Queues the shown files of a conversation with a text as one message, and starts its delivery. A second call changes
 * nothing.
 */
export async function submitMessage(
  between: Between,
  words: MessageWords,
  shown: readonly Media[],
): Promise<MessageSubmission> {
  // Loaded with the conversation, not with every page.
  const { submitMessageDraft } = await import('#device/jobs/message.ts')
  const end = await submitMessageDraft(between, words, shown, Date.now())
  if (end.is === 'submitted') deliverSubmitted()
  return end
}

/**
 * Hands large submitted uploads to the browser, which sends them while the app is closed.
 * @returns stops; undefined where the browser has no such service
 */
export async function watchHandOvers(ownerId: string): Promise<(() => void) | undefined> {
  const registration = 'BackgroundFetchManager' in window ? await activeRegistration() : undefined
  return registration && (await import('#sw/queue/hand-overs.ts')).watchHandOvers(ownerId, registration)
}

/** Starts a delivery. The job is stored, so that the person need not wait. */
function deliverSubmitted(): void {
  void registerSync()
  void deliver()
}

/** Tries waiting jobs now, since a condition of their wait has changed. */
export function nudge(): Promise<void> {
  return post({ type: 'nudge' })
}

/** Applies an action of the person to a job: paused, resumed, retried, cancelled, sent at once. */
export async function changeDelivery(jobId: string, event: PersonEvent): Promise<void> {
  if (event.type === 'fileCancelled') await dropFile(jobId, event.fileId, (job) => apply(job, event))
  else await changeJob(jobId, (job) => applyPersonEvent(job, event))
  await deliver()
}

/**
 * Changes a failed job back into a draft; a post that was added is withdrawn first.
 * @returns false when the post is not withdrawn yet; the draft follows later
 * @throws QuotaExceededError when the device has no room to prepare the files again; the draft exists
 */
export async function editAgain(jobId: string): Promise<boolean> {
  let hasForeignUploads = false
  const job = await changeJob(jobId, (stored) => {
    hasForeignUploads = stored.stage.is === 'failed' && uploadsElsewhere.has(stored.stage.code)
    return applyPersonEvent(stored, { type: 'cancelled', keep: true })
  })
  if (job?.kind === 'post' && addedPostOf(job)) {
    const gone = deletedWithin(jobId, WITHDRAWN_MS)
    await deliver()
    if (!(await gone)) return false
  } else await dropJob(jobId)
  if (hasForeignUploads) await renewMedia(jobId)
  return true
}

/** Refusals after which the uploads belong to another post. */
const uploadsElsewhere: ReadonlySet<FailureCode> = new Set<FailureCode>(['conflict', 'post_deleted', 'gone'])

/** Whether the queue deletes a job within `ms`. */
function deletedWithin(jobId: string, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (gone: boolean) => {
      clearTimeout(timer)
      unsubscribe()
      resolve(gone)
    }
    const timer = setTimeout(() => end(false), ms)
    const unsubscribe = onChange((change) => {
      if (change.store !== 'jobs' || change.id !== jobId) return
      void changeJob(jobId, (job) => job).then((job) => job ?? end(true))
    })
  })
}

/**
 * Uploads test bytes by the queue's protocol client, and deletes them from the server. Runs in this page, so that it
 * does not wait for deliveries.
 */
export async function measureUpload(
  ownerId: string,
  bytes: Blob,
  onProgress: (progress: MeasureProgress) => void,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const [{ measure }, { runtimeCaller }, { deviceStore }] = await Promise.all([
    import('#sw/queue/measure.ts'),
    import('#sw/queue/runtime-ports.ts'),
    import('#sw/queue/device-store.ts'),
  ])
  const endpoint = new URL(import.meta.env['VITE_UPLOAD_BASE'] ?? TUS_PATH, location.origin).href
  return measure({ ...runtimeCaller(), store: deviceStore, endpoint, ownerId }, bytes, onProgress, signal)
}
