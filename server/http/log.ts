// Structured logs without secrets: named fields are removed, long lines cut, the rest masked.
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import { MASK, mask } from './mask.ts'

/** Names under which secrets travel, at the top and one or two steps down. */
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
/** Our own refusals are logged by their code. */
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

/** Longest line that is written, UTF-16 units: what is masked is short, whatever a request contained. */
const MAX_LINE = 16_384
/** Longest text inside a line that is too long, UTF-16 units. */
const MAX_TEXT = 1000
const MAX_URL = 1000
const MAX_HOST = 255

const cutText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…(${text.length})` : text

/** A line within `MAX_LINE`: its texts are cut, and if that is not enough, all but its plain values is left out. */
function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line
  const short = (_: string, value: unknown) => (typeof value === 'string' ? cutText(value, MAX_TEXT) : value)
  const values = JSON.parse(line) as Record<string, unknown>
  const cut = JSON.stringify(values, short)
  if (cut.length < MAX_LINE) return `${cut}\n`
  const plain = ['level', 'time', 'reqId', 'msg', 'code'].flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : []
  })
  return `${JSON.stringify({ ...Object.fromEntries(plain), cutFrom: line.length }, short)}\n`
}

/** A line of the log as it is written: cut first, then masked. */
export const written = (line: string): string => mask(cutLine(line))

interface LogOptions {
  /** A pino level; 'silent' turns logs off. */
  readonly level: string
  readonly pretty: boolean
  /** Where lines go instead of to the standard output. */
  readonly stream?: { write(line: string): void } | undefined
}

/** A query may contain anything (the token of an email's link): the log has the path alone. */
function shown({ method, url, host, ip }: FastifyRequest): Record<string, string> {
  const query = url.indexOf('?')
  const path = query === -1 ? url : `${url.slice(0, query)}?…`
  return { method, url: cutText(path, MAX_URL), host: cutText(host, MAX_HOST), remoteAddress: ip }
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
    hooks: { streamWrite: written },
    ...(stream ? { stream } : {}),
    ...(pretty && !stream
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
      : {}),
  }
}
