// Serves the document that runs heic2any, with its own content security policy.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'
import { ApiError, refuse } from '#server/http/errors.ts'

const OPEN = '<script>'
const CLOSE = '</script>'

/**
 * The policy of the document. heic2any compiles code at run time and starts its decoder from a blob; `sandbox` makes the
 * origin opaque, so that there is no access to cookies, storage and the service worker.
 * @param page the document, whose only script is inline
 */
export function heicSandboxPolicy(page: string): string {
  const script = page.slice(page.indexOf(OPEN) + OPEN.length, page.lastIndexOf(CLOSE))
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' 'unsafe-eval'`,
    'worker-src blob:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
}

/** @param dist the folder of the built app */
export function serveHeicSandbox(app: FastifyInstance, dist: string): void {
  app.get(HEIC_SANDBOX_PATH, async (_request, reply) => {
    const page = await readFile(path.join(dist, HEIC_SANDBOX_PATH), 'utf8').catch(() => undefined)
    if (page === undefined) return refuse(reply, new ApiError('not_found'))
    reply.header('content-security-policy', heicSandboxPolicy(page))
    // For browsers without `frame-ancestors`.
    reply.header('x-frame-options', 'SAMEORIGIN')
    reply.header('cache-control', 'public, max-age=3600')
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
