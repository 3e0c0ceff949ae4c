// Structured logs that never hold a secret.
import type { FastifyServerOptions } from 'fastify'

const secret = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  'headers.cookie',
  'authorization',
  'cookie',
  'password',
  'token',
  '*.password',
  '*.token',
  '*.passwordHash',
  '*.tokenHash',
]

/** @param level a pino level; 'silent' turns logs off */
export function logOptions(level: string, pretty: boolean): NonNullable<FastifyServerOptions['logger']> {
  if (level === 'silent') return false
  return {
    level,
    redact: { paths: secret, censor: '[伏せました]' },
    ...(pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {}),
  }
}
