// Environment variables of traces; the names that OpenTelemetry gives them, and one of this server.
import * as v from 'valibot'
import type { Traces } from '#server/adapters/traces/traces.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.union([v.literal(''), v.pipe(v.string(), v.url(), v.regex(/^https?:\/\/[^?#]+$/))]),
    '',
  ),
  /** `name=value`, separated by commas; values are encoded as in URLs. */
  OTEL_EXPORTER_OTLP_HEADERS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:[\w-]+=[^,\s]*(?:,|$))*$/),
      v.check((it) => isDecodable(it)),
    ),
    '',
  ),
  OTEL_SERVICE_NAME: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/)), 'todoke'),
  OTEL_TRACES_SAMPLER: v.optional(v.picklist(samplers), 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(v.string(), v.regex(/^(?:0|1|0?\.\d{1,9}|1\.0)$/), v.transform(Number)),
    '1',
  ),
  TRACES_FROM_PROXY: v.optional(
    v.pipe(
      v.picklist(['1', '0']),
      v.transform((it) => it === '1'),
    ),
    '0',
  ),
}

type Given = v.InferOutput<v.ObjectSchema<typeof traceVariables, undefined>>

export const traceWanted: Record<keyof typeof traceVariables, string> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    '空にするか、http://127.0.0.1:4318 のような、OTLP/HTTP を受け取る URL にしてください',
  OTEL_EXPORTER_OTLP_HEADERS: '名前=値 をカンマで区切って並べてください（値は URL と同じように符号化します）',
  OTEL_SERVICE_NAME: '100文字までの半角英数字と . _ - で書いてください',
  OTEL_TRACES_SAMPLER: `${samplers.join('・')} のどれかにしてください`,
  OTEL_TRACES_SAMPLER_ARG: '0〜1 の数字（例 0.05）にしてください',
  TRACES_FROM_PROXY: '1 か 0 にしてください',
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The headers of requests to the collector. */
const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((it) => it !== '')
      .map((it) => {
        const equals = it.indexOf('=')
        return [it.slice(0, equals), decodeURIComponent(it.slice(equals + 1))]
      }),
  )

/**
 * Spans for a collector, if one is set. Their libraries are loaded only then.
 * @param failed called when spans were lost, at most once a minute
 */
export async function openTraces(env: Given, failed: (why: unknown) => void): Promise<Traces | undefined> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === '') return undefined
  const { openTelemetry } = await import('#server/adapters/traces/opentelemetry.ts')
  const [byParent, name] = /^(parentbased_)?(.+)$/.exec(env.OTEL_TRACES_SAMPLER)?.slice(1) ?? []
  const sampler = name === 'always_off' || name === 'traceidratio' ? name : 'always_on'
  return openTelemetry(
    {
      url: `${env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
      headers: headersOf(env.OTEL_EXPORTER_OTLP_HEADERS),
      service: env.OTEL_SERVICE_NAME,
      sampler,
      byParent: byParent !== undefined,
      ratio: env.OTEL_TRACES_SAMPLER_ARG,
    },
    failed,
  )
}
