// Each request that is refused before its handler gets the error of the contract.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { newId } from '#contract/ids.ts'
import { API_BASE, PAYMENT_NOTICES_PATH } from '#contract/paths.ts'
import { readRefusal } from '#contract/response.ts'
import type { EventLoop } from '#server/adapters/event-loop.ts'
import { isHealthUrl } from '#server/http/errors.ts'
import { noLimits } from '#server/http/limits.ts'
import { type Reply, signUp } from '#server/testing/people/members.ts'
import { bothDatabases, openWorld, type World, type WorldOptions } from '#server/testing/world.ts'

let late = 0
const eventLoop: EventLoop = {
  delay: () => ({ p50: 0, p99: late, max: late }),
  minutes: () => ({ delay: { p50: 0, p99: late, max: late }, utilisation: 1 }),
  late: () => late,
  close: () => undefined,
}
const lines: string[] = []
/** Lines of the log at level error or above. */
const errors = () => lines.filter((it) => (JSON.parse(it) as { level: number }).level >= 50)
const logged: WorldOptions = {
  settings: { overloadDelay: 500, logLevel: 'info', logTo: { write: (line) => void lines.push(line) } },
  parts: { eventLoop },
}

/** What a client reads of a reply. */
const readBy = ({ statusCode: status, body, headers }: Reply) =>
  readRefusal({ status, body, header: (name) => headers[name.toLowerCase()] as string | undefined })

/** Expects the contract's error, the mark of the server, and a time to try again if one is due. */
function expectRefusal(
  name: string,
  reply: Reply,
  [status, code]: readonly [number, ErrorCode],
  after = false,
) {
  const seen = [
    name,
    readBy(reply),
    reply.json(),
    reply.headers['todoke-answer'],
    Boolean(reply.headers['retry-after']),
  ]
  expect(seen).toEqual([
    name,
    { is: 'refusal', status, code, fields: undefined },
    { error: { code } },
    '1',
    after,
  ])
}

const withBody = new Set(['POST', 'PUT', 'PATCH'])
function optionsOf(
  method: NonNullable<InjectOptions['method']>,
  url: string,
  auth: Record<string, string>,
): InjectOptions {
  const json = withBody.has(method) ? { 'content-type': 'application/json' } : {}
  return {
    method,
    url,
    headers: { ...auth, ...json },
    ...(withBody.has(method) && { payload: '{}' }),
  }
}

const routes = endpoints
  .map(({ method, path }) => ({ method, url: API_BASE + path.replaceAll(/:\w+|\{\w+\}/g, newId()) }))
  .filter(({ url }) => !isHealthUrl(url) && !url.startsWith(PAYMENT_NOTICES_PATH))

