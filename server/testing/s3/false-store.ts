// A false object store: it records requests, and answers as a test chooses.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
}

export interface FalseStore {
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** The reply to all further requests. */
  answer(status: number, headers: OutgoingHttpHeaders, body: string): void
  close(): Promise<void>
}

export async function openFalseStore(): Promise<FalseStore> {
  const requests: ReceivedRequest[] = []
  let reply: Parameters<FalseStore['answer']> = [404, {}, '']
  const server = createServer((incoming, outgoing) => {
    requests.push({ method: incoming.method, path: incoming.url, headers: incoming.headers })
    const [status, headers, body] = reply
    outgoing.writeHead(status, headers).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    answer: (...given) => void (reply = given),
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
