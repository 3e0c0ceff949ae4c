// Logs of nginx, of HAProxy and of the server have no secret of an address.
import { randomBytes } from 'node:crypto'
import http2 from 'node:http2'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { API_BASE, PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { unsubscribeUrl } from './services/notices/unsubscribe-token.ts'
import { type Haproxy, haproxyAvailable, startHaproxy } from './testing/clients/haproxy.ts'
import { certificate, type Nginx, nginxAvailable, startNginx } from './testing/clients/nginx.ts'
import { rawRequest } from './testing/clients/raw-request.ts'
import { freePort } from './testing/free-port.ts'
import { type BehindNginx, openBehindNginx } from './testing/media/behind-nginx.ts'
import { mailedLinks } from './testing/people/mailed-links.ts'

// Skipped where a proxy is missing: `npm run setup` installs them.
const available = nginxAvailable() && haproxyAvailable()
const pageHeaders = { accept: 'text/html,application/xhtml+xml' }
let site: BehindNginx
let haproxy: Haproxy
let links: Readonly<Record<string, string>>
const logged: string[] = []

beforeAll(async () => {
  if (!available) return
  site = await openBehindNginx(undefined, { write: (line) => void logged.push(line) })
  const server = Number(new URL(site.world.origin).port)
  haproxy = await startHaproxy([server, await freePort()], await freePort())
  links = await mailedLinks(site.world)
})
afterAll(async () => {
  await haproxy?.close()
  await site?.close()
})

const secretOf = (link: string): string => defined(/[\w-]{43,}$/.exec(link))[0]

describe.skipIf(!available)('a link that is mailed', () => {
  test('has its secret at the end of its fragment, and nothing else of it before', () => {
    const outside = Object.entries(links).filter(([, link]) => {
      const { pathname, search, hash } = new URL(link)
      return (
        !/^#(decision=[\w-]+&)?(token|stop)=[\w-]{43,}$/.test(hash) || /[\w-]{43}/.test(pathname + search)
      )
    })
    expect(outside).toEqual([])
  })
})

describe.skipIf(!available).each(['nginx', 'HAProxy'] as const)('the logs behind %s', (name) => {
  let proxy: Pick<Nginx, 'request' | 'log' | 'plainPort' | 'origin'>
  beforeAll(() => {
    proxy = name === 'nginx' ? site.nginx : haproxy
  })
  const log = () => proxy.log() + logged.join('')
  const linesWith = (text: string) =>
    log()
      .split('\n')
      .filter((it) => it.includes(text))

  test('have no secret of a mailed link, also of one from an earlier version and as the page that led here', async () => {
    for (const link of Object.values(links)) {
      const { pathname, search, hash } = new URL(link)
      const earlier = `${pathname}?${[search.slice(1), hash.slice(1)].filter(Boolean).join('&')}`
      for (const address of [pathname + search, earlier]) {
        await proxy.request(address, { ...pageHeaders, referer: `${site.nginx.origin}${earlier}` })
        await fetch(`http://127.0.0.1:${proxy.plainPort}${address}`, { redirect: 'manual' })
      }
      await expect.poll(log).toContain(`GET ${pathname} HTTP/1.1`)
    }
    expect(Object.values(links).filter((it) => log().includes(secretOf(it)))).toEqual([])
  })

  test('have the path of a paid file as it was requested, and not its signature', async () => {
    const { id } = await site.paidVideo()
    const address = site.studio.addressOf(id, 'play', site.studio.fan)
    const [path, signature] = [address.split('?')[0], defined(/sig=([\w-]+)/.exec(address)?.[1])]
    expect((await proxy.request(address, site.studio.fan.auth)).status).toBe(200)
    await expect.poll(log).toContain(`GET ${path} HTTP/1.1`)
    expect(linesWith(signature)).toEqual([])
    expect(log()).not.toMatch(/sig=|exp=/)
  })

  test('have neither the secret of an advertisement’s end nor that of notices of payments', async () => {
    const { secrets } = site.world.deps
    const unsubscribe = unsubscribeUrl(secrets, '', site.studio.fan.id)
    const notices = `${PAYMENT_NOTICES_PATH}/${newId()}-notice-path`
    await proxy.request(unsubscribe, pageHeaders)
    await proxy.request(`${notices}?gid=1`)
    await expect.poll(log).toContain(`GET ${API_BASE}/notice-emails/- HTTP/1.1`)
    await expect.poll(log).toContain(`GET ${PAYMENT_NOTICES_PATH}/- HTTP/1.1`)
    for (const it of [unsubscribe, notices]) expect(log()).not.toContain(defined(it.split('/').at(-1)))
  })

  test('have no session_id of a payment: that of the return page, and of reads of an earlier version', async () => {
    const paths = ['/payment/return', `${API_BASE}/payments/${newId()}/return`]
    const sessionId = randomBytes(16).toString('base64url')
    for (const path of paths)
      await proxy.request(`${path}?payment_id=${newId()}&session_id=${sessionId}`, pageHeaders)
    for (const path of paths) await expect.poll(log).toContain(`GET ${path} HTTP/1.1`)
    expect(linesWith(sessionId)).toEqual([])
  })

  test('have no words of a search', async () => {
    const words = encodeURIComponent('夕暮れの海')
    await proxy.request(`${API_BASE}/search/posts?q=${words}`, site.studio.fan.auth)
    await proxy.request(`/search/${words}`, pageHeaders)
    await expect.poll(log).toContain(`GET /search/- HTTP/1.1`)
    await expect.poll(log).toContain(`GET ${API_BASE}/search/posts HTTP/1.1`)
    expect(linesWith(words)).toEqual([])
  })

  const secret = randomBytes(32).toString('base64url')
  const get = (address: string, ...headers: string[]) =>
    [`GET ${address} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n')
  test.each([
    ['a percent-encoded query', get(`/confirmed%3Ftoken=${secret}`), '/confirmed-'],
    ['a query that is encoded twice', get(`/confirmed%253ftoken=${secret}`), '/confirmed-'],
    ['a percent-encoded fragment', get(`/confirmed%23token=${secret}`), '/confirmed-'],
    ['a parameter of the path', get(`/confirmed;token=${secret}`), '/confirmed-'],
    ['a path', get(`/confirmed/${secret}`), '/confirmed/-'],
    ['a percent-encoded path', get(`/confirmed%2F${secret}`), '/confirmed-'],
    ['the address with its host', get(`http://localhost/confirmed?token=${secret}`), undefined],
    ['a fragment', get(`/confirmed#token=${secret}`), undefined],
    ['a request line of three addresses', get(`/confirmed?token=${secret} /${secret}`), undefined],
    ['a request line with a control', get(`/confirmed?token=${secret}\u0001`), undefined],
    [
      'a request line of another version',
      get(`/x?token=${secret}`).replace('HTTP/1.1', 'HTTP/9.9'),
      undefined,
    ],
    ['a request line without an address', `${secret}\r\n\r\n`, undefined],
    ['a query that is too long', get(`/confirmed?token=${secret}&x=${'x'.repeat(70_000)}`), undefined],
    ['a path that is too long', get(`/confirmed/${secret}/${'x/'.repeat(35_000)}`), undefined],
    [
      'a host that is none',
      get(`/confirmed?token=${secret}`).replace('localhost', `a/?${secret}`),
      undefined,
    ],
    ['a request without a host', get(`/confirmed?token=${secret}`).replace('Host', 'Other'), undefined],
    [
      'headers that are too large',
      get(`/?token=${secret}`, `Referer: /${secret}${'x'.repeat(70_000)}`),
      undefined,
    ],
    ['a body that is too large', get(`/?token=${secret}`, 'Content-Length: 9999999999'), undefined],
  ])('have no secret of %s', async (_, bytes, path) => {
    await rawRequest(proxy.origin, bytes)
    if (path !== undefined) await expect.poll(log).toContain(`GET ${path} HTTP/1.1`)
    // Settled: lines are in the order in which requests ended.
    const last = `/${newId()}`
    await proxy.request(last, pageHeaders)
    await expect.poll(log).toContain(`GET ${last} HTTP/1.1`)
    expect(linesWith(secret)).toEqual([])
  })

  test('have no secret of a request by HTTP/2', async () => {
    const session = http2.connect(proxy.origin, { ca: certificate })
    onTestFinished(() => session.close())
    for (const path of [`/http2?token=${secret}`, `/http2%3Ftoken=${secret}`])
      await new Promise((resolve, reject) =>
        session.request({ ':path': path, referer: path }).on('error', reject).on('close', resolve).resume(),
      )
    await expect.poll(log).toContain('GET /http2- HTTP/2.0')
    expect(linesWith(secret)).toEqual([])
  })
})

test.skipIf(!available).each(['nginx', 'HAProxy'] as const)(
  '%s logs no signature while no server can be reached',
  async (name) => {
    const { id } = await site.paidVideo()
    const address = site.studio.addressOf(id, 'play', site.studio.fan)
    const ports = [await freePort(), await freePort()] as const
    const alone =
      name === 'nginx'
        ? await startNginx(site.world.dataDir, ports, await freePort())
        : await startHaproxy(ports, await freePort())
    onTestFinished(() => alone.close())
    expect((await alone.request(address, site.studio.fan.auth)).status).toBeGreaterThanOrEqual(502)
    await expect.poll(() => alone.log()).toContain(`GET ${address.split('?')[0]} HTTP/1.1"`)
    expect(alone.log()).not.toMatch(/sig=/)
  },
)
