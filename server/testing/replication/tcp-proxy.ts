// A TCP proxy with a fixed address, as operators have in front of a primary.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Leads new connections to another port, and breaks those that are open. */
  leadTo(port: number): void
  close(): Promise<void>
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  let to = target
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const behind = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(one)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          open.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const it of open) it.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      to = port
      cut()
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
