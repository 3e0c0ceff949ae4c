// Reads the bytes of a request in runs of a wanted length.
import type { Pieces } from './receiving.ts'

export class PieceReader {
  readonly #pieces: AsyncIterator<readonly Buffer[]>
  #rest: Buffer[] = []
  #ended = false

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Whether there are bytes; waits for them. */
  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#ended) {
      const next = await this.#pieces.next()
      if (next.done) this.#ended = true
      else this.#rest = next.value.filter((it) => it.length > 0)
    }
    return this.#rest.length > 0
  }

  /** At most so many bytes; the bytes after them stay for the next run. */
  async *upTo(limit: number): AsyncGenerator<readonly Buffer[], void> {
    let left = limit
    while (left > 0 && (await this.hasMore())) {
      const run: Buffer[] = []
      for (let it = this.#rest.shift(); it !== undefined; it = left > 0 ? this.#rest.shift() : undefined) {
        const taken = it.subarray(0, left)
        run.push(taken)
        left -= taken.length
        if (taken.length < it.length) this.#rest.unshift(it.subarray(taken.length))
      }
      yield run
    }
  }
}
