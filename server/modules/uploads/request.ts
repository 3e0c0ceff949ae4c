// Between the HTTP request and @tus/server: a body that ends early instead of failing, so that a cut keeps its bytes.
import type { IncomingMessage } from 'node:http'
import type { Server } from '@tus/server'

export type TusRequest = Parameters<Server['handleWeb']>[0]

/** Bytes held between the socket and the disk. */
const BUFFER = 256 * 1024

export interface Body {
  readonly stream: ReadableStream<Uint8Array>
  /** Throws away what nobody read, so that the connection can serve its next request. */
  discard(): void
}

/** A request's bytes. A connection that dies is an early end: what came before it is whole and is kept. */
export function bodyOf(raw: IncomingMessage): Body {
  let open = true
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          if (!open) return
          open = false
          controller.close()
        }
        raw.on('data', (chunk: Buffer) => {
          if (!open) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) raw.pause()
        })
        raw.on('end', end).on('close', end).on('error', end)
        raw.pause()
      },
      pull() {
        raw.resume()
      },
      cancel() {
        open = false
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER }),
  )
  return {
    stream,
    discard() {
      open = false
      raw.resume()
    },
  }
}

/** The few things @tus/server reads of a request. */
export function tusRequest(raw: IncomingMessage, body: Body | undefined): TusRequest {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const url = `http://${raw.headers.host ?? 'localhost'}${(raw.url ?? '/').split('?')[0]}`
  return { method: raw.method ?? 'GET', url, headers, body: body?.stream ?? null } as unknown as TusRequest
}
