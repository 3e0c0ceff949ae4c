// Traces in the data of jobs: from the request that enqueues one to its run.
import type { JobData, JobName } from './jobs.ts'

/** In the form of W3C Trace Context; earlier versions of the server ignore both. */
interface Carried {
  readonly traceparent?: string
  readonly tracelink?: string
}

export interface JobTraces {
  /** What the data of a job that is enqueued now carry. */
  carried(): Carried
  /** Runs a job in a span. */
  job<T>(name: string, carried: Carried, work: () => Promise<T>): Promise<T>
}

export const carrying = <D extends object>(traces: JobTraces | undefined, data: D): D =>
  traces ? { ...data, ...traces.carried() } : data

/** Runs a job with the data that its kind describes, also those that a server with traces has enqueued. */
export function runCarried<N extends JobName>(
  traces: JobTraces | undefined,
  name: N,
  data: JobData[N] & Carried,
  handler: (data: JobData[N]) => Promise<void>,
): Promise<void> {
  const { traceparent, tracelink, ...own } = data
  const given = own as unknown as JobData[N]
  if (!traces) return handler(given)
  return traces.job(name, { ...(traceparent && { traceparent }), ...(tracelink && { tracelink }) }, () =>
    handler(given),
  )
}
