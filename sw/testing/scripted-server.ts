// A scripted server for tests: records requests, and gives the answers of the test.
import { RESPONSE_HEADER } from '#contract/response.ts'
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
  /** The answer of another server, without the header of our server's answers. A string is sent as it is, other bodies as JSON. */
  foreign?: true
}

/** The page that a captive portal, a proxy or another server sends in place of our server's answer. */
export const portal = (status: number, headers: Record<string, string> = {}): ScriptedReply => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  body: '<!doctype html><title>Wi-Fi</title>',
  foreign: true,
})

/** Answers the requests in turn; a request without an answer rejects. */
export function scripted(answers: ((request: RecordedRequest) => ScriptedReply | 'cut')[]) {
  const requests: RecordedRequest[] = []
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const request: RecordedRequest = {
      method: init.method ?? 'GET',
      path: new URL(url).pathname,
      headers: init.headers as Record<string, string>,
      body: init.body,
      redirect: init.redirect,
      cache: init.cache,
    }
    requests.push(request)
    const next = answers[requests.length - 1]
    if (!next) return Promise.reject(new Error(`unexpected request: ${request.method} ${request.path}`))
    const reply = next(request)
    if (reply === 'cut') return Promise.reject(new TypeError('network'))
    return Promise.resolve(responseOf(reply))
  }
  const body = (index: number): unknown => {
    const request = requests[index]
    if (!request) throw new Error(`request ${index} was not sent`)
    return request.body
  }
  const blob = (index: number) => body(index) as Blob
  const form = (index: number) => body(index) as FormData
  return {
    fetch,
    heard: requests,
    blob,
    form,
    requestLines: () => requests.map(({ method, path }) => `${method} ${path}`),
  }
}

function responseOf({ status, headers, body, foreign }: ScriptedReply): Response {
  const text = body === undefined ? null : foreign && typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { status, headers: { ...(!foreign && { [RESPONSE_HEADER]: '1' }), ...headers } })
}

/** A clock that does not advance; a sleep ends only with its signal. */
export const stillClock: Clock = {
  now: () => 0,
  random: () => 0,
  sleep: (_until, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
}

/** A store with the methods that a test defines; others reject. */
export function storeWith<All = FileJob>(methods: Partial<QueueStore<All>>): QueueStore<All> {
  const missing = () => Promise.reject(new Error('the test defines no such method'))
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
    ...methods,
  }
}
