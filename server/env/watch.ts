// Environment variables of metrics (their own port and token) and of overload.
import * as v from 'valibot'
import { type Metrics, noMetrics } from '#server/adapters/metrics/metrics.ts'

const port = v.optional(
  v.pipe(v.string(), v.digits(), v.transform(Number), v.minValue(1), v.maxValue(65_535)),
)

export const watchVariables = {
  METRICS_PORT: port,
  METRICS_HOST: v.optional(v.pipe(v.string(), v.nonEmpty()), '127.0.0.1'),
  METRICS_TOKEN: v.optional(
    v.union([v.literal(''), v.pipe(v.string(), v.minLength(32), v.maxLength(200), v.regex(/^[\w.~+/=-]+$/))]),
    '',
  ),
  OVERLOAD_DELAY_MS: v.optional(
    v.pipe(v.string(), v.digits(), v.transform(Number), v.maxValue(60_000)),
    '500',
  ),
}

type Given = v.InferOutput<v.ObjectSchema<typeof watchVariables, undefined>>

export const watchWanted: Record<keyof typeof watchVariables, string> = {
  METRICS_PORT: '空にするか、1〜65535 の数字にしてください',
  METRICS_HOST: 'ホスト名か IP アドレスにしてください',
  METRICS_TOKEN:
    '空にするか、32〜200文字の半角英数字と . _ ~ + / = - で書いてください（例 openssl rand -base64 32）',
  OVERLOAD_DELAY_MS: '0〜60000 の数字（ミリ秒）にしてください（0 は断らない）',
}

/** Sentences about variables that do not fit each other. */
export const wrongOfWatch = ({ METRICS_PORT, PORT }: Given & { readonly PORT: number }): string[] =>
  METRICS_PORT === PORT ? ['環境変数 METRICS_PORT は、PORT とは別の番号にしてください。'] : []

/** Counts for Prometheus if a port or a token is set. Their library is loaded only then. */
export async function openMetrics({
  METRICS_PORT,
  METRICS_TOKEN,
}: Pick<Given, 'METRICS_PORT' | 'METRICS_TOKEN'>): Promise<Metrics> {
  if (METRICS_PORT === undefined && METRICS_TOKEN === '') return noMetrics
  const { openPrometheus } = await import('#server/adapters/metrics/prometheus.ts')
  return openPrometheus()
}
