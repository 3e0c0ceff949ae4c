// A WebDriver BiDi client: sends commands over a WebSocket and resolves their results.
import { DEADLINE_MS } from '#e2e/rig/deadline.ts'

interface PendingCommand {
  resolve(result: unknown): void
  reject(error: Error): void
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
  readonly #pending = new Map<number, PendingCommand>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', (event: MessageEvent<string>) => this.#receive(event.data))
    socket.addEventListener('close', () => this.#rejectAll())
  }

  /** Connects to a browser's `/session` and begins a session. */
  static async connect(url: string): Promise<Bidi> {
    const socket = new WebSocket(`${url}/session`)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', () => reject(new Error(`no BiDi at ${url}`)), { once: true })
    })
    const bidi = new Bidi(socket)
    await bidi.send('session.new', { capabilities: {} })
    return bidi
  }

  /** Sends a command and resolves its result, whose type the caller gives. */
  send<T = unknown>(method: string, params: object): Promise<T> {
    const id = ++this.#lastId
    return new Promise<T>((onResult, onError) => {
      // oxlint-disable-next-line house/no-sleep-in-tests -- it ends what hangs
      const timer = setTimeout(() => reject(new Error(`${method}: no reply`)), DEADLINE_MS)
      const end = (): void => {
        clearTimeout(timer)
        this.#pending.delete(id)
      }
      const reject = (error: Error): void => {
        end()
        onError(error)
      }
      const resolve = (result: unknown): void => {
        end()
        onResult(result as T)
      }
      this.#pending.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  /** Closes the connection; the browser continues to run. */
  close(): void {
    this.#socket.close()
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Message
    const command = message.id === undefined ? undefined : this.#pending.get(message.id)
    if (message.type === 'success') command?.resolve(message.result)
    if (message.type === 'error') command?.reject(new Error(`${message.error}: ${message.message}`))
  }

  #rejectAll(): void {
    for (const { reject } of this.#pending.values()) reject(new Error('the browser closed the connection'))
  }
}
