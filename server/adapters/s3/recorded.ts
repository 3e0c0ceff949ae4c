// Counts and traces the requests of a client of the object store.
import type { S3Client } from '@aws-sdk/client-s3'
import type { MeasuredObjectRequest, Metrics } from '#server/adapters/metrics/metrics.ts'
import type { OpenSpan, Traces } from '#server/adapters/traces/traces.ts'

/** What the SDK says of a request in its output and in its errors. */
interface Told {
  readonly name?: string
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number }
}

/** A store that lacks an object, or an object that ends before a range, is no failure: callers ask for both. */
function outcomeOf({ name, $metadata }: Told): MeasuredObjectRequest['outcome'] {
  const status = $metadata?.httpStatusCode ?? 0
  if ((status === 404 && name !== 'NoSuchBucket') || status === 416) return 'missing'
  return status >= 400 && status < 500 ? 'refused' : 'failed'
}

/** Name of an operation in the protocol, such as `PutObject`. */
const operationOf = ({ commandName = 'unknown' }: { readonly commandName?: string }): string =>
  commandName.replace(/Command$/, '')

/**
 * Measures each request of the client with all its tries, to the headers of the reply: the bytes of an object that is read
 * follow at the speed of their reader.
 * @param clock milliseconds that go on by themselves
 */
export function recordRequests(
  client: S3Client,
  metrics: Pick<Metrics, 'objectStore'>,
  clock: () => number = () => performance.now(),
): void {
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const begun = clock()
      const count = (outcome: MeasuredObjectRequest['outcome'], { $metadata }: Told) =>
        metrics.objectStore({
          operation: operationOf(context),
          outcome,
          seconds: (clock() - begun) / 1000,
          retries: ($metadata?.attempts ?? 1) - 1,
        })
      try {
        const result = await next(args)
        count('done', result.output)
        return result
      } catch (error) {
        count(outcomeOf(error as Told), error as Told)
        throw error
      }
    },
    { step: 'initialize', priority: 'high', name: 'todokeRecordRequests' },
  )
}

/** Makes a span of each request of the client, without its bucket and key. */
export function traceObjectRequests(client: S3Client, traces: Traces | undefined): void {
  if (!traces) return
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = operationOf(context)
      const span = traces.step(operation, () => ({ 'rpc.system': 'aws-api', 'rpc.method': operation }))
      if (!span) return next(args)
      try {
        const result = await span.enter(() => next(args))
        tell(span, result.output)
        span.end()
        return result
      } catch (error) {
        tell(span, error as Told)
        span.end(outcomeOf(error as Told) === 'missing' ? undefined : error)
        throw error
      }
    },
    { step: 'initialize', priority: 'high', name: 'todokeTraceRequests' },
  )
}

function tell(span: OpenSpan, { $metadata }: Told): void {
  const { httpStatusCode, attempts = 1 } = $metadata ?? {}
  span.set({
    ...(httpStatusCode !== undefined && { 'http.response.status_code': httpStatusCode }),
    'todoke.retries': attempts - 1,
  })
}
