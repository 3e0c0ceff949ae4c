// Workroom: one worker that does one thing at a time, each within its time, and goes home when nothing is left.

/** The worker did not start, or broke. */
export class WorkerBroke extends Error {}
/** The worker said nothing in time; it has been stopped. */
export class WorkerSilent extends Error {}

/** A worker holds hundreds of MB after a large picture; it is let go after this, ms. */
const IDLE_MS = 10_000

/** The part of `Worker` that is used. */
export type Hand = Pick<Worker, 'postMessage' | 'addEventListener' | 'removeEventListener' | 'terminate'>

export class Workroom<Order, Made> {
  readonly #hire: () => Hand
  readonly #patience: number
  #worker: Hand | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #idle: ReturnType<typeof setTimeout> | undefined

  /** @param patience how long one order may take, ms */
  constructor(hire: () => Hand, patience: number) {
    this.#hire = hire
    this.#patience = patience
  }

  /**
   * Waits for its turn, then for the answer. Fails with `WorkerBroke`, `WorkerSilent` or the signal's reason; the worker
   * is then stopped and the next order gets a new one.
   */
  ask(order: Order, signal?: AbortSignal): Promise<Made> {
    const made = this.#turn.then(() => this.#work(order, signal))
    this.#turn = made.catch(() => undefined)
    return made
  }

  async #work(order: Order, signal: AbortSignal | undefined): Promise<Made> {
    signal?.throwIfAborted()
    clearTimeout(this.#idle)
    try {
      return await this.#answer(order, signal)
    } catch (error) {
      this.#dismiss()
      throw error
    } finally {
      this.#idle = setTimeout(() => this.#dismiss(), IDLE_MS)
    }
  }

  #answer(order: Order, signal: AbortSignal | undefined): Promise<Made> {
    return new Promise((resolve, reject) => {
      let worker: Hand
      try {
        worker = this.#worker ??= this.#hire()
      } catch (error) {
        reject(new WorkerBroke(String(error)))
        return
      }
      const over = setTimeout(() => end(() => reject(new WorkerSilent())), this.#patience)
      const answered = (event: Event) => end(() => resolve((event as MessageEvent<Made>).data))
      const broken = (event: Event) => end(() => reject(new WorkerBroke((event as ErrorEvent).message)))
      const aborted = () => end(() => reject(signal?.reason))
      function end(then: () => void) {
        clearTimeout(over)
        signal?.removeEventListener('abort', aborted)
        worker.removeEventListener('message', answered)
        worker.removeEventListener('error', broken)
        then()
      }
      signal?.addEventListener('abort', aborted)
      worker.addEventListener('message', answered)
      worker.addEventListener('error', broken)
      worker.postMessage(order)
    })
  }

  #dismiss(): void {
    this.#worker?.terminate()
    this.#worker = undefined
  }
}
