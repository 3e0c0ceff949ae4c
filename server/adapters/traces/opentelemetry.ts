// Makes spans with the SDK of OpenTelemetry, and sends them by OTLP.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { onlyAllowed } from './exporter.ts'
import type { CarriedTrace, OpenSpan, Traces } from './traces.ts'

export interface TraceSettings {
  /** Full address for `POST` of spans, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly service: string
  readonly sampler: 'always_on' | 'always_off' | 'traceidratio'
  /** Whether the decision of a trusted proxy or of the enqueuing request is followed. */
  readonly byParent: boolean
  /** Part of the traces that is recorded, 0 to 1. */
  readonly ratio: number
}

/** Longest request to the collector, and time between two of them, ms. */
const EXPORT_MS = 5000
const EXPORT_EVERY = 2000
/** Spans that wait for the collector; further ones are dropped. */
const WAITING = 8192
/** Longest wait for the collector at the stop, ms. */
const CLOSE_MS = 1000
/** Steps of one request or job: a job may have any number of statements. */
const STEPS = 1000

/** What runs now: its span, and how many steps it may still have. */
interface Present {
  readonly context: Context
  readonly isJob: boolean
  /** Of the request or job as a whole. What it leaves behind, such as a connection, is no part of it once it is over. */
  readonly root: { steps: number; isOver: boolean }
}

function samplerOf({ sampler, ratio, byParent }: TraceSettings): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler]()
  return byParent ? new ParentBasedSampler({ root }) : root
}

const PARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** The span of a `traceparent`; undefined for another text. */
export function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = PARENT.exec(traceparent ?? '') ?? []
  const it = { traceId, spanId, traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return trace.isSpanContextValid(it) ? it : undefined
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`

/** Kind of an error: a code, or the name of its class. Texts of errors have values of people in them. */
export function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  const known = [code, name].find((it) => typeof it === 'string' && /^[\w.]{1,60}$/.test(it))
  return typeof known === 'string' ? known : 'unknown'
}

/** @param failed called when spans were lost, at most once a minute */
export function openTelemetry(settings: TraceSettings, failed: (why: unknown) => void): Traces {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: EXPORT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.service,
      'service.instance.id': randomUUID(),
    }),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: onlyAllowed(exporter, failed),
        maxQueueSize: WAITING,
        scheduledDelayMillis: EXPORT_EVERY,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  })
  return { ...spansOf(provider), close: () => closeSoon(provider) }
}

/** A collector that is gone must not hold up the stop. */
async function closeSoon(provider: TracerProvider): Promise<void> {
  const end = new AbortController()
  const closed = provider.shutdown().catch(() => undefined)
  await Promise.race([closed, pause(CLOSE_MS, undefined, { signal: end.signal }).catch(() => undefined)])
  end.abort()
}

/** How spans are opened: a step, and the span of a request or job. */
function openingIn(present: AsyncLocalStorage<Present>) {
  const openOf = (span: Span, isJob: boolean, root: Present['root']): OpenSpan => {
    const context = trace.setSpan(ROOT_CONTEXT, span)
    return {
      traceId: span.spanContext().traceId,
      set: (attributes) => void span.setAttributes(attributes),
      enter: (work) => present.run({ context, isJob, root }, work),
      end: (error) => endSpan(span, error),
    }
  }
  const rootOf = (span: Span, isJob: boolean): OpenSpan => {
    const root = { steps: STEPS, isOver: false }
    const open = openOf(span, isJob, root)
    return {
      ...open,
      end(error) {
        root.isOver = true
        open.end(error)
      },
    }
  }
  return { openOf, rootOf }
}

function spansOf(provider: TracerProvider): Omit<Traces, 'close'> {
  const tracer = provider.getTracer('todoke')
  const present = new AsyncLocalStorage<Present>()
  const below = (parent: SpanContext | undefined): Context =>
    parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  const { openOf, rootOf } = openingIn(present)
  return {
    request(traceparent) {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, below(spanContextOf(traceparent)))
      return { ...rootOf(span, false), name: (name) => void span.updateName(name) }
    },
    step(name, attributes) {
      const now = present.getStore()
      if (!now || now.root.isOver || now.root.steps === 0) return undefined
      if (!trace.getSpan(now.context)?.isRecording()) return undefined
      now.root.steps -= 1
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CLIENT, attributes: { ...attributes() } },
        now.context,
      )
      return openOf(span, now.isJob, now.root)
    },
    carried() {
      const now = present.getStore()
      const span = now && trace.getSpanContext(now.context)
      if (!now || now.root.isOver || !span) return {}
      return now.isJob ? { tracelink: traceparentOf(span) } : { traceparent: traceparentOf(span) }
    },
    async job(name, carried, work) {
      const options = {
        kind: SpanKind.CONSUMER,
        attributes: { 'messaging.destination.name': name },
        links: linksOf(carried),
      }
      const span = tracer.startSpan(`job ${name}`, options, below(spanContextOf(carried.traceparent)))
      const open = rootOf(span, true)
      try {
        return await open.enter(work)
      } catch (error) {
        open.end(error)
        throw error
      } finally {
        open.end()
      }
    },
  }
}

const linksOf = ({ tracelink }: CarriedTrace): Link[] => {
  const context = spanContextOf(tracelink)
  return context ? [{ context }] : []
}

function endSpan(span: Span, error: unknown): void {
  if (!span.isRecording()) return
  if (error !== undefined) {
    span.setAttribute('error.type', kindOf(error))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