describe.each([
  ...bothDatabases.map((it) => ({ ...it, replicas: false })),
  { ...bothDatabases[1], replicas: true },
])('on $kind (replicas: $replicas)', ({ kind = 'postgres', available = false, replicas }) => {
  describe.skipIf(!available)('a refusal', () => {
    let first: World | undefined
    let world: World
    let auth: Record<string, string>
    beforeAll(async () => {
      if (replicas) {
        first = await openWorld({ database: kind })
        const url = String(first.postgres?.url)
        // The primary serves as its own replica, which is enough for the hooks.
        world = await openWorld({
          ...logged,
          at: { url, replicas: { urls: [url], maxLag: 1e9 } },
          parts: { ...logged.parts, dataDir: first.dataDir },
        })
      } else world = await openWorld({ ...logged, database: kind })
      auth = { ...(await signUp(world)).auth, cookie: 'todoke_watermark=0/1.x' }
    })
    afterAll(async () => {
      await world.close()
      await first?.close()
    })
    afterEach(() => {
      late = 0
      world.deps.draining.now = false
      lines.length = 0
    })
    const send = (options: InjectOptions) => world.app.inject(options)
    const multipart = (body: string, url = '/post/add', boundary = 'B') =>
      send({
        method: url.includes('pictures') ? 'PUT' : 'POST',
        url: API_BASE + url,
        headers: { ...auth, 'content-type': `multipart/form-data; boundary=${boundary}` },
        payload: body,
      })

    test('of an overloaded or a stopping server, of every route', async () => {
      for (const state of ['overloaded', 'stopping'] as const) {
        late = state === 'overloaded' ? 501 : 0
        world.deps.draining.now = state === 'stopping'
        for (const { method, url } of routes) {
          const reply = await send(optionsOf(method, url, auth))
          expectRefusal(`${state} ${method} ${url}`, reply, [503, 'unavailable'], true)
        }
      }
      expect(errors()).toEqual([])
    })

    test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
      'of a %s to an unknown path, and to an address that cannot be decoded',
      async (method) => {
        expectRefusal('unknown', await send(optionsOf(method, `${API_BASE}/nothing`, auth)), [
          404,
          'not_found',
        ])
        for (const path of ['/%zz', '/posts/%', '/posts/%E3%81'])
          expectRefusal(path, await send(optionsOf(method, API_BASE + path, auth)), [400, 'bad_request'])
        expect(errors()).toEqual([])
      },
    )

    const part = (name: string, value: string, more = '') =>
      `--B\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const cut = [408, 'body_incomplete'] as const
    test.each([
      ['without an end', part('content', 'x'), cut],
      ['that ends inside the head of a part', '--B\r\nContent-Disposition: form-da', cut],
      ['that ends inside a file', part('FILE', 'GIF89a', '; filename="a.gif"').slice(0, -4), cut],
      ['of line ends alone', '\r\n'.repeat(1000), cut],
      ['with another boundary', `${part('content', 'x').replace('--B', '--C')}--C--\r\n`, cut],
    ] as const)('of a multipart body %s', async (name, body, expected) => {
      for (const [url, file] of [
        ['/post/add', 'image_file[]'],
        ['/post/upload-chunking', 'file'],
        ['/profile/pictures/avatar', 'picture'],
      ] as const)
        expectRefusal(`${name} ${url}`, await multipart(body.replace('FILE', file), url), expected)
      expect(errors()).toEqual([])
    })

    test('of a write while the disk of the database is full, or it has no connection left', async () => {
      for (const [sqlstate, status, code] of [
        ['53100', 507, 'storage_full'],
        ['53300', 503, 'unavailable'],
        ['53200', 503, 'unavailable'],
        ['57014', 503, 'unavailable'],
      ] as const) {
        await world.database.executeSql(
          `create or replace function refuse() returns trigger language plpgsql as
               $$ begin raise exception 'refused' using errcode = '${sqlstate}'; end $$`,
        )
        await world.database.executeSql(
          'create trigger refuse before insert on posts for each row execute function refuse()',
        )
        const body = `${part('content', 'x')}${part('type', '1')}--B--\r\n`
        expectRefusal(sqlstate, await multipart(body), [status, code], true)
        await world.database.executeSql('drop trigger refuse on posts')
      }
      // Those of a full disk and of a missing connection differ: only the second is logged as an error of the server.
      expect(errors()).toHaveLength(3)
    })
  })
})

describe('a refusal by limits and by Node', () => {
  const general = { max: 3, timeWindow: 60_000 }
  let world: World
  beforeAll(async () => {
    world = await openWorld({
      settings: { ...logged.settings, limits: { ...noLimits, general } },
      listen: true,
    })
  })
  afterAll(() => world.close())

  test('of each route above the limit of its network', async () => {
    let limited = 0
    for (const [index, { method, url }] of routes.entries()) {
      const remoteAddress = `10.0.${index >> 8}.${index & 255}`
      const options = { ...optionsOf(method, url, { authorization: '' }), remoteAddress }
      for (let sent = 1; sent <= general.max; sent++) await world.app.inject(options)
      const reply = await world.app.inject(options)
      // A route with a limit of its own has none here.
      if (reply.statusCode !== 429) continue
      expectRefusal(`${method} ${url}`, reply, [429, 'rate_limited'], true)
      limited += 1
    }
    expect(limited).toBeGreaterThan(routes.length / 2)
  })

  const raw = (request: string) => {
    const socket = connect(Number(new URL(world.origin).port), '127.0.0.1')
    socket.write(request)
    return text(socket)
  }
  test.each([
    ['what is no HTTP', 'hello\r\n\r\n', '400 Bad Request', 'bad_request'],
    [
      'headers of 20 KB',
      `GET ${API_BASE}/posts HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'too_large',
    ],
  ])('of %s', async (_what, request, status, code) => {
    const [head = '', body] = (await raw(request)).split('\r\n\r\n')
    expect(head.split('\r\n')).toEqual(expect.arrayContaining([`HTTP/1.1 ${status}`, 'Todoke-Answer: 1']))
    expect(JSON.parse(String(body))).toEqual({ error: { code } })
  })

  test('of a page whose address cannot be decoded is a page', async () => {
    const reply = await fetch(`${world.origin}/post/%zz`, { headers: { accept: 'text/html' } })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await reply.text()).toContain('ページが見つかりません')
  })
})
