// What a server tells of its work to a collector of OpenTelemetry.

/** Attributes that may leave the server. Every other one is dropped before it is sent (decision 105). */
export const allowedAttributes = [
  'http.request.method',
  /** The pattern of the route, never the path. */
  'http.route',
  'http.response.status_code',
  /** Kind of a failure: a status, a code or the name of a class. */
  'error.type',
  /** The header `X-Request-Id` of the reply. */
  'todoke.request.id',
  'db.system.name',
  'db.operation.name',
  /** A statement without the values in it. */
  'db.query.text',
  /** Kind of a job. */
  'messaging.destination.name',
  'rpc.system',
  /** Operation of the object store, such as `PutObject`. */
  'rpc.method',
  'todoke.retries',
  'todoke.media.kind',
  'todoke.media.outcome',
] as const

export type Attributes = Readonly<Partial<Record<(typeof allowedAttributes)[number], string | number>>>

/** A span that has not ended. */
export interface OpenSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  set(attributes: Attributes): void
  /** Runs work with this span as the present one, also in all that the work begins. */
  enter<T>(work: () => T): T
  /** Ends it; a second call does nothing. @param error what failed; only its kind is recorded */
  end(error?: unknown): void
}

/**
 * What the data of a job carry: `traceparent` of the request that enqueued it and whose trace it continues, or `tracelink` of
 * the job that did, with which a trace of its own begins. Both are in the form of W3C Trace Context.
 */
export interface CarriedTrace {
  readonly traceparent?: string
  readonly tracelink?: string
}

/** Spans of this server. Where tracing is off there is none, and no library of it is loaded. */
export interface Traces {
  /** Begins the span of a request. @param traceparent of a proxy that is trusted; another form than that of W3C is ignored */
  request(traceparent: string | undefined): OpenSpan & { name(name: string): void }
  /**
   * Begins a step of the present request or job.
   * @param attributes called when the span is recorded
   * @returns undefined outside of both, in a trace that is not recorded, and when there are too many steps
   */
  step(name: string, attributes: () => Attributes): OpenSpan | undefined
  /** Of a job that is enqueued now; empty outside of requests and jobs. */
  carried(): CarriedTrace
  /** Runs a job in a span. */
  job<T>(name: string, carried: CarriedTrace, work: () => Promise<T>): Promise<T>
  /** Sends what is left, for a second at most. */
  close(): Promise<void>
}

/** Runs work as a step. @param span undefined when it has none */
export async function inStep<T>(span: OpenSpan | undefined, work: () => Promise<T>): Promise<T> {
  if (!span) return work()
  try {
    const done = await span.enter(work)
    span.end()
    return done
  } catch (error) {
    span.end(error)
    throw error
  }
}
