// Sends requests to one worker, one at a time, each with a timeout.

/** Thrown when the worker did not start, or broke. */
export class WorkerFailed extends Error {}
/** Thrown when the worker did not reply in time; it has been terminated. */
export class WorkerTimeout extends Error {}

/** An idle worker is terminated after this, ms: it may hold hundreds of MB. */
const IDLE_MS = 10_000

/** The part of `Worker` that is used. */
export type WorkerPort = Pick<
  Worker,
  'postMessage' | 'addEventListener' | 'removeEventListener' | 'terminate'
>

export class WorkerClient<Request, Reply> {
  readonly #create: () => WorkerPort
  readonly #timeoutMs: number
  #worker: WorkerPort | undefined
  #previous: Promise<unknown> = Promise.resolve()
  #idle: ReturnType<typeof setTimeout> | undefined

  /** @param timeoutMs the longest that one request may take, ms */
  constructor(create: () => WorkerPort, timeoutMs: number) {
    this.#create = create
    this.#timeoutMs = timeoutMs
  }

  /**
   * Waits for earlier requests, then for the reply. Rejects with `WorkerFailed`, `WorkerTimeout` or the signal's reason;
   * the worker is then terminated and the next request gets a new one.
   */
  request(request: Request, signal?: AbortSignal): Promise<Reply> {
    const reply = this.#previous.then(() => this.#work(request, signal))
    this.#previous = reply.catch(() => undefined)
    return reply
  }

  async #work(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    signal?.throwIfAborted()
    clearTimeout(this.#idle)
    try {
      return await this.#exchange(request, signal)
    } catch (error) {
      this.#terminate()
      throw error
    } finally {
      this.#idle = setTimeout(() => this.#terminate(), IDLE_MS)
    }
  }

  #exchange(request: Request, signal: AbortSignal | undefined): Promise<Reply> {
    return new Promise((resolve, reject) => {
      let worker: WorkerPort
      try {
        worker = this.#worker ??= this.#create()
      } catch (error) {
        reject(new WorkerFailed(String(error)))
        return
      }
      const timer = setTimeout(() => end(() => reject(new WorkerTimeout())), this.#timeoutMs)
      const answered = (event: Event) => end(() => resolve((event as MessageEvent<Reply>).data))
      const broken = (event: Event) => end(() => reject(new WorkerFailed((event as ErrorEvent).message)))
      const aborted = () => end(() => reject(signal?.reason))
      function end(then: () => void) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', aborted)
        worker.removeEventListener('message', answered)
        worker.removeEventListener('error', broken)
        then()
      }
      signal?.addEventListener('abort', aborted)
      worker.addEventListener('message', answered)
      worker.addEventListener('error', broken)
      worker.postMessage(request)
    })
  }

  #terminate(): void {
    this.#worker?.terminate()
    this.#worker = undefined
  }
}
