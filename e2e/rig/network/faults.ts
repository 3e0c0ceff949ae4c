// Faults of one request, and the separation of requests on a connection.

export type Fault =
  /** It never reaches the server; this answer comes instead, once the whole request was taken. */
  | { readonly is: 'answered'; readonly status: number; readonly retryAfter?: number; readonly body?: string }
  /** It never reaches the server; a captive portal answers with its page, or sends the browser to it. */
  | { readonly is: 'portal'; readonly status: number }
  /** The connection is reset after this much of its body. */
  | { readonly is: 'cut'; readonly after: number }
  /** It reaches the server, and its reply is dropped. */
  | { readonly is: 'unheard' }
  /** It reaches the server twice, one after the other; the second reply is passed on. */
  | { readonly is: 'doubled' }

interface Planned {
  /** How the request begins: `PATCH /upload-chunking-2/`. */
  readonly line: string
  readonly fault: Fault
  /** Requests that begin so and pass unharmed before it. */
  pass: number
}

/** Faults that wait for their request; each happens once, or until it is ended. */
export class Plan {
  #planned: Planned[] = []
  readonly #lasting = new Map<string, Fault>()
  #happened = 0

  /** Faults that happened so far. */
  get happened(): number {
    return this.#happened
  }

  add(line: string, fault: Fault, pass: number): void {
    this.#planned.push({ line, fault, pass })
  }

  /** Every request that begins so meets the fault, until `end`. */
  begin(line: string, fault: Fault): void {
    this.#lasting.set(line, fault)
  }

  end(line: string): void {
    this.#lasting.delete(line)
  }

  clear(): void {
    this.#planned = []
    this.#lasting.clear()
  }

  /** The fault for a request that begins now. */
  take(bytes: Buffer): Fault | undefined {
    const beginsWith = (line: string) => bytes.subarray(0, line.length).toString('latin1') === line
    const found = this.#planned.find((it) => beginsWith(it.line))
    if (!found) {
      const [, lasting] = [...this.#lasting].find(([line]) => beginsWith(line)) ?? []
      if (lasting) this.#happened += 1
      return lasting
    }
    if (found.pass > 0) {
      found.pass -= 1
      return undefined
    }
    this.#planned = this.#planned.filter((it) => it !== found)
    this.#happened += 1
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
      this.#pass(bytes.length)
      return false
    }
    const end = bytes.indexOf('\r\n\r\n')
    const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1')
    this.#body = 0
    this.#left = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (end !== -1) this.#pass(bytes.length - end - 4)
    return true
  }

  /** Bytes of the body of the request under way that came so far. */
  get body(): number {
    return this.#body
  }

  /** Whether the request under way has come whole. */
  get isWhole(): boolean {
    return this.#left === 0
  }

  #pass(length: number): void {
    this.#body += length
    this.#left = Math.max(0, this.#left - length)
  }
}

/** The bytes of an answer after which the connection ends. */
export function answerBytes({ status, retryAfter, body = '' }: Extract<Fault, { is: 'answered' }>): string {
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

/** The page of a captive portal, by its title. */
export const PORTAL_TITLE = 'Wi-Fiへようこそ'

/** The bytes of a captive portal's answer after which the connection ends. */
export function portalBytes(status: number): string {
  const body = `<!doctype html><meta charset="utf-8"><title>${PORTAL_TITLE}</title><p>ログインしてください`
  const lines = [
    `HTTP/1.1 ${status} Portal`,
    'Content-Type: text/html; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    // As an impatient proxy does: a day.
    'Retry-After: 86400',
    ...(status === 302 ? ['Location: /portal'] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
