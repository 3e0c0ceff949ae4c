// Between the HTTP request and the disk: a body that ends early instead of failing, so that a cut keeps its bytes.
import type { IncomingMessage } from 'node:http'
import type { Server } from '@tus/server'

export type TusRequest = Parameters<Server['handleWeb']>[0]

/** Bytes held between the socket and the disk. */
const BUFFER = 256 * 1024

export interface Body {
  /** Bytes since the last read; ends early on a stop, after the bytes received by then. */
  pieces(stop?: AbortSignal): AsyncGenerator<readonly Buffer[], void>
  /** The same for @tus/server. */
  readonly stream: ReadableStream<Uint8Array>
  /** Discards unread bytes, so that the connection can serve its next request. */
  discard(): void
}

/** A request's bytes, from now on. A lost connection is an early end: received bytes are complete and stored. */
export function bodyOf(raw: IncomingMessage): Body {
  let open = true
  let ended = false
  let held: Buffer[] = []
  let size = 0
  let wake = () => {}
  const end = () => {
    ended = true
    wake()
  }
  raw.on('data', (bytes: Buffer) => {
    if (!open) return
    // What one look at the socket brings goes to the disk in one go.
    if (held.push(bytes) === 1) setImmediate(() => wake())
    size += bytes.length
    if (size >= BUFFER) raw.pause()
  })
  raw.on('end', end).on('close', end).on('error', end)

  async function* pieces(stop?: AbortSignal): AsyncGenerator<readonly Buffer[], void> {
    stop?.addEventListener('abort', end, { once: true })
    for (;;) {
      if (held.length > 0) {
        const taken = held
        held = []
        size = 0
        raw.resume()
        yield taken
      } else if (ended || stop?.aborted) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const discard = () => {
    open = false
    held = []
    raw.resume()
  }
  return { pieces, stream: streamOf(pieces(), discard), discard }
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

/** The few things @tus/server reads of a request. */
export function tusRequest(raw: IncomingMessage, body: Body | undefined): TusRequest {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    headers.set(name, String(value))
  }
  // The host is not used: locations in answers are relative.
  const url = `http://localhost${String(raw.url).split('?')[0]}`
  return { method: raw.method, url, headers, body: body?.stream ?? null } as unknown as TusRequest
}
