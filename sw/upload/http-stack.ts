// tus-js-client speaks XMLHttpRequest, which a worker has not: its requests go through `exchange` instead.
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client'
import { exchange, patience, STALL_MS, type Caller } from './request.ts'

/**
 * An HTTP stack over the queue's `fetch`. fetch tells no upload progress, so the stall timer runs per
 * request: pieces are sized (pace.ts) so that each one ends well before it.
 */
export function makeHttpStack(
  caller: Caller,
  signal: AbortSignal,
  attempts: number,
): HttpStack & { quiet(): Promise<unknown> } {
  const sending = new Set<Promise<unknown>>()
  return {
    getName: () => 'fetch',
    createRequest: (method, url) => {
      const deadline = method === 'PATCH' ? STALL_MS : patience(attempts)
      return new FetchRequest({ caller, method, url, deadline, sending }, signal)
    },
    /** Resolves when no request is under way any more. */
    quiet: () => Promise.allSettled(sending),
  }
}

interface Sending {
  caller: Caller
  method: string
  url: string
  deadline: number
  sending: Set<Promise<unknown>>
}

class FetchRequest implements HttpRequest {
  readonly #it: Sending
  readonly #stop = new AbortController()
  readonly #headers: Record<string, string> = {}

  constructor(it: Sending, signal: AbortSignal) {
    this.#it = it
    if (signal.aborted) this.#stop.abort()
    else signal.addEventListener('abort', () => this.#stop.abort(), { once: true })
  }

  getMethod(): string {
    return this.#it.method
  }
  getURL(): string {
    return this.#it.url
  }
  setHeader(header: string, value: string): void {
    this.#headers[header] = value
  }
  getHeader(header: string): string | undefined {
    return this.#headers[header]
  }
  // Progress is told per accepted piece: what was only sent is not yet there.
  setProgressHandler(): void {}
  getUnderlyingObject(): undefined {
    return undefined
  }
  abort(): Promise<void> {
    this.#stop.abort()
    return Promise.resolve()
  }

  async send(body: unknown): Promise<HttpResponse> {
    const { caller, method, url, deadline, sending } = this.#it
    const init = { method, headers: this.#headers, body: (body ?? null) as Blob | null }
    const exchanged = exchange(caller, url, init, this.#stop.signal, deadline)
    sending.add(exchanged)
    const answer = await exchanged.finally(() => sending.delete(exchanged))
    return {
      getStatus: () => answer.status,
      getHeader: (header: string) => answer.headers.get(header) ?? undefined,
      getBody: () => answer.body,
      getUnderlyingObject: () => answer,
    }
  }
}
