// tus-js-client speaks XMLHttpRequest, which a worker has not: its requests go through `exchange` instead.
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client'
import { exchange, STALL_MS, type Caller } from './request.ts'

/**
 * An HTTP stack over the queue's `fetch`. fetch tells no upload progress, so the stall timer runs per
 * request: pieces are sized (pace.ts) so that each one ends well before it.
 */
export function makeHttpStack(
  caller: Caller,
  signal: AbortSignal,
): HttpStack & { quiet(): Promise<unknown> } {
  const sending = new Set<Promise<unknown>>()
  return {
    getName: () => 'fetch',
    createRequest: (method, url) => new FetchRequest(caller, method, url, signal, sending),
    /** Resolves when no request is under way any more. */
    quiet: () => Promise.allSettled(sending),
  }
}

class FetchRequest implements HttpRequest {
  readonly #caller: Caller
  readonly #method: string
  readonly #url: string
  readonly #stop = new AbortController()
  readonly #headers: Record<string, string> = {}
  readonly #sending: Set<Promise<unknown>>

  constructor(
    caller: Caller,
    method: string,
    url: string,
    signal: AbortSignal,
    sending: Set<Promise<unknown>>,
  ) {
    this.#sending = sending
    this.#caller = caller
    this.#method = method
    this.#url = url
    if (signal.aborted) this.#stop.abort()
    else signal.addEventListener('abort', () => this.#stop.abort(), { once: true })
  }

  getMethod(): string {
    return this.#method
  }
  getURL(): string {
    return this.#url
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
    const init = { method: this.#method, headers: this.#headers, body: (body ?? null) as Blob | null }
    const exchanged = exchange(this.#caller, this.#url, init, this.#stop.signal, STALL_MS)
    this.#sending.add(exchanged)
    const answer = await exchanged.finally(() => this.#sending.delete(exchanged))
    return {
      getStatus: () => answer.status,
      getHeader: (header: string) => answer.headers.get(header) ?? undefined,
      getBody: () => answer.body,
      getUnderlyingObject: () => answer,
    }
  }
}
