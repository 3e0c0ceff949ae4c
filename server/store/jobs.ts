// Background jobs: enqueued in a transaction, and run at least once after its commit.
import PgBoss from 'pg-boss'
import type { Db } from './database.ts'
import { openDueJobs } from './due-jobs.ts'
import { addingWith } from './job-adding.ts'
import { jobKinds, jobNames, keyed } from './job-kinds.ts'
import { indexRunning } from './job-leases.ts'
import { type JobTraces, runCarried } from './job-traces.ts'
import { isNewer, jobVersions, type JobVersions, putBack } from './job-versions.ts'
import { openWorkers } from './job-workers.ts'
import type { RecurringStop } from './payments/stored-refs.ts'
import { openSchedule } from './schedule.ts'

export { jobNames } from './job-kinds.ts'

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
  'recurring.stop': RecurringStop
  /** Stops the charges of memberships whose creator is leaving, or whose plan ends. It names no person. */
  'membership.stops': Record<string, never>
  /** Tells a batch of members that their plan ends; the next one tells them of another price. */
  'membership.plan-closing': { planId: string; after: string }
  'membership.plan-price': { planId: string; price: number; after: string }
  /** Opens to members what plans open that their creator added or changed some minutes before. */
  'membership.open-plans': { creatorId: string }
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

/** Creates the missing queues, and changes those of a version with other retries or another expiry. */
async function prepareQueues(boss: PgBoss): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((it) => [it.name, it]))
  for (const name of jobNames) {
    const { retries: retryLimit, expiry: expireInSeconds } = jobKinds[name]
    const wanted = { retryLimit, retryDelay: 2, retryBackoff: true, expireInSeconds }
    const queue = existing.get(name)
    if (queue && (Object.keys(wanted) as (keyof typeof wanted)[]).every((it) => queue[it] === wanted[it]))
      continue
    if (queue) await boss.updateQueue(name, wanted)
    else await boss.createQueue(name, { ...wanted, policy: keyed.has(name) ? 'short' : 'standard' })
    // Caches the queue now: pg-boss would read it on its own connection in a transaction, and PGlite has only one.
    await boss.getQueueStats(name)
  }
}

interface JobOptions {
  /** How often this process looks for recurring jobs that are due, from 1 to 45 s. */
  readonly checkSeconds?: number | undefined
  /** A job whose process dies runs again about this many seconds later. */
  readonly leaseSeconds?: number | undefined
  /** Other ones only in tests. */
  readonly versions?: JobVersions
  /** Undefined where tracing is off. */
  readonly traces?: JobTraces | undefined
}

export async function openJobs(
  raw: RawSql,
  onError: (error: Error) => void,
  { checkSeconds = 30, leaseSeconds = 45, versions = jobVersions, traces }: JobOptions = {},
): Promise<Jobs> {
  const boss = new PgBoss({ db: raw, schedule: false })
  boss.on('error', onError)
  await boss.start()
  await prepareQueues(boss)
  await indexRunning(raw)
  const schedule = openSchedule(raw, onError, checkSeconds)
  const workers = openWorkers({ raw, onError, leaseSeconds })
  const { wake } = workers
  const due = openDueJobs(raw, (name) => wake(name as JobName), onError)
  const rest = async () => {
    workers.rest()
    await due.stop()
    await schedule.stop()
  }
  return {
    ...addingWith(boss, versions, traces),
    async work(name, atOnce, handler) {
      for (let i = 0; i < atOnce; i++)
        workers.add(name, async ({ id, data }) => {
          const given = data as JobData[typeof name]
          if (isNewer(versions, name, given)) await putBack(raw, name, id)
          else await runCarried(traces, name, given, handler)
        })
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
      // First: what fails from now on may fail because the process stops.
      const stopped = workers.stop()
      await rest()
      await stopped
      await boss.stop({ graceful: true, timeout: 1000, wait: true, close: false })
    },
  }
}
