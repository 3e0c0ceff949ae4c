// A scripted other side for the protocol clients' tests: await a request, look at it, answer it.
import { ANSWER_HEADER } from '#contract/answer.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import type { Clock, QueueStore } from '#sw/queue/ports.ts'

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
  redirect: RequestRedirect | undefined
  cache: RequestCache | undefined
}

export interface ScriptedReply {
  status: number
  headers?: Record<string, string>
  body?: unknown
  /** Not our server's answer: it lacks the header that those have. A text is sent as a page, other bodies as JSON. */
  foreign?: true
}

/** What a captive portal, a proxy or another server sends in place of our server's answer. */
export const portal = (status: number, headers: Record<string, string> = {}): ScriptedReply => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Wi-Fi</title>',
  foreign: true,
})

/** Answers the requests in turn; one too many is a failure. */
export function scripted(answers: ((request: RecordedRequest) => ScriptedReply | 'cut')[]) {
  const heard: RecordedRequest[] = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request: RecordedRequest = {
      method: init.method ?? 'GET',
      path: new URL(url).pathname,
      headers: init.headers as Record<string, string>,
      body: init.body,
      redirect: init.redirect,
      cache: init.cache,
    }
    heard.push(request)
    const answer = answers[heard.length - 1]
    if (!answer) return Promise.reject(new Error(`nobody expected ${request.method} ${request.path}`))
    const said = answer(request)
    if (said === 'cut') return Promise.reject(new TypeError('network'))
    return Promise.resolve(responseOf(said))
  }
  const body = (index: number): unknown => {
    const request = heard[index]
    if (!request) throw new Error(`request ${index} was not sent`)
    return request.body
  }
  const blob = (index: number) => body(index) as Blob
  const form = (index: number) => body(index) as FormData
  return { fetch, heard, blob, form, lines: () => heard.map(({ method, path }) => `${method} ${path}`) }
}

function responseOf({ status, headers, body, foreign }: ScriptedReply): Response {
  const text = body === undefined ? null : foreign && typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers: { ...(!foreign && { [ANSWER_HEADER]: '1' }), ...headers } })
}

/** A clock that does not advance and wakes no sleeper. */
export const stillClock: Clock = {
  now: () => 0,
  random: () => 0,
  sleep: (_until, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
}

/** A store that answers only what a test gives it. */
export function storeWith<All = FileJob>(given: Partial<QueueStore<All>>): QueueStore<All> {
  const missing = () => Promise.reject(new Error('the test gave no such answer'))
  return {
    session: missing,
    refused: missing,
    deliveries: missing,
    change: missing,
    finish: missing,
    drop: missing,
    media: missing,
    digest: missing,
    chunk: missing,
    range: missing,
    ...given,
  }
}
