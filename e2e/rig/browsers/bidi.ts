// WebDriver BiDi over a socket: commands and their answers, nothing else.
const ANSWER_MS = 30_000

interface Waiting {
  done(result: unknown): void
  failed(error: Error): void
}

interface Message {
  id?: number
  type: 'success' | 'error' | 'event'
  result?: unknown
  error?: string
  message?: string
}

export class Bidi {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', (event: MessageEvent<string>) => this.#hear(event.data))
    socket.addEventListener('close', () => this.#lose())
  }

  /** Connects to a browser's `/session` and begins a session. */
  static async to(url: string): Promise<Bidi> {
    const socket = new WebSocket(`${url}/session`)
    await new Promise((done, failed) => {
      socket.addEventListener('open', done, { once: true })
      socket.addEventListener('error', () => failed(new Error(`no BiDi at ${url}`)), { once: true })
    })
    const bidi = new Bidi(socket)
    await bidi.ask('session.new', { capabilities: {} })
    return bidi
  }

  /** Sends a command; its result, of which the caller knows the shape. */
  ask<T = unknown>(method: string, params: object): Promise<T> {
    const id = ++this.#last
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => failed(new Error(`${method}: no answer`)), ANSWER_MS)
      const end = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
      }
      const failed = (error: Error): void => {
        end()
        reject(error)
      }
      const done = (result: unknown): void => {
        end()
        resolve(result as T)
      }
      this.#waiting.set(id, { done, failed })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  /** Lets go of the browser, which runs on alone. */
  close(): void {
    this.#socket.close()
  }

  #hear(text: string): void {
    const said = JSON.parse(text) as Message
    const waiting = said.id === undefined ? undefined : this.#waiting.get(said.id)
    if (said.type === 'success') waiting?.done(said.result)
    if (said.type === 'error') waiting?.failed(new Error(`${said.error}: ${said.message}`))
  }

  #lose(): void {
    for (const { failed } of this.#waiting.values()) failed(new Error('the browser is gone'))
  }
}
