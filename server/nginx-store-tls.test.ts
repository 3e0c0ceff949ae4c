// Requests of nginx to an object store with TLS.
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Nginx, nginxAvailable, startNginx, STORE_NAME } from './testing/clients/nginx.ts'
import { freePort } from './testing/free-port.ts'
import { type BehindNginx, openBehindNginx } from './testing/media/behind-nginx.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { newBuckets, type S3Settings } from './testing/s3/stores.ts'
import { openTlsStore, type TlsStore } from './testing/s3/tls-store.ts'

// Tests are skipped where nginx or Ceph is missing: `npm run setup` installs them.
const available = nginxAvailable() && cephAvailable()
let site: BehindNginx
/** Of the server, which reads them without TLS. */
let buckets: S3Settings
const logged: string[] = []

beforeAll(async () => {
  if (!available) return
  buckets = await newBuckets()
  site = await openBehindNginx(buckets, { write: (line) => void logged.push(line) })
})
afterAll(() => site?.close())
beforeEach(() => void logged.splice(0))

/** The path of a file of a new open video. */
const newAddress = async () => `/api/media/${(await site.openVideo()).id}/play`

interface BehindTls {
  readonly tls: TlsStore
  readonly nginx: Nginx
}

/** The store of the server behind TLS, and an nginx that trusts one CA. @param name of the certificate */
async function openBehindTls(name: string, trustedOf: (tls: TlsStore) => string): Promise<BehindTls> {
  const tls = await openTlsStore(buckets.endpoint, name)
  onTestFinished(() => tls.close())
  const servers = [Number(new URL(site.world.origin).port), await freePort()] as const
  const signedPort = Number(new URL(buckets.endpoint).port)
  const store = { storePort: tls.port, tls: { trusted: trustedOf(tls), signedPort } }
  const nginx = await startNginx(site.world.dataDir, servers, await freePort(), {
    ...store,
    logsErrors: true,
  })
  onTestFinished(() => nginx.close())
  return { tls, nginx }
}

describe.skipIf(!available)('an object store with TLS', () => {
  test('is read by its name, when a trusted CA signed its certificate', async () => {
    const { tls, nginx } = await openBehindTls(STORE_NAME, (it) => it.authority)
    const address = await newAddress()
    const [whole, part] = [await nginx.request(address), await nginx.request(address, { range: 'bytes=0-3' })]
    expect([whole.status, whole.bytes.toString()]).toEqual([200, 'play.mp4'])
    expect([part.status, part.bytes.toString()]).toEqual([206, 'play'])
    expect(tls.names).toEqual([STORE_NAME, STORE_NAME])
    expect(logged.join('')).not.toContain('could not read from the store')
  })

  test.each<readonly [string, string, (tls: TlsStore) => string]>([
    ['another CA signed its certificate', STORE_NAME, (it) => it.otherAuthority],
    ['its certificate has another name', 'other.example', (it) => it.authority],
  ])('gets no request when %s; the server sends the bytes, and warns', async (_, name, trusted) => {
    const { tls, nginx } = await openBehindTls(name, trusted)
    const address = await newAddress()
    const reply = await nginx.request(address)
    expect([reply.status, reply.bytes.toString()]).toEqual([200, 'play.mp4'])
    expect(tls.names).toEqual([])
    expect(nginx.log()).toContain('upstream SSL certificate')
    const warned = logged.filter((line) => line.includes('could not read from the store'))
    expect(warned.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ level: 40 })])
    expect(warned[0]).toContain('502')
    expect(nginx.log() + logged.join('')).not.toMatch(/AWS4|Signature/i)
  })
})
