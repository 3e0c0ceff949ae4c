// A network with seeded faults: requests and replies are lost, cut, delayed, repeated or corrupted.
// Proxies may send foreign replies (foreign-replies.ts).
import { RESPONSE_HEADER, REQUEST_HEADER } from '#contract/response.ts'
import { SimBlob, SimForm, corrupted } from '#sw/sim/browser/bytes.ts'
import { addsBytes, asRequest, type Backend, refusal, type Reply, type Request } from './exchange.ts'
import { type ForeignReply, foreignReply } from './foreign-replies.ts'
import type { Page } from '#sw/sim/browser/page.ts'
import type { Random } from '#contract/testing/random.ts'
import type { Timeline } from '#sw/sim/browser/timeline.ts'

export interface Network {
  fetch: (page: Page, url: string, init: RequestInit) => Promise<Response>
  /** Probability that a request has a fault; 0 for a network without faults. */
  faultRate: number
  online: boolean
  /** Replies that proxies may send in place of the server's. */
  foreignReplies: readonly ForeignReply[]
  /** Whether every `POST /post/add` is repeated late. */
  lateDuplicates: boolean
  /** Whether every release of a post with an even number is refused; the server refuses none that it has released. */
  refusedReleases: boolean
  /** Requests without a reply yet. */
  readonly openRequests: Set<OpenRequest>
  /** Called for every request that is sent. */
  onRequest: (page: Page, request: Request) => void
  /** Called for every reply that arrives. */
  onReply: (request: Request, reply: Reply) => void
  /** Changes requests and replies: planted faults. */
  intercept: { request: (request: Request) => Request; reply: (request: Request, reply: Reply) => Reply }
  /** Aborts the requests of a page that has ended; they may still arrive. */
  onPageEnd(page: Page): void
}

export interface OpenRequest {
  readonly page: Page
  readonly request: Request
  readonly since: number
  aborted: boolean
}

/** A request that a connection repeats by itself arrives within this time, ms. */
export const MAX_LATE_MS = 60_000
/** An aborted fetch rejects within this time, ms. */
const ABORT_REJECT_MS = 60

/** Possible outcomes of one request. */
const outcomes = [
  'lost',
  'cut',
  'answer lost',
  'answer cut',
  'twice',
  'late duplicate',
  'lost, late duplicate',
  'no reply',
  'busy',
  'rate limited',
  'corrupted',
  'expired',
] as const

/** The server, which refuses some releases while `network.refusedReleases` is set. */
const refusing = (server: Backend, network: Network): Backend => ({
  expire: (uploadId) => server.expire?.(uploadId),
  answer: (request, share) => {
    const isRefused = network.refusedReleases && network.faultRate > 0
    return isRefused && /\/release-uploaded\/post-\d*[02468]$/.test(request.path)
      ? refusal(403, 'identity_required')
      : server.answer(request, share)
  },
})

export function createNetwork(backend: Backend, timeline: Timeline, random: Random): Network {
  const network: Network = {
    faultRate: 0.2,
    online: true,
    foreignReplies: [],
    lateDuplicates: false,
    refusedReleases: false,
    openRequests: new Set(),
    onRequest: () => {},
    onReply: () => {},
    intercept: { request: (request) => request, reply: (_request, reply) => reply },
    onPageEnd: (page) => {
      for (const it of network.openRequests) if (it.page === page) it.aborted = true
    },
    fetch: (page, url, init) => new Promise((resolve, reject) => send(page, url, init, resolve, reject)),
  }
  const server = refusing(backend, network)
  const context = { network, server, random, arrivals: createArrivals(network, server, timeline, random) }
  let previous: Reply | undefined

  function send(
    page: Page,
    url: string,
    init: RequestInit,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ): void {
    const request = network.intercept.request(asRequest(url, init))
    const it: OpenRequest = { page, request, since: timeline.now(), aborted: false }
    const end = (work: () => void) => {
      network.openRequests.delete(it)
      work()
    }
    const fail = () => end(() => reject(new TypeError('network')))
    const abort = () => {
      it.aborted = true
      timeline.after(random.between(0, ABORT_REJECT_MS), fail)
    }
    if (init.signal?.aborted) return abort()
    init.signal?.addEventListener('abort', abort, { once: true })
    if (!network.online) return void timeline.after(5, fail)
    network.openRequests.add(it)
    network.onRequest(page, request)
    const answer = (sent: Reply) => {
      const arrived = replyThroughProxies(network, random, { request, reply: sent, previous })
      const changed = network.intercept.reply(request, arrived)
      previous = sent
      timeline.after(random.between(1, 120), () => {
        if (it.aborted) return
        network.onReply(request, arrived)
        end(() => resolve(responseOf(changed)))
      })
    }
    timeline.after(random.between(1, 400), () =>
      it.aborted ? context.arrivals.afterAbort(request) : deliver(context, request, answer, fail),
    )
  }

  return network
}

