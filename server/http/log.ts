// Structured logs that never hold a secret: known places are left out, and what looks like one is masked wherever it is.
import type { FastifyRequest, FastifyServerOptions } from 'fastify'

const MASK = '[伏せました]'

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
  // What a failed query was asked with.
  'err.params',
  'err.cause.params',
]

const masks: readonly [looks: RegExp, kept: string][] = [
  [/\b(Bearer(?: |%20)+)[\w-]{20,}/gi, `$1${MASK}`],
  // Tokens and their hashes: 32 bytes in base64url.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, MASK],
  // The same inside a message: addresses, names, hashes. The query itself stays.
  [/(\\nparams: )(?:[^"\\]|\\.)*?(?=\\n {4}at |")/g, `$1${MASK}`],
  [/(Key \((?:[^()]|\([^()]*\))*\)=\()[^"]*?(\) (?:already exists|is not present))/g, `$1${MASK}$2`],
  // An address keeps its first letter and its host: enough to follow one letter on its way.
  [/([\p{L}\d])[\p{L}\d.+_'%-]*(@|%40)(?=[a-z\d-]+(?:\.[a-z\d-]+)+)/giu, '$1***$2'],
]

/** A line of the log as it may be kept. */
export function mask(line: string): string {
  return masks.reduce((text, [looks, kept]) => text.replace(looks, kept), line)
}

interface LogOptions {
  /** A pino level; 'silent' turns logs off. */
  readonly level: string
  readonly pretty: boolean
  /** Where lines go instead of to the standard output. */
  readonly stream?: { write(line: string): void } | undefined
}

/** A query may carry anything (the token of a letter's link); which address was asked for is told without it. */
function shown({ method, url, host, ip }: FastifyRequest): Record<string, string> {
  return { method, url: url.replace(/\?.*$/s, '?…'), host, remoteAddress: ip }
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
    hooks: { streamWrite: mask },
    ...(stream ? { stream } : {}),
    ...(pretty && !stream
      ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
      : {}),
  }
}
