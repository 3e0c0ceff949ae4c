// A network that loses, cuts, delays, repeats and spoils; calm on demand.
import { ANSWER_HEADER } from '#contract/answer.ts'
import type { Fetch } from '#sw/upload/ports.ts'
import { Run, runOf } from './bytes.ts'
import type { Random } from './random.ts'
import type { Reply, Request } from './exchange.ts'
import type { SimServer } from './server.ts'
import type { Timeline } from './timeline.ts'

export interface Network {
  fetch: Fetch
  /** 0 = nothing goes wrong. */
  weather: number
  online: boolean
  /** Hears every request as it leaves. */
  onRequest: (request: Request) => void
  /** Hears every answer as it arrives. */
  onReply: (request: Request, reply: Reply) => void
}

/** A request that a connection repeats by itself comes so late at most, ms. */
export const LATEST_MS = 60_000

/** What may happen to one request. */
const fates = [
  'lost',
  'cut',
  'answer lost',
  'twice',
  'late twin',
  'silence',
  'busy',
  'told to wait',
  'spoilt',
  'expired',
] as const

export function makeNetwork(server: SimServer, timeline: Timeline, random: Random): Network {
  const network: Network = {
    weather: 0.2,
    online: true,
    onRequest: () => {},
    onReply: () => {},
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const request: Request = {
          method: init.method ?? 'GET',
          path: new URL(url).pathname,
          headers: init.headers as Record<string, string>,
          body: init.body,
        }
        const signal = init.signal
        const fail = () => reject(new TypeError('network'))
        if (signal?.aborted) return fail()
        signal?.addEventListener('abort', fail, { once: true })
        const answer = (reply: Reply) =>
          timeline.after(random.between(1, 120), () => {
            if (!signal?.aborted) network.onReply(request, reply)
            resolve(responseOf(reply))
          })
        if (!network.online) return void timeline.after(5, fail)
        network.onRequest(request)
        timeline.after(random.between(1, 400), () => {
          if (signal?.aborted) return partly(server, request, random)
          befall(network, server, timeline, random, request, answer, fail)
        })
      }),
  }
  return network
}

/** Our side gave up while the bytes were on their way: some of them arrive. */
function partly(server: SimServer, request: Request, random: Random): void {
  if (request.method === 'PATCH') server.answer(request, random.next())
  else if (random.chance(0.5)) server.answer(request, 1)
}

function befall(
  network: Network,
  server: SimServer,
  timeline: Timeline,
  random: Random,
  request: Request,
  answer: (reply: Reply) => void,
  fail: () => void,
): void {
  const fate = random.chance(network.weather) ? random.pick(fates) : 'well'
  switch (fate) {
    case 'well':
      return answer(server.answer(request, 1))
    case 'lost':
      return fail()
    case 'cut':
      partly(server, request, random)
      return fail()
    case 'answer lost':
      server.answer(request, 1)
      return fail()
    case 'twice':
      server.answer(request, 1)
      return answer(server.answer(request, 1))
    case 'late twin':
      // Chromium repeats a request by itself after a reset; the twin may come much later.
      timeline.after(random.between(500, LATEST_MS), () => server.answer(request, 1))
      return answer(server.answer(request, 1))
    case 'silence':
      if (random.chance(0.5)) partly(server, request, random)
      return
    case 'busy':
      return answer({ status: random.pick([408, 425, 500, 502, 503, 504]) })
    case 'told to wait':
      return answer({ status: 429, headers: { 'Retry-After': String(random.between(1, 30)) } })
    case 'spoilt': {
      const body = request.body
      const spoilt = body instanceof Run ? new Run('noise', body.from, body.size) : spoiltForm(body)
      return answer(server.answer({ ...request, body: spoilt }, 1))
    }
    case 'expired': {
      const id = request.path.split('/')[2] ?? ''
      const held = server.posts.some((post) => post.uploads.includes(id))
      if (!held && random.chance(0.3)) server.uploads.delete(id)
      return answer(server.answer(request, 1))
    }
    default:
      fate satisfies never
  }
}

/** The same form with every file in it spoilt. */
function spoiltForm(body: unknown): unknown {
  if (!(body instanceof FormData)) return body
  const spoilt = new FormData()
  for (const [name, value] of body) {
    const run = value instanceof Blob ? runOf(value) : undefined
    if (run) spoilt.append(name, new Run('noise', run.from, run.size))
    else spoilt.append(name, value)
  }
  return spoilt
}

/** As much of a Response as the queue reads; a real one reads its body by the real clock. */
function responseOf(reply: Reply): Response {
  const text = reply.body === undefined ? '' : JSON.stringify(reply.body)
  return {
    status: reply.status,
    headers: new Headers({ [ANSWER_HEADER]: '1', ...reply.headers }),
    text: () => Promise.resolve(text),
  } as Response
}
