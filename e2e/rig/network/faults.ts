// Faults of one request, and the separation of requests on a connection.

export type Fault =
  /** The request does not reach the server; the proxy sends this reply after the whole request. */
  | { readonly is: 'answered'; readonly status: number; readonly retryAfter?: number; readonly body?: string }
  /** The request does not reach the server; a captive portal replies with its page or a redirect to it. */
  | { readonly is: 'portal'; readonly status: number }
  /** The connection is reset after this many bytes of the body. */
  | { readonly is: 'cut'; readonly after: number }
  /** The request reaches the server, and the reply is dropped. */
  | { readonly is: 'reply-dropped' }
  /** The request reaches the server twice, one after the other; the second reply is passed on. */
  | { readonly is: 'doubled' }
  /** The request reaches the server this much later, ms; requests on other connections overtake it. */
  | { readonly is: 'delayed'; readonly ms: number }

interface PlannedFault {
  /** Beginning of the request line, with all methods that it may have: `PATCH|PUT /upload-chunking-2/`. Empty for every request. */
  readonly requestLine: string
  readonly fault: Fault
  /** Number of matching requests that pass unchanged before the fault. */
  skip: number
}

function begins(bytes: Buffer, requestLine: string): boolean {
  const [methods = '', ...path] = requestLine.split(' ')
  return methods.split('|').some((method) => {
    const line = [method, ...path].join(' ')
    return bytes.subarray(0, line.length).toString('latin1') === line
  })
}

/** Planned faults of requests; each applies once, or until it is ended. */
export class Plan {
  #planned: PlannedFault[] = []
  readonly #lasting = new Map<string, Fault>()
  #faultCount = 0

  /** Number of faults so far. */
  get faultCount(): number {
    return this.#faultCount
  }

  add(requestLine: string, fault: Fault, skip: number): void {
    this.#planned.push({ requestLine, fault, skip })
  }

  /** Applies the fault to every matching request, until `end`. */
  begin(requestLine: string, fault: Fault): void {
    this.#lasting.set(requestLine, fault)
  }

  end(requestLine: string): void {
    this.#lasting.delete(requestLine)
  }

  clear(): void {
    this.#planned = []
    this.#lasting.clear()
  }

  /** Returns the fault for a request that begins now. */
  next(bytes: Buffer): Fault | undefined {
    const beginsWith = (requestLine: string) => begins(bytes, requestLine)
    const found = this.#planned.find((it) => beginsWith(it.requestLine))
    if (!found) {
      const [, lasting] = [...this.#lasting].find(([requestLine]) => beginsWith(requestLine)) ?? []
      if (lasting) this.#faultCount += 1
      return lasting
    }
    if (found.skip > 0) {
      found.skip -= 1
      return undefined
    }
    this.#planned = this.#planned.filter((it) => it !== found)
    this.#faultCount += 1
    return found.fault
  }
}

/** Follows the requests of one connection: which bytes begin one, and how much of its body has passed. */
export class Requests {
  #left = 0
  #body = 0

  /** True when these bytes are the beginning of a request. */
  next(bytes: Buffer): boolean {
    if (this.#left > 0) {
      this.#countBody(bytes.length)
      return false
    }
    const end = bytes.indexOf('\r\n\r\n')
    const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1')
    this.#body = 0
    const length = /^content-length: *(\d+)/im.exec(head)?.[1]
    this.#left = length === undefined ? 0 : Number(length)
    if (end !== -1) this.#countBody(bytes.length - end - 4)
    return true
  }

  /** Bytes received so far of the body of the current request. */
  get body(): number {
    return this.#body
  }

  /** Whether the current request has been received completely. */
  get isComplete(): boolean {
    return this.#left === 0
  }

  #countBody(length: number): void {
    this.#body += length
    this.#left = Math.max(0, this.#left - length)
  }
}

/** The bytes of a reply after which the connection ends. */
export function replyBytes({ status, retryAfter, body = '' }: Extract<Fault, { is: 'answered' }>): string {
  const lines = [
    `HTTP/1.1 ${status} Fault`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Title of the captive portal's page. */
export const PORTAL_TITLE = 'Wi-Fiへようこそ'

/** The bytes of a captive portal's reply after which the connection ends. */
export function portalBytes(status: number): string {
  const body = `<!doctype html><meta charset="utf-8"><title>${PORTAL_TITLE}</title><p>ログインしてください`
  const lines = [
    `HTTP/1.1 ${status} Portal`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    // A day, which some proxies send.
    'Retry-After: 86400',
    ...(status === 302 ? ['Location: /portal'] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
