// Background jobs: enqueued in a transaction, and run at least once after its commit.
import { setImmediate as nextTurn } from 'node:timers/promises'
import PgBoss from 'pg-boss'
import type { Db } from './database.ts'
import { openDueJobs } from './due-jobs.ts'
import { addingWith } from './job-adding.ts'
import { type JobTraces, runCarried } from './job-traces.ts'
import { isNewer, jobVersions, type JobVersions, putBack } from './job-versions.ts'
import { openSchedule } from './schedule.ts'

/** Every kind of job and its data. Another shape is another version (`job-versions.ts`). */
export interface JobData {
  'media.picture': { mediaId: string }
  /** Converts the video that is next in turn, not necessarily this one; `media.ladder` likewise makes renditions. */
  'media.film': { mediaId: string }
  'media.ladder': { mediaId: string }
  'media.remove': { mediaId: string }
  /** Publishes that an image or a video of a message was made, or could not be. */
  'message.media': { mediaId: string }
  /** Hashes the made media of a post, and compares them with removed ones. */
  'media.compare': { postId: string }
  /** Puts the media of a removed post on the list of removed ones. */
  'media.removed': { postId: string }
  'post.released': { postId: string }
  /** Chooses and enqueues the email of a registration. */
  'registration.letter': { registrationId: string }
  /** Addresses are sealed, since operators read this table; so is the request of a reset. */
  'reset.letter': { sealed: string }
  'email-change.letter': { userId: string; sealed: string }
  'letter.send': { letterId: string }
  'export.make': { exportId: string }
  'authority-export.make': { exportId: string }
  'identity.clear': { uploadIds: readonly string[] }
  /** Broadcasts a post to a batch of people, or publishes a notice to one; the first is 0. */
  'post.fan-out': { subjectId: string; stretch: number }
  'notice.fan-out': { subjectId: string; stretch: number }
  /** Publishes a scheduled notice, if it is due. */
  'notice.begin': { noticeId: string }
  'notice.mail': { notificationId: string }
  /** Deletes a batch of the notifications of a withdrawn notice. */
  'notice.retract': { noticeId: string }
  'notification.push': { notificationId: string }
  /** One push for one device; `tries` before this one. */
  'push.device': { notificationId: string; deviceId: string; tries: number }
  'notification.mail': { notificationId: string }
  /** Pushes a conversation to the devices of a message's recipient, unless it was read meanwhile. */
  'message.push': { messageId: string }
  /** One push for one device; `seq`: the newest message when it was enqueued; `tries` before this one. */
  'message.device': { messageId: string; deviceId: string; seq: number; tries: number }
  'message.mail': { messageId: string }
  /** Delivers a broadcast of messages to a batch of its recipients; the first is 0. */
  'message.broadcast': { broadcastId: string; batch: number }
  /** Handles a stored notice of the payment provider, unless it was handled already. */
  'payment.notice': { noticeId: string }
  /** Returns the money of a charge, by the id of its row. */
  'payment.refund': { chargeId: string }
  /** Makes the provider charge what a membership says. */
  'membership.charges': { membershipId: string }
  /** Stops a recurring charge that belongs to no membership, by the provider's number. */
  'recurring.stop': { acid: string }
  /** Stops the charges of memberships whose creator is leaving, or whose plan ends. It names no person. */
  'membership.stops': Record<string, never>
  /** Tells a batch of members that their plan ends; the next one tells them of another price. */
  'membership.plan-closing': { planId: string; after: string }
  'membership.plan-price': { planId: string; price: number; after: string }
  /** Compares the provider's charges with the recorded ones, nightly. */
  'payment.reconcile': Record<string, never>
  /** Sends the due notices of the sandbox provider. */
  'payment-sandbox.notices': Record<string, never>
  /** Ends the measures whose time is over. */
  'measures.end': Record<string, never>
  /** One of the hourly sweeps, by its name (`server/sweeps.ts`). */
  sweep: { name: string }
}
export type JobName = keyof JobData

/** The queue that converts a file: a picture never waits behind a video. */
export const queueOf = (kind: 'image' | 'video') => (kind === 'video' ? 'media.film' : 'media.picture')

/** How often a job that throws is retried, by kind. */
const retries: Record<JobName, number> = {
  'media.picture': 4,
  // Attempts are counted in the media row; `modules/media/turns.ts` enqueues another job after a failed one.
  'media.film': 0,
  'media.ladder': 0,
  'media.remove': 8,
  'message.media': 4,
  'media.compare': 4,
  'media.removed': 8,
  'post.released': 4,
  'registration.letter': 4,
  'reset.letter': 4,
  'email-change.letter': 4,
  // A mail relay may be down for hours: the delays double from two seconds on.
  'letter.send': 14,
  'identity.clear': 8,
  // For an export whose process died; one that throws is marked as failed and not retried.
  'export.make': 2,
  'authority-export.make': 2,
  'post.fan-out': 8,
  'notice.fan-out': 8,
  'notice.begin': 8,
  'notice.mail': 4,
  'notice.retract': 8,
  'notification.push': 4,
  // For errors of the server; `push.device` enqueues a new job when a push service is down.
  'push.device': 4,
  'notification.mail': 4,
  'message.push': 4,
  'message.device': 4,
  'message.mail': 4,
  'message.broadcast': 8,
  'payment.notice': 8,
  'payment.refund': 14,
  'membership.charges': 14,
  'recurring.stop': 14,
  'membership.stops': 8,
  'membership.plan-closing': 8,
  'membership.plan-price': 8,
  'payment.reconcile': 2,
  'payment-sandbox.notices': 4,
  // The next hourly sweep is the retry.
  'measures.end': 8,
  sweep: 0,
}
export const jobNames = Object.keys(retries) as readonly JobName[]

