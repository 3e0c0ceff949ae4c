// Reads the body of an upload request; a lost connection ends it early.
// The received bytes of an interrupted request are stored too.
import type { IncomingMessage } from 'node:http'
import type { Server } from '@tus/server'

export type TusRequest = Parameters<Server['handleWeb']>[0]

/** Bytes between the socket and the disk at which reading pauses. */
const BUFFER = 256 * 1024

export interface Body {
  /** The bytes since the last read. Ends early when `stop` is aborted, after the bytes received until then. */
  pieces(stop?: AbortSignal): AsyncGenerator<readonly Buffer[], void>
  /** The same for @tus/server. */
  readonly stream: ReadableStream<Uint8Array>
  /** How many bytes were read so far. */
  passed(): number
  /** Discards unread bytes, so that the connection can serve its next request. */
  discard(): void
}

/** Collects the bytes of a request from this call on. A lost connection ends them early, without an error. */
export function bodyOf(raw: IncomingMessage): Body {
  let accepting = true
  let ended = false
  let buffered: Buffer[] = []
  let size = 0
  let passed = 0
  let wake = () => {}
  const end = () => {
    ended = true
    wake()
  }
  raw.on('data', (bytes: Buffer) => {
    if (!accepting) return
    // Bytes that arrive in one turn of the event loop are written together.
    if (buffered.push(bytes) === 1) setImmediate(() => wake())
    size += bytes.length
    if (size >= BUFFER) raw.pause()
  })
  raw.on('end', end).on('close', end).on('error', end)

  async function* pieces(stop?: AbortSignal): AsyncGenerator<readonly Buffer[], void> {
    stop?.addEventListener('abort', end, { once: true })
    for (;;) {
      if (buffered.length > 0) {
        const parts = buffered
        buffered = []
        passed += size
        size = 0
        raw.resume()
        yield parts
      } else if (ended || stop?.aborted) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const discard = () => {
    accepting = false
    buffered = []
    raw.resume()
  }
  return { pieces, stream: streamOf(pieces(), discard), passed: () => passed, discard }
}

function streamOf(
  pieces: AsyncGenerator<readonly Buffer[], void>,
  cancel: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next()
        if (next.done) controller.close()
        else for (const bytes of next.value) controller.enqueue(bytes)
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}

/** The parts of a request that @tus/server reads. */
export function tusRequest(raw: IncomingMessage, body: Body | undefined): TusRequest {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    headers.set(name, String(value))
  }
  // The host is not used: locations in replies are relative.
  const url = `http://localhost${String(raw.url).split('?')[0]}`
  return { method: raw.method, url, headers, body: body?.stream ?? null } as unknown as TusRequest
}
