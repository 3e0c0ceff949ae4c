// Bytes of uploads that the server has acknowledged to the device.
import { type Reply, type Request, uploadIdIn } from './network/exchange.ts'

export class AcknowledgedBytes {
  /** By the path to which the bytes are sent: that of the upload, or of one of its parts. */
  readonly #bytes = new Map<string, number>()

  /** Bytes of what is sent to this path, from its first byte on. */
  of(path: string): number {
    return this.#bytes.get(path) ?? 0
  }

  /** The device has lost what it knew. */
  clear(): void {
    this.#bytes.clear()
  }

  /** Records what a reply says that reaches the device. */
  onReply({ method, path }: Request, { status, headers, body, cut }: Reply): void {
    if (cut) return
    const id = uploadIdIn(path) ?? (status === 201 ? uploadIdIn(headers?.['Location'] ?? '') : undefined)
    if (id === undefined) return
    if (status === 404 || method === 'DELETE' || status === 201) return this.#forget(id)
    if (method === 'GET' && status === 200) return this.#readParts(path, body)
    const offset = headers?.['Upload-Offset']
    if ((status < 300 || status === 409) && offset !== undefined) this.#bytes.set(path, Number(offset))
  }

  #readParts(path: string, body: unknown): void {
    const stored = (body as { stored?: unknown } | undefined)?.stored
    if (Array.isArray(stored)) stored.forEach((it, i) => this.#bytes.set(`${path}/${i + 1}`, Number(it)))
  }

  #forget(id: string): void {
    for (const path of this.#bytes.keys()) if (uploadIdIn(path) === id) this.#bytes.delete(path)
  }
}