/** Kinds of which only one job of each key waits at a time. */
const keyed: ReadonlySet<JobName> = new Set(['sweep', 'payment.reconcile'])

export interface RawSql {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
}

export interface Jobs {
  /** Adds a job, which starts after the commit of `tx`, or `later` seconds after it. */
  enqueue<N extends JobName>(tx: Db, name: N, data: JobData[N], later?: number): Promise<void>
  /** Adds a job that starts after `seconds`; of those enqueued within the same `seconds`, only one is added. */
  enqueueOnce<N extends JobName>(tx: Db, name: N, data: JobData[N], seconds: number): Promise<void>
  /** Adds many jobs of one kind by one statement. */
  enqueueMany<N extends JobName>(tx: Db, name: N, data: readonly JobData[N][]): Promise<void>
  /** Runs jobs of one kind in this process until `stop`. A job that throws is retried later. */
  work<N extends JobName>(
    name: N,
    atOnce: number,
    handler: (data: JobData[N]) => Promise<void>,
  ): Promise<void>
  /**
   * Adds a job of each key now and whenever the schedule is due: one for all processes of the database, and none while
   * one waits. Keys of earlier versions under this name are deleted.
   * @param cron minute, hour, day of month, month and day of week, in UTC
   */
  repeat<N extends JobName>(name: N, cron: string, all: ReadonlyMap<string, JobData[N]>): Promise<void>
  /** Polls for jobs now; called after a commit, so that a job does not wait for the next poll. */
  wake(name: JobName): void
  /** Fetches no more jobs, of which other processes take those that wait; running ones continue. */
  rest(): Promise<void>
  stop(): Promise<void>
}

/**
 * How often each worker polls, s. Workers are woken after commits and by the check of due jobs; polls of all of them
 * every two seconds kept an idle server busy.
 */
const POLL_SECONDS = 60
const polling = { pollingIntervalSeconds: POLL_SECONDS }

const stopping = { graceful: true, timeout: 2000, wait: true, close: false }

/** Creates the missing queues, and changes those of a version with other retries. */
async function prepareQueues(boss: PgBoss): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((it) => [it.name, it]))
  for (const name of jobNames) {
    const wanted = { retryLimit: retries[name], retryDelay: 2, retryBackoff: true, expireInSeconds: 1800 }
    const queue = existing.get(name)
    if (queue && (Object.keys(wanted) as (keyof typeof wanted)[]).every((it) => queue[it] === wanted[it]))
      continue
    if (queue) await boss.updateQueue(name, wanted)
    else await boss.createQueue(name, { ...wanted, policy: keyed.has(name) ? 'short' : 'standard' })
    // Caches the queue now: pg-boss would read it on its own connection in a transaction, and PGlite has only one.
    await boss.getQueueStats(name)
  }
}

/**
 * @param checkSeconds how often this process looks for jobs that are due, from 1 to 45
 * @param versions other ones only in tests
 * @param traces undefined where tracing is off
 */
export async function openJobs(
  raw: RawSql,
  onError: (error: Error) => void,
  checkSeconds = 30,
  versions: JobVersions = jobVersions,
  traces?: JobTraces,
): Promise<Jobs> {
  const boss = new PgBoss({ db: raw, schedule: false })
  boss.on('error', onError)
  await boss.start()
  await prepareQueues(boss)
  const schedule = openSchedule(raw, onError, checkSeconds)
  const workers = new Map<JobName, string[]>()
  const wake = (name: JobName) => {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
  }
  const due = openDueJobs(raw, (name) => wake(name as JobName), onError)
  const rest = async () => {
    await due.stop()
    await schedule.stop()
    for (const name of workers.keys()) await boss.offWork(name)
    workers.clear()
  }
  return {
    ...addingWith(boss, versions, traces),
    async work(name, atOnce, handler) {
      const work = async (jobs: PgBoss.Job<JobData[typeof name]>[]) => {
        try {
          for (const { id, data } of jobs)
            if (isNewer(versions, name, data)) await putBack(raw, name, id)
            else await runCarried(traces, name, data, handler)
        } finally {
          // PGlite runs in this thread: without this turn, requests would wait until the end of a chain of jobs.
          await nextTurn()
          // More jobs often wait: the next is fetched at once, not at the next poll.
          wake(name)
        }
      }
      for (let i = 0; i < atOnce; i++) {
        const worker = await boss.work<JobData[typeof name]>(name, polling, work)
        workers.set(name, [...(workers.get(name) ?? []), worker])
      }
      due.watch(name)
    },
    async repeat(name, cron, all) {
      await schedule.set(name, cron, all)
      for (const [key, data] of all) await boss.send(name, data, { singletonKey: key })
      wake(name)
    },
    wake,
    rest,
    async stop() {
      await rest()
      await boss.stop(stopping)
    },
  }
}
