// Sends finished spans, of which only allowed attributes are left.
import type { Attributes as AnyAttributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { allowedAttributes } from './traces.ts'

const allowed = new Set<string>(allowedAttributes)

const allowedOf = (attributes: AnyAttributes): AnyAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => allowed.has(name)))

/** The span without events, texts of errors, and attributes that are not allowed. */
function allowedSpan(span: ReadableSpan): ReadableSpan {
  const { name, kind, parentSpanContext, startTime, endTime, duration, ended } = span
  return {
    name,
    kind,
    spanContext: () => span.spanContext(),
    ...(parentSpanContext && { parentSpanContext }),
    startTime,
    endTime,
    duration,
    ended,
    status: { code: span.status.code },
    attributes: allowedOf(span.attributes),
    links: span.links.map(({ context }) => ({ context })),
    events: [],
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Least time between two reports of failures, ms. */
const REPORT_EVERY = 60_000

/**
 * @param failed called when spans were lost, at most once a minute
 * @param clock milliseconds
 */
export function onlyAllowed(
  exporter: SpanExporter,
  failed: (why: unknown) => void,
  clock: () => number = () => performance.now(),
): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans.map(allowedSpan), (result) => {
        if (result.error && clock() - reportedAt >= REPORT_EVERY) {
          reportedAt = clock()
          failed(result.error)
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
