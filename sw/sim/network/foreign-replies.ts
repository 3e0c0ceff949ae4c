// Replies of proxies, captive portals and gateways in the server's place.
import type { Reply, Request } from './exchange.ts'
import type { Random } from '#contract/testing/random.ts'

export const foreignReplies = [
  /** A captive portal answers everything, or a redirect leads to its login page. */
  'page with 200',
  'page with 403',
  'page with 404',
  'JSON of another API with 200',
  'Retry-After of a day',
  'offset beyond the length',
  'address that is no upload',
  'answer to another request',
  'text that ends early',
  'redirect',
] as const
export type ForeignReply = (typeof foreignReplies)[number]

/** The foreign replies of the stories: all, none with LIES=none, or only the one of this name. */
export function selectForeignReplies(wanted: string | undefined): readonly ForeignReply[] {
  if (wanted === 'none') return []
  return wanted === undefined ? foreignReplies : foreignReplies.filter((it) => it === wanted)
}

const page = '<!doctype html><html><title>Sign in to the network</title></html>'

/** The reply that arrives in place of `reply`. @param previous the server's last reply to any request */
export function foreignReply(
  kind: ForeignReply,
  request: Request,
  reply: Reply,
  previous: Reply | undefined,
  random: Random,
): Reply {
  const headers = { 'Content-Type': 'text/html' }
  switch (kind) {
    case 'page with 200':
      return { status: 200, headers, text: page }
    case 'page with 403':
      return { status: 403, headers, text: page }
    case 'page with 404':
      return { status: 404, headers, text: page }
    case 'redirect':
      return { status: 302, headers: { ...headers, Location: '/login' }, text: page }
    case 'JSON of another API with 200':
      return { status: 200, body: random.pick([{ error: 'denied' }, { data: 1 }, [], 'ok']) }
    case 'Retry-After of a day':
      return { status: 503, headers: { ...headers, 'Retry-After': '86400' }, text: page }
    case 'offset beyond the length':
      if (reply.headers?.['Upload-Offset'] === undefined) return reply
      return { ...reply, headers: { ...reply.headers, 'Upload-Offset': '99999999999' } }
    case 'address that is no upload':
      if (request.method !== 'POST' || reply.headers?.['Location'] === undefined) return reply
      return { ...reply, headers: { ...reply.headers, Location: '/login' } }
    case 'answer to another request':
      return previous ?? reply
    case 'text that ends early': {
      const text = reply.text ?? JSON.stringify(reply.body ?? '')
      return { status: reply.status, headers: reply.headers ?? {}, text: text.slice(0, text.length >> 1) }
    }
    default:
      return kind satisfies never
  }
}
