// HTTP stack of tus-js-client over `fetch`: a worker has no XMLHttpRequest.
import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client'
import type { ReceivedResponse } from '#contract/response.ts'
import { Ended, unanswered } from './outcome.ts'
import { exchange, deadlineAfter, STALL_MS, type Caller } from './request.ts'
import { isPossible, type TusUpload } from './tus-replies.ts'

/**
 * Creates an HTTP stack over the queue's `fetch`. fetch reports no upload progress, so each request has one deadline, and
 * pieces are sized (pace.ts) to end well before it. An impossible response ends the request as lost.
 */
export function createHttpStack(
  caller: Caller,
  upload: TusUpload,
  signal: AbortSignal,
  attempts: number,
): HttpStack & { quiet(): Promise<unknown> } {
  const sending = new Set<Promise<unknown>>()
  const mismatch = { once: false }
  return {
    getName: () => 'fetch',
    createRequest: (method, url) => {
      const deadline = method === 'PATCH' ? STALL_MS : deadlineAfter(attempts)
      return new FetchRequest({ caller, upload, method, url, deadline, sending, mismatch }, signal)
    },
    /** Resolves when no request is under way any more. */
    quiet: () => Promise.allSettled(sending),
  }
}

interface Sending {
  caller: Caller
  upload: TusUpload
  method: string
  url: string
  deadline: number
  sending: Set<Promise<unknown>>
  /** Whether the last piece was sent to a wrong offset. */
  mismatch: { once: boolean }
}

/** Whether the piece of this response was refused although the upload continues. */
export function wasRefused(response: HttpResponse): boolean {
  return (response.getUnderlyingObject() as ReceivedResponse).status > 299
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
  // Progress is reported for each accepted piece: bytes that were only sent may not have arrived.
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
    const request = { url, method, headers: this.#headers, body: (body ?? null) as Blob | null }
    const exchanged = exchange(caller, request, this.#stop.signal, deadline)
    sending.add(exchanged)
    const response = await exchanged.finally(() => sending.delete(exchanged))
    const from = Number(this.#headers['Upload-Offset'])
    const bytes = body instanceof Blob ? body.size : 0
    if (!isPossible(this.#it.upload, { method, url, from, bytes }, response)) throw new Ended(unanswered)
    const status = this.#continues(response) ? 204 : response.status
    return {
      getStatus: () => status,
      getHeader: (header: string) => response.header(header) ?? undefined,
      getBody: () => response.body,
      getUnderlyingObject: () => response,
    }
  }
  /**
   * A refusal that names the offset of the upload counts as an accepted piece: tus-js-client continues from there without
   * a HEAD request. Chromium repeats a piece by itself, to the old offset, when its connection was reset. The second such
   * refusal in a row ends the step.
   */
  #continues({ status, header }: ReceivedResponse): boolean {
    if (this.#it.method !== 'PATCH') return false
    const offset = header('Upload-Offset') ?? null
    const continues =
      status === 409 &&
      offset !== null &&
      offset !== this.#headers['Upload-Offset'] &&
      !this.#it.mismatch.once
    this.#it.mismatch.once = continues
    return continues
  }
}
