// An object store behind TLS, with a certificate of a CA of the test.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'

export interface TlsStore {
  readonly port: number
  /** Certificate of the CA that signed the one of the store. */
  readonly authority: string
  /** Certificate of another CA. */
  readonly otherAuthority: string
  /** The name in the handshake (SNI) of each request that arrived; empty without one. */
  readonly names: readonly string[]
  close(): Promise<void>
}

/**
 * Opens a proxy with TLS in front of a store; requests keep their headers, so that signatures stay valid.
 * @param endpoint of the store, with plain HTTP
 * @param name the host that the certificate is for
 */
export async function openTlsStore(endpoint: string, name: string): Promise<TlsStore> {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-tls-store-'))
  const authority = makeAuthority(folder, 'authority')
  const otherAuthority = makeAuthority(folder, 'other')
  const { key, cert } = makeCertificate(folder, 'authority', name)
  const names: string[] = []
  const { hostname, port } = new URL(endpoint)
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    names.push((incoming.socket as TLSSocket).servername || '')
    const { method, url: at, headers } = incoming
    const passed = request({ hostname, port, method, path: at, headers, setHost: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    authority,
    otherAuthority,
    names,
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
      rmSync(folder, { recursive: true })
    },
  }
}

const openssl = (folder: string, ...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const

/** @returns the path of the certificate of a new CA */
function makeAuthority(folder: string, name: string): string {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
  const uses = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign']
  openssl(folder, 'req', '-x509', ...NEW_KEY, ...files, '-days', '2', '-subj', `/CN=${name}`, ...uses)
  return path.join(folder, `${name}.pem`)
}

/** A certificate that a CA of the folder signed. */
function makeCertificate(
  folder: string,
  authority: string,
  name: string,
): { readonly key: Buffer; readonly cert: Buffer } {
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  openssl(folder, 'req', ...NEW_KEY, '-keyout', 'store.key', '-out', 'store.csr', ...subject)
  const by = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial']
  const copied = ['-copy_extensions', 'copyall', '-days', '2']
  openssl(folder, 'x509', '-req', '-in', 'store.csr', ...by, ...copied, '-out', 'store.pem')
  return {
    key: readFileSync(path.join(folder, 'store.key')),
    cert: readFileSync(path.join(folder, 'store.pem')),
  }
}
