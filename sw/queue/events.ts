// Events that change a job of any kind. Each kind adds its own.
import type { FieldCode } from '#contract/errors.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'

/** A request without an answer. `at`: ms since 1970; `jitter`: 0..1; `retryAfter`: ms, where the server named it. */
export interface Loss {
  at: number
  jitter: number
  retryAfter?: number
  why?: WaitReason
}

export type RetryEvent =
  /** No answer, or one that requests a later try. */
  | ({ type: 'lost' } & Loss)
  /** The server did not accept the token; the job waits as after `lost`. */
  | ({ type: 'tokenRefused' } & Loss)
  /** The network or the person is back: waits that the server did not request are over. */
  | { type: 'nudged' }
  /** The person wants it sent now: every wait is over. */
  | { type: 'hurried' }

/** Events that the server's answer to any request may cause. */
export type EndEvent =
  | Extract<RetryEvent, { type: 'lost' | 'tokenRefused' }>
  | { type: 'refused'; code: FailureCode; fields?: Record<string, FieldCode> }
  /** By the server's reply, the bytes of these files differ from the picked ones. */
  | { type: 'digestDiffered'; fileIds: readonly string[] }
  /** By the server's reply, uploads that the request names are missing or unfinished. */
  | { type: 'uploadsDenied' }

/** Actions of the person on a job. */
export type PersonEvent =
  | { type: 'hurried' }
  | { type: 'paused'; fileId?: string }
  | { type: 'resumed'; fileId?: string }
  | { type: 'retried'; fileId?: string }
  /** The person takes one file out; the last one cancels the job. */
  | { type: 'fileCancelled'; fileId: string }
  /** `keep` leaves what was sent on the server, for the draft to be submitted again. */
  | { type: 'cancelled'; keep?: true }

/** Events of one file of a job. */
export type FileEvent =
  /** The server named the address of the upload (POST). */
  | { type: 'created'; fileId: string; url: string }
  /** The server reported how many bytes it has (HEAD or PATCH). */
  | { type: 'accepted'; fileId: string; offset: number }
  /** The server no longer has an upload that it had. */
  | { type: 'gone'; fileId: string }
  /** The server removed the upload, or never had it. */
  | { type: 'discarded'; fileId: string }
  | { type: 'fileRefused'; fileId: string; code: FailureCode }

/** Events that the machine of every kind accepts; those of files change nothing where a kind has none. */
export type CommonEvent = RetryEvent | EndEvent | PersonEvent | FileEvent
