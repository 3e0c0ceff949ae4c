// Counts by prom-client, in a registry of its own for each server of a process.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type Exposition, type Metrics, type Reading, repeatedKinds, replicaReadKinds } from './metrics.ts'
import { describedReadings } from './readings.ts'

/** Label of requests without a route: their paths are chosen by clients. */
const UNKNOWN = 'unknown'

/** Upper bounds of the times of requests, s. */
const REQUEST_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
/** Upper bounds of the times of media processing, s; the longest task has 28 minutes. */
const MEDIA_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600, 1700]

/** Upper bounds of the times of requests to the object store, s. */
const OBJECT_STORE_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

/** Opens counts that also measure this process (memory, processor time, garbage collection). */
export function openPrometheus(): Metrics & { readonly exposition: Exposition } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return { ...countersIn(registry), exposition: expositionOf(registry) }
}

function countersIn(registry: Registry): Omit<Metrics, 'exposition'> {
  const registers = [registry]
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = counter(
    'todoke_http_requests_total',
    'Requests by method, pattern of the route, and status of the reply.',
    'method',
    'route',
    'status',
  )
  const seconds = new Histogram({
    name: 'todoke_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its reply; an upload has the time of its network.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const released = counter('todoke_posts_released_total', 'Posts released, each once.')
  const repeated = counter(
    'todoke_repeated_requests_total',
    'Repeated, late or misplaced requests that changed nothing, by kind.',
    'kind',
  )
  for (const kind of repeatedKinds) repeated.inc({ kind }, 0)
  const uploaded = counter('todoke_upload_received_bytes_total', 'Bytes of resumable uploads received.')
  const media = new Histogram({
    name: 'todoke_media_duration_seconds',
    help: 'Time to process one file, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    buckets: MEDIA_SECONDS,
    registers,
  })
  const mails = counter('todoke_mails_total', 'Emails handed to the mail relay, by outcome.', 'outcome')
  for (const outcome of ['sent', 'refused', 'failed']) mails.inc({ outcome }, 0)
  const overloaded = counter(
    'todoke_overload_refusals_total',
    'Requests refused because the event loop was late.',
  )
  return {
    ...objectStoreIn(registers),
    ...replicaReadsIn(registers),
    request({ method, route, status, ms }) {
      const known = route === undefined ? { method: UNKNOWN, route: UNKNOWN } : { method, route }
      requests.inc({ ...known, status })
      seconds.observe(known, ms / 1000)
    },
    released: () => released.inc(),
    repeated: (kind) => repeated.inc({ kind }),
    uploaded: (bytes) => uploaded.inc(bytes),
    media: ({ kind, outcome, seconds: taken }) => media.observe({ kind, outcome }, taken),
    mail: (outcome) => mails.inc({ outcome }),
    overloaded: () => overloaded.inc(),
  }
}

function replicaReadsIn(registers: Registry[]): Pick<Metrics, 'replicaRead'> {
  const reads = new Counter({
    name: 'todoke_replica_reads_total',
    help: 'Reads that a replica may serve: on a replica, or why on the primary. Without replicas none is counted.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of replicaReadKinds) reads.inc({ kind }, 0)
  return { replicaRead: (kind) => reads.inc({ kind }) }
}

function objectStoreIn(registers: Registry[]): Pick<Metrics, 'objectStore'> {
  const seconds = new Histogram({
    name: 'todoke_object_store_request_duration_seconds',
    help: 'Time of a request to the object store with all its tries, to the headers of the reply.',
    labelNames: ['operation', 'outcome'],
    buckets: OBJECT_STORE_SECONDS,
    registers,
  })
  const retries = new Counter({
    name: 'todoke_object_store_retries_total',
    help: 'Tries of requests to the object store after the first one of each.',
    labelNames: ['operation'],
    registers,
  })
  return {
    objectStore({ operation, outcome, seconds: taken, retries: more }) {
      seconds.observe({ operation, outcome }, taken)
      retries.inc({ operation }, more)
    },
  }
}

function expositionOf(registry: Registry): Exposition {
  const registers = [registry]
  const read = new Map<string, { reset(): void; inc(labels: Record<string, string>, value: number): void }>()
  for (const [name, { type, help, labels }] of Object.entries(describedReadings)) {
    const options = { name, help, labelNames: [...labels], registers }
    read.set(name, type === 'gauge' ? new Gauge(options) : new Counter(options))
  }
  return {
    contentType: registry.contentType,
    text(readings: readonly Reading[]) {
      for (const it of read.values()) it.reset()
      for (const { name, labels = {}, value } of readings) read.get(name)?.inc({ ...labels }, value)
      return registry.metrics()
    },
  }
}
