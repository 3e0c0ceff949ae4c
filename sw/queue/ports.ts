// Ports of the queue. The worker, the page without a worker, and the simulation implement them.
import type { FieldCode } from '#contract/errors.ts'
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { Media, Session } from '#device/database/schema.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { FileJob, IdentityJob, Job, MessageJob, MutationJob, PostJob } from '#device/jobs/job-rows.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'

/** How one exchange with the server ended. Expected ends are values; only defects are thrown. */
export type Outcome<T> =
  | { is: 'ok'; value: T }
  /** No answer, or one that requests a later try; `retryAfter` ms where the server named it, `why` where a reason is known. */
  | { is: 'lost'; retryAfter?: number; why?: WaitReason }
  | { is: 'refused'; code: FailureCode; fields?: Record<string, FieldCode> }
  /** The server does not know the upload or post. */
  | { is: 'gone' }
  /**
   * The job's owner is not signed in; `refused` when the server did not accept the token, `closed` when it has closed
   * the account.
   */
  | { is: 'signedOut'; refused?: true; closed?: 'suspended' }
  /** The device stopped it: the job changed, or its owner signed out. */
  | { is: 'stopped' }
  | { is: 'digestDiffers'; mediaIds: string[] }
  | { is: 'uploadsDenied' }

/** The jobs of a queue, wherever they are stored. @typeParam All the jobs of the queue */
export interface JobStore<All = FileJob> {
  /** Whose jobs are sent: the signed-in person. */
  session(): Promise<Pick<Session, 'user'> | undefined>
  /** The person's jobs that are to be sent, in their order. */
  deliveries(ownerId: string): Promise<All[]>
  /** Changes a stored job, in one transaction; undefined when it was deleted. */
  change(
    jobId: string,
    change: (job: All) => All,
    durability?: 'strict' | 'relaxed',
  ): Promise<All | undefined>
  /** @param id the server's name for what the job made */
  finish(job: Job | MutationJob, id: string, at: number): Promise<void>
  drop(jobId: string): Promise<void>
}

/** The device's rows as the queue uses them. @typeParam All the jobs of the queue */
export interface QueueStore<All = FileJob> extends JobStore<All> {
  session(): Promise<Session | undefined>
  /** The server refused this token: deletes it, unless another took its place. */
  refused(token: string, closed?: 'suspended'): Promise<void>
  media(mediaId: string): Promise<Media | undefined>
  /**
   * The media's composite digest, once its bytes are whole; `undefined` when they never will be. Rejects when
   * stopped.
   */
  digest(mediaId: string, signal: AbortSignal): Promise<string | undefined>
  /** One chunk, once it is stored; `undefined` when it never will be. Rejects when stopped. */
  chunk(mediaId: string, index: number, signal: AbortSignal): Promise<Blob | undefined>
  /** A media's bytes from `from` up to `to`, across chunks; otherwise as `chunk`. */
  range(mediaId: string, from: number, to: number, signal: AbortSignal): Promise<Blob | undefined>
}

/** Called with the address and the offsets that the server names while a file is sent. */
export type OnProgress = (progress: { offset: number } | { url: string }) => Promise<void>

/** Sends files and removes them from the server, by the protocol of their job. */
export interface FileApi {
  /** Sends a media from the server's offset on. */
  send(job: FileJob, mediaId: string, onProgress: OnProgress, signal: AbortSignal): Promise<Outcome<null>>
  discard(job: FileJob, mediaId: string, signal: AbortSignal): Promise<Outcome<null>>
}

export interface PostApi extends FileApi {
  addPost(job: PostJob, signal: AbortSignal): Promise<Outcome<{ postId: string; videoId: string | null }>>
  /** Withdraws an unreleased post; `refused` with `conflict` when it is released already. */
  withdraw(job: PostJob, postId: string, signal: AbortSignal): Promise<Outcome<null>>
  release(job: PostJob, postId: string, signal: AbortSignal): Promise<Outcome<null>>
}

export interface IdentityApi extends FileApi {
  /** Makes the check of the uploads it names; safe to repeat. */
  submitCheck(job: IdentityJob, signal: AbortSignal): Promise<Outcome<{ id: string }>>
}

export interface MessageApi extends FileApi {
  /** Sends the message of the uploads it names; safe to repeat. */
  submitMessage(job: MessageJob, signal: AbortSignal): Promise<Outcome<{ id: string }>>
}

export interface MutationApi {
  /** Carries out a mutation; safe to repeat. */
  mutate(job: MutationJob, signal: AbortSignal): Promise<Outcome<null>>
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves at `until`, or at once when `signal` aborts. */
  sleep(until: number, signal: AbortSignal): Promise<void>
  /** 0..1 */
  random(): number
}

/** One runner at a time across tabs and worker: runs `work` when this one holds the lock. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>

/** Services that the steps of every kind use. */
export interface Services {
  store: Pick<JobStore, 'finish' | 'drop'>
  clock: Clock
  /** Whether the device reports that it is offline; then no request is sent. */
  offline?: () => boolean
  /** Shows a notice outside the app; absent where there is no such place. */
  notify?: (notice: DeliveryNotice) => Promise<void>
}

/** @typeParam All the jobs of the queue */
export interface Ports<All = FileJob> extends Services {
  store: JobStore<All>
  lock: Lock
}

/** The part of `fetch` the queue uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
