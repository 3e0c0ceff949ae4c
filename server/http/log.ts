// Logs without secrets: removes named fields, cuts long lines, masks the rest.
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import { PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { MASK, mask } from './mask.ts'

/** Names of fields with secrets, at the top level and one or two levels below. */
const names = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'new_password',
  'code',
  'token',
  'password_reset_token',
  'secret',
  'passwordHash',
  'tokenHash',
  'codeHash',
]
/** Names that are logged at the top level: `code` is that of a refusal there. */
const open = new Set(['code'])

const paths = [
  ...names.flatMap((name) => [
    ...(open.has(name) ? [] : [name, `*.${name}`]),
    `body.${name}`,
    `headers.${name}`,
    `*.headers.${name}`,
  ]),
  // Parameters of a failed query.
  'err.params',
  'err.cause.params',
]

/** Longest logged line, UTF-16 units, so that masking is fast for every request. */
const MAX_LINE = 16_384
/** Longest text in a line that had to be cut, UTF-16 units. */
const MAX_TEXT = 1000
const MAX_URL = 1000
const MAX_HOST = 255

const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…(${text.length})` : text

/** A line within `MAX_LINE`: cuts its texts, and if that is not enough, leaves only a few plain values. */
function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line
  const short = (_: string, value: unknown) => (typeof value === 'string' ? cutText(value, MAX_TEXT) : value)
  const values = JSON.parse(line) as Record<string, unknown>
  const cut = JSON.stringify(values, short)
  if (cut.length < MAX_LINE) return `${cut}\n`
  const plain = ['level', 'time', 'reqId', 'traceId', 'msg', 'code'].flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  return `${JSON.stringify({ ...Object.fromEntries(plain), cutFrom: line.length }, short)}\n`
}

/** A line as it is logged: cut first, then masked. */
export const logLineOf = (line: string): string => mask(cutLine(line))

interface LogOptions {
  /** A pino level; 'silent' turns logs off. */
  readonly level: string
  readonly pretty: boolean
  /** Destination instead of the standard output. */
  readonly stream?: { write(line: string): void } | undefined
}

/** What an address of the app has before its query. A percent-encoded `?` or `#` hides a query, `%2F` where a token begins. */
const PLAIN = /^(?:[./@~:]|[\w-]{1,42}(?![\w-]))*/

/** A path without the secret part of the payment notices' address, and up to what has no place in an address of the app. */
function withoutSecret(path: string): string {
  if (path.startsWith(`${PAYMENT_NOTICES_PATH}/`)) return `${PAYMENT_NOTICES_PATH}/${MASK}`
  const plain = PLAIN.exec(path)?.[0] ?? ''
  return plain.length < path.length ? plain + MASK : path
}

/** The logged fields of a request, without its query, which may contain the token of an email's link. */
function shown({ method, url, host, ip }: FastifyRequest): Record<string, string> {
  const query = url.indexOf('?')
  const path = withoutSecret(query === -1 ? url : url.slice(0, query))
  return {
    method,
    url: cutText(query === -1 ? path : `${path}?…`, MAX_URL),
    host: cutText(host, MAX_HOST),
    remoteAddress: ip,
  }
}

export function logOptions({
  level,
  pretty,
  stream,
}: LogOptions): NonNullable<FastifyServerOptions['logger']> {
  if (level === 'silent') return false
  return {
    level,
    redact: { paths, censor: MASK },
    serializers: { req: shown },
    hooks: { streamWrite: logLineOf },
    ...(stream ? { stream } : {}),
    ...(pretty && !stream
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
      : {}),
  }
}
