// A collector of traces: receives OTLP/HTTP in the form of JSON, or never replies.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import * as v from 'valibot'
import { vi } from 'vitest'
import { openTelemetry, type TraceSettings } from '#server/adapters/traces/opentelemetry.ts'
import type { Traces } from '#server/adapters/traces/traces.ts'

/** The attributes of the protocol: a name, and a value by its type. */
const attributes = v.pipe(
  v.array(
    v.object({
      key: v.string(),
      value: v.union([
        v.pipe(
          v.object({ stringValue: v.string() }),
          v.transform((it): string | number => it.stringValue),
        ),
        v.pipe(
          v.object({ intValue: v.union([v.string(), v.number()]) }),
          v.transform((it): string | number => Number(it.intValue)),
        ),
      ]),
    }),
  ),
  v.transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value]))),
)
const hex = (digits: number) => v.pipe(v.string(), v.hexadecimal(), v.length(digits))

/** A span as `ExportTraceServiceRequest` has it in JSON. */
const span = v.object({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: v.optional(v.union([hex(16), v.literal('')]), ''),
  name: v.string(),
  startTimeUnixNano: v.string(),
  endTimeUnixNano: v.string(),
  attributes,
  events: v.optional(v.array(v.unknown()), []),
  links: v.optional(v.array(v.object({ traceId: hex(32), spanId: hex(16) })), []),
  status: v.object({ code: v.optional(v.number(), 0), message: v.optional(v.string(), '') }),
})
const request = v.object({
  resourceSpans: v.array(
    v.object({
      resource: v.object({ attributes }),
      scopeSpans: v.array(v.object({ spans: v.array(span) })),
    }),
  ),
})

export type ReceivedSpan = v.InferOutput<typeof span>

export interface Collector {
  /** Value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string
  readonly spans: readonly ReceivedSpan[]
  /** Attributes of the servers that sent something. */
  readonly resources: readonly Record<string, string | number>[]
  /** Everything that was received, as text. */
  text(): string
  /** Number of requests, also of those that get no reply. */
  requests(): number
  /** Headers of the last request. */
  headers(): NodeJS.Dict<string | string[]>
  /** Waits for a span. */
  until(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
  close(): Promise<void>
}

/** @param replies whether it ever replies */
export async function openCollector(replies = true): Promise<Collector> {
  const [spans, resources, texts]: [ReceivedSpan[], Record<string, string | number>[], string[]] = [
    [],
    [],
    [],
  ]
  let requests = 0
  let headers: NodeJS.Dict<string | string[]> = {}
  const server = createServer((incoming, outgoing) => {
    requests += 1
    headers = incoming.headers
    const chunks: Buffer[] = []
    incoming.on('data', (it: Buffer) => chunks.push(it))
    incoming.on('end', () => {
      if (!replies) return
      const sent = Buffer.concat(chunks)
      const text = (incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString()
      texts.push(text)
      const isTrace = incoming.method === 'POST' && incoming.url === '/v1/traces'
      const parsed = v.safeParse(request, isTrace ? JSON.parse(text) : undefined)
      if (!parsed.success) return void outgoing.writeHead(400).end(JSON.stringify(parsed.issues))
      for (const { resource, scopeSpans } of parsed.output.resourceSpans) {
        resources.push(resource.attributes)
        spans.push(...scopeSpans.flatMap((it) => it.spans))
      }
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    text: () => texts.join('\n'),
    requests: () => requests,
    headers: () => headers,
    until: (matches) => vi.waitUntil(() => spans.find(matches), { timeout: 30_000, interval: 20 }),
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** Traces that are sent to a collector, all of them by default. */
export const tracesTo = (
  { endpoint }: Pick<Collector, 'endpoint'>,
  settings: Partial<TraceSettings> = {},
  failed: (why: unknown) => void = () => undefined,
): Traces =>
  openTelemetry(
    {
      url: `${endpoint}/v1/traces`,
      headers: {},
      service: 'todoke',
      sampler: 'always_on',
      byParent: true,
      ratio: 1,
      ...settings,
    },
    failed,
  )