/** The reply, or a foreign reply in its place. */
function replyThroughProxies(
  { faultRate, foreignReplies }: Network,
  random: Random,
  { request, reply, previous }: { request: Request; reply: Reply; previous: Reply | undefined },
): Reply {
  const kinds = random.chance(faultRate / 2) ? foreignReplies : []
  return kinds.length > 0 ? foreignReply(random.pick(kinds), request, reply, previous, random) : reply
}

/** How requests reach the server: whole, in part, or late. */
function createArrivals(network: Network, server: Backend, timeline: Timeline, random: Random) {
  /** Handles a request of a page that aborted it or was killed: some, all or no bytes arrive, perhaps much later. */
  async function afterAbort(request: Request): Promise<void> {
    const outcome = random.pick(['part', 'part', 'none', 'late'] as const)
    if (outcome === 'part') await arriveInPart(request)
    if (outcome === 'late' && network.faultRate > 0)
      timeline.after(random.between(0, MAX_LATE_MS), () => void server.answer(request, 1))
  }

  async function arriveInPart(request: Request): Promise<void> {
    if (addsBytes(request)) await server.answer(request, random.next())
    else if (random.chance(0.5)) await server.answer(request, 1)
  }

  const signedReply = async (request: Request, share: number) =>
    signed(request, await server.answer(request, share))

  return {
    signedReply,
    arriveInPart,
    afterAbort,
    arriveLate: (request: Request) =>
      timeline.after(random.between(500, MAX_LATE_MS), async () => void (await signedReply(request, 1))),
  }
}

/** The objects that decide the outcome of a request. */
interface Context {
  readonly network: Network
  readonly server: Backend
  readonly random: Random
  readonly arrivals: ReturnType<typeof createArrivals>
}

/** Delivers a request with one of the outcomes. */
async function deliver(
  { network, server, random, arrivals }: Context,
  request: Request,
  answer: (reply: Reply) => void,
  fail: () => void,
): Promise<void> {
  const { signedReply, arriveInPart } = arrivals
  const isDuplicated = network.lateDuplicates && network.faultRate > 0 && request.path.endsWith('/post/add')
  const outcome = isDuplicated
    ? 'late duplicate'
    : random.chance(network.faultRate)
      ? random.pick(outcomes)
      : 'ok'
  switch (outcome) {
    case 'ok':
      return answer(await signedReply(request, 1))
    case 'lost':
      return fail()
    case 'cut':
      await arriveInPart(request)
      return fail()
    case 'answer lost':
      await signedReply(request, 1)
      return fail()
    case 'answer cut':
      return answer({ ...(await signedReply(request, 1)), cut: true })
    case 'twice': {
      const [, second] = await Promise.all([signedReply(request, 1), signedReply(request, 1)])
      return answer(second)
    }
    case 'late duplicate':
      // Chromium repeats a request by itself after a reset; the duplicate may arrive much later.
      arrivals.arriveLate(request)
      return answer(await signedReply(request, 1))
    case 'lost, late duplicate':
      arrivals.arriveLate(request)
      return fail()
    case 'no reply':
      if (random.chance(0.5)) await arriveInPart(request)
      return
    case 'busy':
      return answer({ status: random.pick([408, 425, 500, 502, 503, 504]), text: '<html>busy</html>' })
    case 'rate limited':
      return answer(
        signed(request, { status: 429, headers: { 'Retry-After': String(random.between(1, 30)) } }),
      )
    case 'corrupted':
      return answer(await signedReply({ ...request, body: corruptedBody(request.body) }, 1))
    case 'expired':
      if (random.chance(0.3)) await server.expire?.(request.path.split('/')[2] ?? '')
      return answer(await signedReply(request, 1))
    default:
      outcome satisfies never
  }
}

/** Adds the headers by which clients recognise a reply of the server. */
const signed = (request: Request, reply: Reply): Reply => {
  const id = request.headers[REQUEST_HEADER]
  return {
    ...reply,
    headers: { [RESPONSE_HEADER]: '1', ...(id && { [REQUEST_HEADER]: id }), ...reply.headers },
  }
}

/** The same body with one byte of every file changed. */
function corruptedBody(body: unknown): unknown {
  if (body instanceof SimBlob) return corrupted(body)
  if (!(body instanceof SimForm)) return body
  const form = new SimForm()
  for (const { name, value, filename } of body.entries)
    form.append(name, value instanceof SimBlob ? corrupted(value) : value, filename)
  return form
}

/** The part of a Response that the queue reads; a real Response reads its body in real time. */
function responseOf(reply: Reply): Response {
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  return {
    status: reply.status,
    headers: new Headers(reply.headers ?? {}),
    text: () => (reply.cut ? Promise.reject(new TypeError('network')) : Promise.resolve(text)),
  } as Response
}
