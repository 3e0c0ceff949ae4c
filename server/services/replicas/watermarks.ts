// The signed watermark cookie: what a person's reads on a replica must include.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Lsn } from '#server/adapters/database/replicas/lsn.ts'
import { formatLsn, parseLsn } from '#server/adapters/database/replicas/lsn.ts'
import type { Replicas } from '#server/adapters/database/replicas/replicas.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

/** Page and service worker send it alike; no page can read it. */
export const WATERMARK_COOKIE = 'todoke_watermark'
/**
 * Life of the cookie, s. A client without one reads from the primary, once. It also ends a position of a history that a restore or
 * a failover has removed, and that no replica would reach.
 */
const MAX_AGE = 600

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Position of the log that reads for this person must include; null where only the primary has it for certain, as in a
     * request that changes something.
     */
    watermark: Lsn | null
    /** What the reply sets as the cookie: a position, or that of its end; null when it sets none. */
    issuedWatermark: Lsn | 'present' | null
  }
}

interface Ports {
  readonly database: { readonly replicas?: Replicas | undefined }
  readonly secrets: Pick<Secrets, 'mac' | 'isMac'>
  readonly settings: { readonly https: boolean }
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A position is valid for one person, on one cluster. */
const signed = (cluster: string, userId: string, position: string) => `${cluster}\n${userId}\n${position}`

/**
 * Reads the cookie of each request with a person, and sets it after each request that may have changed something. The position
 * is read after the commit, so that it includes what the person has written.
 */
export function recordWatermarks(app: FastifyInstance, { database, secrets, settings }: Ports): void {
  const { replicas } = database
  app.decorateRequest('watermark', null)
  app.decorateRequest('issuedWatermark', null)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: settings.https } as const
  const end = (reply: FastifyReply) =>
    reply.header('set-cookie', app.serializeCookie(WATERMARK_COOKIE, '', { ...options, maxAge: 0 }))

  if (!replicas) {
    // Another server, which has replicas, must not find the position from before this change.
    app.addHook('onSend', async (request, reply) => {
      // null for a request that was refused before its cookies were read, which has changed nothing.
      const cookies = request.cookies as FastifyRequest['cookies'] | null
      if (!reading.has(request.method) && cookies?.[WATERMARK_COOKIE] !== undefined) end(reply)
    })
    return
  }

  app.addHook('onRequest', async (request) => {
    const { viewer, cookies, method } = request
    const [position = '', mac = ''] = (cookies[WATERMARK_COOKIE] ?? '').split('.')
    const { cluster } = replicas
    if (!viewer || !reading.has(method) || cluster === undefined) return
    if (secrets.isMac('replica', signed(cluster, viewer.id, position), mac))
      request.watermark = parseLsn(position) ?? null
  })

  app.addHook('onSend', async (request, reply) => {
    const { viewer, method } = request
    const issued = reading.has(method) ? request.issuedWatermark : 'present'
    if (!viewer || issued === null) return
    // Without a position the person has no cookie, and reads from the primary.
    const at = issued === 'present' ? await replicas.position().catch(() => undefined) : issued
    const { cluster } = replicas
    if (at === undefined || cluster === undefined) return void end(reply)
    const position = formatLsn(at)
    const value = `${position}.${secrets.mac('replica', signed(cluster, viewer.id, position))}`
    reply.header('set-cookie', app.serializeCookie(WATERMARK_COOKIE, value, { ...options, maxAge: MAX_AGE }))
  })
}
