// A network that loses, cuts, delays, repeats and spoils; calm on demand. Proxies on the way may lie (lies.ts).
import { ANSWER_HEADER, REQUEST_HEADER } from '#contract/answer.ts'
import { SimBlob, SimForm, corrupted } from '#sw/sim/browser/bytes.ts'
import { asRequest, type Backend, type Reply, type Request } from './exchange.ts'
import { type Lie, falseReply } from './lies.ts'
import type { Page } from '#sw/sim/browser/page.ts'
import type { Random } from '#contract/testing/random.ts'
import type { Timeline } from '#sw/sim/browser/timeline.ts'

export interface Network {
  fetch: (page: Page, url: string, init: RequestInit) => Promise<Response>
  /** 0 = nothing goes wrong. */
  weather: number
  online: boolean
  /** What proxies on the way do to answers. */
  lies: readonly Lie[]
  /** Every `POST /post/add` is repeated late. */
  lateTwins: boolean
  /** What is under way. */
  readonly open: Set<UnderWay>
  /** Called for every request that is sent. */
  onRequest: (page: Page, request: Request) => void
  /** Called for every reply that arrives. */
  onReply: (request: Request, reply: Reply) => void
  /** May change a request or an answer: planted faults. */
  onWay: { request: (request: Request) => Request; reply: (request: Request, reply: Reply) => Reply }
  /** A page is gone: what it had sent may still arrive. */
  killed(page: Page): void
}

export interface UnderWay {
  readonly page: Page
  readonly request: Request
  readonly since: number
  aborted: boolean
}

/** A request that a connection repeats by itself comes so late at most, ms. */
export const LATEST_MS = 60_000
/** An aborted fetch rejects within this time, ms. */
const SETTLES_MS = 60

/** Possible outcomes of one request. */
const fates = [
  'lost',
  'cut',
  'answer lost',
  'answer cut',
  'twice',
  'late twin',
  'lost, late twin',
  'silence',
  'busy',
  'told to wait',
  'spoilt',
  'expired',
] as const

export function createNetwork(server: Backend, timeline: Timeline, random: Random): Network {
  const network: Network = {
    weather: 0.2,
    online: true,
    lies: [],
    lateTwins: false,
    open: new Set(),
    onRequest: () => {},
    onReply: () => {},
    onWay: { request: (request) => request, reply: (_request, reply) => reply },
    killed: (page) => {
      for (const it of network.open) if (it.page === page) it.aborted = true
    },
    fetch: (page, url, init) => new Promise((resolve, reject) => send(page, url, init, resolve, reject)),
  }
  const arrivals = createArrivals(network, server, timeline, random)
  const surroundings = { network, server, random, arrivals }
  let before: Reply | undefined

  function send(
    page: Page,
    url: string,
    init: RequestInit,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ): void {
    const request = network.onWay.request(asRequest(url, init))
    const it: UnderWay = { page, request, since: timeline.now(), aborted: false }
    const end = (work: () => void) => {
      network.open.delete(it)
      work()
    }
    const fail = () => end(() => reject(new TypeError('network')))
    const abort = () => {
      it.aborted = true
      timeline.after(random.between(0, SETTLES_MS), fail)
    }
    if (init.signal?.aborted) return abort()
    init.signal?.addEventListener('abort', abort, { once: true })
    if (!network.online) return void timeline.after(5, fail)
    network.open.add(it)
    network.onRequest(page, request)
    const answer = (given: Reply) => {
      const heard = lied(network, random, { request, reply: given, before })
      const said = network.onWay.reply(request, heard)
      before = given
      timeline.after(random.between(1, 120), () => {
        if (it.aborted) return
        network.onReply(request, heard)
        end(() => resolve(responseOf(said)))
      })
    }
    timeline.after(random.between(1, 400), () =>
      it.aborted ? arrivals.afterAbort(request) : befall(surroundings, request, answer, fail),
    )
  }

  return network
}

/** A reply, or the false one that a lying network puts in its place. */
function lied(
  { weather, lies }: Network,
  random: Random,
  { request, reply, before }: { request: Request; reply: Reply; before: Reply | undefined },
): Reply {
  const told = random.chance(weather / 2) ? lies : []
  return told.length > 0 ? falseReply(random.pick(told), request, reply, before, random) : reply
}

