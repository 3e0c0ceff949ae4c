// How often each kind of job is retried, and how long one run may take.
import type { JobName } from './jobs.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

interface JobKind {
  /** How often a job that throws is retried. */
  readonly retries: number
  /**
   * After how many seconds a run is failed although its worker lives, and another one may begin beside it: longer than the
   * longest honest run. A worker that died is noticed by its lease (`job-leases.ts`), whatever the kind.
   */
  readonly expiry: number
}

/** A few statements, or one request to another server, whose own limits are shorter. */
const quick = (retries: number): JobKind => ({ retries, expiry: 5 * MINUTE })
/** A batch of people or files, or requests one after the other. */
const batch = (retries: number): JobKind => ({ retries, expiry: 30 * MINUTE })
/** Works on whole files, archives or tables. */
const long = (retries: number): JobKind => ({ retries, expiry: 3 * HOUR })

export const jobKinds: Readonly<Record<JobName, JobKind>> = {
  'media.picture': batch(4),
  // Attempts are counted in the media row; `modules/media/turns.ts` enqueues another job after a failed one.
  'media.film': long(0),
  'media.ladder': long(0),
  'media.remove': batch(8),
  'message.media': quick(4),
  'media.compare': batch(4),
  'media.removed': batch(8),
  'post.released': batch(4),
  'registration.letter': quick(4),
  'reset.letter': quick(4),
  'email-change.letter': quick(4),
  // A mail relay may be down for hours: the delays double from two seconds on.
  'letter.send': quick(14),
  'identity.clear': batch(8),
  // For an export whose process died; one that throws is marked as failed and not retried.
  'export.make': long(2),
  'authority-export.make': long(2),
  'post.fan-out': quick(8),
  'notice.fan-out': quick(8),
  'notice.begin': quick(8),
  'notice.mail': quick(4),
  'notice.retract': quick(8),
  'notification.push': quick(4),
  // For errors of the server; `push.device` enqueues a new job when a push service is down.
  'push.device': quick(4),
  'notification.mail': quick(4),
  'message.push': quick(4),
  'message.device': quick(4),
  'message.mail': quick(4),
  'message.broadcast': quick(8),
  'payment.notice': quick(8),
  'payment.refund': quick(14),
  'membership.charges': quick(14),
  'recurring.stop': quick(14),
  'membership.stops': long(8),
  'membership.plan-closing': batch(8),
  'membership.plan-price': batch(8),
  'membership.open-plans': batch(8),
  'payment.reconcile': long(2),
  'payment-sandbox.notices': batch(4),
  // The next hourly sweep is the retry.
  'measures.end': batch(8),
  sweep: long(0),
}
export const jobNames = Object.keys(jobKinds) as readonly JobName[]

/** Kinds of which only one job of each key waits at a time. */
export const keyed: ReadonlySet<JobName> = new Set(['sweep', 'payment.reconcile'])
