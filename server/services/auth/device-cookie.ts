// The signed device cookie, by which a browser is recognised after sign-out.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { DEVICE_COOKIE } from '#contract/accounts/session.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { isServerPath } from '#server/http/unknown-paths.ts'

/** Life of the cookie, seconds: as long as a session, and set again at every sign-in. */
const MAX_AGE = 365 * 24 * 3600

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the browser, from a cookie that this server has signed; null without one. */
    deviceId: string | null
    /** Id that the reply sets as the cookie; null when it sets none. */
    issuedDeviceId: string | null
  }
}

interface Ports {
  readonly secrets: Secrets
  readonly settings: { readonly https: boolean }
}

/** The value of the cookie: an id and this server's MAC of it, so that ids cannot be forged. */
export function deviceCookieOf(secrets: Secrets, deviceId: string): string {
  return `${deviceId}.${secrets.mac('device', deviceId)}`
}

function deviceIn(secrets: Secrets, cookie: string | undefined): string | null {
  const [deviceId = '', mac = ''] = (cookie ?? '').split('.')
  return v.is(id, deviceId) && secrets.isMac('device', deviceId, mac) ? deviceId : null
}

/** Sets the cookie with the reply. */
export function issueDevice(request: FastifyRequest, deviceId: string): void {
  request.issuedDeviceId = deviceId
}

/** Reads the cookie of every API request, and writes it where a handler issues one. */
export function recogniseDevices(app: FastifyInstance, { secrets, settings }: Ports): void {
  app.decorateRequest('deviceId', null)
  app.decorateRequest('issuedDeviceId', null)
  app.addHook('onRequest', async (request) => {
    if (isServerPath(request.url)) request.deviceId = deviceIn(secrets, request.cookies[DEVICE_COOKIE])
  })
  app.addHook('onSend', async (request, reply) => {
    const { issuedDeviceId: issued } = request
    if (issued === null) return
    const options = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: MAX_AGE } as const
    const cookie = app.serializeCookie(DEVICE_COOKIE, deviceCookieOf(secrets, issued), {
      ...options,
      secure: settings.https,
    })
    reply.header('set-cookie', cookie)
  })
}