/** How requests reach the server: whole, in part, or late. */
function createArrivals(network: Network, server: Backend, timeline: Timeline, random: Random) {
  /** The page gave up, or was killed, while the bytes were on their way: some, all or none arrive, perhaps much later. */
  async function afterAbort(request: Request): Promise<void> {
    const fate = random.pick(['part', 'part', 'none', 'late'] as const)
    if (fate === 'part') await partly(request)
    if (fate === 'late' && network.weather > 0)
      timeline.after(random.between(0, LATEST_MS), () => void server.answer(request, 1))
  }

  async function partly(request: Request): Promise<void> {
    if (request.method === 'PATCH') await server.answer(request, random.next())
    else if (random.chance(0.5)) await server.answer(request, 1)
  }

  const ownAnswer = async (request: Request, share: number) =>
    signed(request, await server.answer(request, share))

  return {
    ownAnswer,
    partly,
    afterAbort,
    late: (request: Request) =>
      timeline.after(random.between(500, LATEST_MS), async () => void (await ownAnswer(request, 1))),
  }
}

/** What the fate of a request depends on. */
interface Surroundings {
  readonly network: Network
  readonly server: Backend
  readonly random: Random
  readonly arrivals: ReturnType<typeof createArrivals>
}

/** Sends a request on with one of the fates. */
async function befall(
  { network, server, random, arrivals }: Surroundings,
  request: Request,
  answer: (reply: Reply) => void,
  fail: () => void,
): Promise<void> {
  const { ownAnswer, partly } = arrivals
  const isTwin = network.lateTwins && network.weather > 0 && request.path.endsWith('/post/add')
  const fate = isTwin ? 'late twin' : random.chance(network.weather) ? random.pick(fates) : 'well'
  switch (fate) {
    case 'well':
      return answer(await ownAnswer(request, 1))
    case 'lost':
      return fail()
    case 'cut':
      await partly(request)
      return fail()
    case 'answer lost':
      await ownAnswer(request, 1)
      return fail()
    case 'answer cut':
      return answer({ ...(await ownAnswer(request, 1)), cut: true })
    case 'twice': {
      const [, second] = await Promise.all([ownAnswer(request, 1), ownAnswer(request, 1)])
      return answer(second)
    }
    case 'late twin':
      // Chromium repeats a request by itself after a reset; the twin may come much later.
      arrivals.late(request)
      return answer(await ownAnswer(request, 1))
    case 'lost, late twin':
      arrivals.late(request)
      return fail()
    case 'silence':
      if (random.chance(0.5)) await partly(request)
      return
    case 'busy':
      return answer({ status: random.pick([408, 425, 500, 502, 503, 504]), text: '<html>busy</html>' })
    case 'told to wait':
      return answer(
        signed(request, { status: 429, headers: { 'Retry-After': String(random.between(1, 30)) } }),
      )
    case 'spoilt':
      return answer(await ownAnswer({ ...request, body: spoiltBody(request.body) }, 1))
    case 'expired':
      if (random.chance(0.3)) await server.expire?.(request.path.split('/')[2] ?? '')
      return answer(await ownAnswer(request, 1))
    default:
      fate satisfies never
  }
}

/** An answer of the server itself, by which clients know it. */
const signed = (request: Request, reply: Reply): Reply => {
  const id = request.headers[REQUEST_HEADER]
  return {
    ...reply,
    headers: { [ANSWER_HEADER]: '1', ...(id && { [REQUEST_HEADER]: id }), ...reply.headers },
  }
}

/** The same body with every file in it spoilt. */
function spoiltBody(body: unknown): unknown {
  if (body instanceof SimBlob) return corrupted(body)
  if (!(body instanceof SimForm)) return body
  const form = new SimForm()
  for (const { name, value, filename } of body.entries)
    form.append(name, value instanceof SimBlob ? corrupted(value) : value, filename)
  return form
}

/** As much of a Response as the queue reads; a real one reads its body by the real clock. */
function responseOf(reply: Reply): Response {
  const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body))
  return {
    status: reply.status,
    headers: new Headers(reply.headers ?? {}),
    text: () => (reply.cut ? Promise.reject(new TypeError('network')) : Promise.resolve(text)),
  } as Response
}
