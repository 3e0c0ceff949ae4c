// A TLS proxy of the server that can present a foreign certificate.
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'

const fixtures = join(import.meta.dirname, '../../fixtures/tls')
type Certificate = 'own' | 'foreign'

const pairOf = (certificate: Certificate) => ({
  cert: readFileSync(join(fixtures, `${certificate}.crt`)),
  key: readFileSync(join(fixtures, `${certificate}.key`)),
})

export class TlsProxy {
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()

  private constructor(target: number) {
    this.#listener = createServer(pairOf('own'), (client) => {
      const server = connect(target, '127.0.0.1')
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from)
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
        from.pipe(to)
      }
    })
    this.#listener.on('tlsClientError', () => (this.#refused += 1))
  }

  #refused = 0

  static async open(target: number): Promise<TlsProxy> {
    const proxy = new TlsProxy(target)
    proxy.#listener.listen(0, '127.0.0.1')
    await once(proxy.#listener, 'listening')
    return proxy
  }

  get url(): string {
    return `https://localhost:${(this.#listener.address() as AddressInfo).port}`
  }

  /** The key of its own certificate, as `PhoneOptions.trustedKey` takes it: SHA-256 of the public key, base64. */
  get key(): string {
    const { publicKey } = new X509Certificate(pairOf('own').cert)
    return createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
  }

  /** Number of connections that a browser ended because of the certificate. */
  get refused(): number {
    return this.#refused
  }

  /** Ends all connections and presents this certificate to new ones. */
  present(certificate: Certificate): void {
    this.#listener.setSecureContext(pairOf(certificate))
    for (const it of this.#sockets) it.destroy()
  }

  async close(): Promise<void> {
    for (const it of this.#sockets) it.destroy()
    await new Promise((done) => this.#listener.close(done))
  }
}
