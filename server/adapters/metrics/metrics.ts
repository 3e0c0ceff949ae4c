// What a server process counts for Prometheus, and the double that counts nothing.
import type { ReadingName } from './readings.ts'

/** Kinds of requests that are recognised as repeated, late or out of place, and then change nothing. */
export const repeatedKinds = [
  'post',
  'release',
  'message',
  'comment',
  'mutation',
  'upload',
  'offset',
  'chunk',
] as const
export type RepeatedKind = (typeof repeatedKinds)[number]

export interface MeasuredRequest {
  readonly method: string
  /** Pattern of the route; undefined for a path without one. */
  readonly route: string | undefined
  readonly status: number
  /** From the arrival of the request to the end of its reply. */
  readonly ms: number
}

export interface MeasuredMedia {
  readonly kind: 'image' | 'video' | 'ladder'
  /** `failed`: the process died or ran out of time or memory, and another attempt may follow. */
  readonly outcome: 'made' | 'refused' | 'failed'
  readonly seconds: number
}

export interface MeasuredObjectRequest {
  /** Name of the operation in the protocol of S3, such as `PutObject`. */
  readonly operation: string
  /** `missing`: no such object or range. `refused`: another 4xx. `failed`: 5xx, or no reply. */
  readonly outcome: 'done' | 'missing' | 'refused' | 'failed'
  /** All tries together, with the pauses between them, to the headers of the reply. */
  readonly seconds: number
  /** Tries after the first one. */
  readonly retries: number
}

/**
 * Where a read was served that a replica may serve. `new`: by the primary, since the client has no watermark yet. `behind`: no
 * replica had what the person wrote. `changed`: the primary removed something that a replica had found. `unavailable`: no replica
 * could be used. `failed`: it broke, or took too long.
 */
export const replicaReadKinds = ['replica', 'new', 'behind', 'changed', 'unavailable', 'failed'] as const
export type ReplicaReadKind = (typeof replicaReadKinds)[number]

/** A value that is read at a scrape. */
export interface Reading {
  readonly name: ReadingName
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** The text format of Prometheus. */
export interface Exposition {
  readonly contentType: string
  /** All counts, and the given values. Calls must not overlap. */
  text(readings: readonly Reading[]): Promise<string>
}

/** Counts of this process since its start. Labels have neither ids nor raw paths. */
export interface Metrics {
  request(it: MeasuredRequest): void
  /** A post was released, for the first time. */
  released(): void
  repeated(kind: RepeatedKind): void
  /** Bytes of resumable uploads were received. */
  uploaded(bytes: number): void
  media(it: MeasuredMedia): void
  mail(outcome: 'sent' | 'refused' | 'failed'): void
  /** A request to the object store has a reply, or is given up. */
  objectStore(it: MeasuredObjectRequest): void
  /** A request was refused because the event loop is late. */
  overloaded(): void
  /** A read that a replica may serve has ended on it, or begins on the primary. */
  replicaRead(kind: ReplicaReadKind): void
  /** Undefined where nothing is counted. */
  readonly exposition?: Exposition
}

const nothing = () => undefined

/** Counts nothing: without a setting of metrics the server neither loads their library nor keeps counts. */
export const noMetrics: Metrics = {
  request: nothing,
  released: nothing,
  repeated: nothing,
  uploaded: nothing,
  media: nothing,
  mail: nothing,
  objectStore: nothing,
  overloaded: nothing,
  replicaRead: nothing,
}
