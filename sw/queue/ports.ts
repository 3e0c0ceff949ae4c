// What the queue needs from the world. The worker, the page without a worker, and the simulation each pass their own.
import type { FieldCode } from '#contract/errors.ts'
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type {
  MutationJob,
  Delivery,
  FailureCode,
  IdentityJob,
  Job,
  JobFacts,
  Media,
  PostJob,
  Queued,
  Session,
} from '#device/database/schema.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'

/** How one exchange with the server ended. Expected ends are values; only defects are thrown. */
export type Outcome<T> =
  | { is: 'ok'; value: T }
  /** No answer, or one that says "later"; `retryAfter` ms when told, `why` when the person can be told a reason. */
  | { is: 'lost'; retryAfter?: number; why?: WaitReason }
  | { is: 'refused'; code: FailureCode; fields?: Record<string, FieldCode> }
  /** The server does not know the upload or post. */
  | { is: 'gone' }
  /**
   * Nobody, or somebody else, is signed in; `refused` when the server did not accept the token, `closed` when it has
   * shut the account.
   */
  | { is: 'signedOut'; refused?: true; closed?: 'suspended' }
  /** We stopped it ourselves: the job changed, or its person left. */
  | { is: 'stopped' }
  | { is: 'digestDiffers'; mediaIds: string[] }
  | { is: 'uploadsDenied' }

export interface QueueStore {
  /** The signed-in person's session. */
  session(): Promise<Session | undefined>
  /** The server refused this token: forget it, unless another took its place. */
  refused(token: string, closed?: 'suspended'): Promise<void>
  /** What of this person's is to be sent, in its order. */
  deliveries(ownerId: string): Promise<Queued[]>
  changeFacts(
    jobId: string,
    change: (facts: JobFacts) => JobFacts,
    durability?: 'strict' | 'relaxed',
  ): Promise<Queued | undefined>
  /** @param id as the server names what the job made */
  finish(job: Job | MutationJob, id: string, at: number): Promise<void>
  drop(jobId: string): Promise<void>
  media(mediaId: string): Promise<Media | undefined>
  /**
   * The media's composite digest, once its bytes are whole; `undefined` when nobody is going to make them whole any
   * more. Rejects when stopped.
   */
  digest(mediaId: string, signal: AbortSignal): Promise<string | undefined>
  /** One chunk, once it is stored; `undefined` when nobody is going to store it any more. Rejects when stopped. */
  chunk(mediaId: string, index: number, signal: AbortSignal): Promise<Blob | undefined>
  /** A media's bytes from `from` up to `to`, across chunks; otherwise as `chunk`. */
  range(mediaId: string, from: number, to: number, signal: AbortSignal): Promise<Blob | undefined>
}

/** What the server says of an upload while it is sent. */
export type Told = (said: { offset: number } | { url: string }) => Promise<void>

export interface PublishApi {
  /** Sends a media from the server's offset on; tells every address and offset the server names. */
  send(job: Delivery, mediaId: string, told: Told, signal: AbortSignal): Promise<Outcome<null>>
  discard(job: Delivery, mediaId: string, signal: AbortSignal): Promise<Outcome<null>>
  addPost(job: PostJob, signal: AbortSignal): Promise<Outcome<{ postId: string; videoId: string | null }>>
  /** Takes an unreleased post back; `refused` with `conflict` when it is released already. */
  withdraw(job: PostJob, postId: string, signal: AbortSignal): Promise<Outcome<null>>
  release(job: PostJob, postId: string, signal: AbortSignal): Promise<Outcome<null>>
  /** Makes the check of the uploads it names; safe to repeat. */
  submitCheck(job: IdentityJob, signal: AbortSignal): Promise<Outcome<{ id: string }>>
  /** Does something small; safe to repeat. */
  act(job: MutationJob, signal: AbortSignal): Promise<Outcome<null>>
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

export interface Ports {
  store: QueueStore
  api: PublishApi
  clock: Clock
  lock: Lock
  /** The device knows that it has no network: nothing is sent that might arrive all the same. */
  offline?: () => boolean
  /** Says outside the app what became of a delivery; absent where there is no outside. */
  notify?: (notice: DeliveryNotice) => Promise<void>
}

/** The part of `fetch` the queue uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>
