// A client's address and requested host, behind trusted proxies.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** Whether a proxy is trusted, by its address and its distance: 0 is the peer of this server's own socket. */
export type TrustProxy = (address: string, hop: number) => boolean

/** Largest accepted number of proxies; a larger one is a typing mistake. */
const MAX_HOPS = 10

export const trustNone: TrustProxy = () => false

/**
 * Compiles the setting TRUST_PROXY.
 * @param setting a number of proxies (`0` to `10`), or addresses, CIDR networks and the names `loopback`, `linklocal`
 *   and `uniquelocal`, separated by commas
 * @throws TypeError for anything else, also for a network that contains every address
 */
export function compileTrust(setting: string): TrustProxy {
  if (/^\d+$/.test(setting)) {
    const hops = Number(setting)
    if (hops > MAX_HOPS) throw new TypeError(`more than ${MAX_HOPS} proxies`)
    return hops === 0 ? trustNone : (_address, hop) => hop < hops
  }
  const networks = setting
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
  if (networks.length === 0 || !networks.every(isNetwork)) throw new TypeError('no network')
  return proxyAddr.compile(networks)
}

/** The library's parser also reads short forms as addresses: `1.5` as 1.0.0.5. */
const isNetwork = (text: string) =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isIP(text.split('/')[0] ?? '') !== 0

/**
 * The address of a request's client: of the socket's peer and the entries of `X-Forwarded-For`, from the right, the first
 * that is not a trusted proxy. Entries further left may be forged by the client, and are never read.
 */
export function clientAddress(request: IncomingMessage, trust: TrustProxy): string {
  return request.socket.remoteAddress === undefined ? '' : proxyAddr(request, trust)
}

/** The requested host: the last `X-Forwarded-Host` of a trusted proxy, else the `Host` header. */
export function requestedHost({ headers, socket }: IncomingMessage, trust: TrustProxy): string | undefined {
  const forwarded = [headers['x-forwarded-host']].flat().at(-1)
  if (forwarded === undefined || !trust(socket.remoteAddress ?? '', 0)) return headers.host
  return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
}
