// The keys by which limits are counted: networks, people, and texts of bodies.
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { RateLimit } from './limits.ts'

/**
 * The network of a request, as limits count it: the /64 of an IPv6 address, which belongs to one household, or an IPv4
 * address, also if it is mapped into IPv6.
 */
export function addressOf(request: FastifyRequest): string {
  return networkOf(request.ip)
}

/** The /48 of an IPv6 address, of which a customer may have 65,536 networks; undefined for IPv4. */
export function siteOf({ ip }: FastifyRequest): string | undefined {
  const site = normalizeIP(ip, 48)
  return site.includes(':') ? site : undefined
}

/** The network of an IP address, as limits count it. */
export function networkOf(ip: string): string {
  return normalizeIP(ip, 64)
}

/** Key of the typed email address and the device; for a browser without a device cookie, its network. */
export function emailKey(request: FastifyRequest): string {
  const body = request.body as { email?: unknown } | null | undefined
  const email = typeof body?.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : ''
  return `${request.deviceId ?? addressOf(request)} ${email}`
}

/** Counts by typed email address and device or network, so that one client does not lock out another. */
export function perEmail(limit: RateLimit): RateLimit {
  return { ...limit, hook: 'preHandler', keyGenerator: emailKey }
}

/** As `perEmail`; a request with an email's token counts for that email, so that other requests do not exhaust it. */
export function perEmailOrMail(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator(request) {
      const token = (request.body as { mail_token?: unknown } | null | undefined)?.mail_token
      return typeof token === 'string' ? `mail ${token.slice(0, 100)}` : emailKey(request)
    },
  }
}

/** Counts by one text of the body, over all networks: for secrets and ids that only their owner has. */
export function perBodyField(limit: RateLimit, field: string): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator(request) {
      const given = (request.body as Record<string, unknown> | null | undefined)?.[field]
      return `${field} ${typeof given === 'string' ? given.slice(0, 100) : addressOf(request)}`
    },
  }
}

/** Counts per person, over all networks. */
export function perPerson(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator: (request) => request.viewer?.id ?? addressOf(request),
  }
}
