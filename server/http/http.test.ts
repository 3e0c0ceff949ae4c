// Common behaviour of all replies: refusals, headers, limits, the app's files, health.
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#contract/api.ts'
import { defined } from '#contract/testing/defined.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { openWorld, storedAt, type World } from '#server/testing/world.ts'
import { noLimits } from './limits.ts'

let world: World
let dist: string
beforeAll(async () => {
  dist = await mkdtemp(path.join(tmpdir(), 'todoke-dist-'))
  await mkdir(path.join(dist, 'assets'))
  await writeFile(path.join(dist, 'index.html'), '<!doctype html><title>とどけ</title>')
  await writeFile(path.join(dist, 'sw.js'), 'self')
  await writeFile(path.join(dist, 'assets', 'main-abc123.js'), 'main')
  const limits = {
    ...noLimits,
    signIn: { max: 3, timeWindow: 60_000 },
    signUp: { max: 50, timeWindow: 60_000 },
  }
  world = await openWorld({ settings: { dist, limits, corsOrigins: ['https://app.example'] } })
})
afterAll(async () => {
  await world.close()
  await rm(dist, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url, headers })

describe('refusals', () => {
  test('broken JSON is bad_json', async () => {
    const reply = await call(world, null, 'POST', '/auth/sign-in', '{"email":', {
      'content-type': 'application/json',
    })
    expect([reply.statusCode, errorOf(reply)]).toEqual([400, { code: 'bad_json' }])
  })

  test('an unknown API address is not_found for every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const reply = await call(world, null, method, '/no/such/thing')
      expect([reply.statusCode, errorOf(reply)]).toEqual([404, { code: 'not_found' }])
      expect(reply.statusMessage).toBe('Page not found')
    }
  })

  test('another method of a known address is method_not_allowed, with the allowed ones', async () => {
    const reply = await call(world, null, 'DELETE', '/posts')
    expect([reply.statusCode, errorOf(reply)]).toEqual([405, { code: 'method_not_allowed' }])
    expect(reply.headers['allow']).toContain('GET')
    expect(errorOf(await get('/api/auth/sign-in')).code).toBe('method_not_allowed')
  })

  test('a body of two megabytes is too_large', async () => {
    const reply = await call(world, null, 'POST', '/auth/sign-in', { email: 'x'.repeat(2 * 1024 * 1024) })
    expect([reply.statusCode, errorOf(reply)]).toEqual([413, { code: 'too_large' }])
  })

  test('a wrong token is unauthenticated', async () => {
    const reply = await get('/api/auth/session', { authorization: `Bearer ${'x'.repeat(43)}` })
    expect([reply.statusCode, errorOf(reply)]).toEqual([401, { code: 'unauthenticated' }])
  })

  test('an error of the server is internal, without details', async () => {
    const broken = await openWorld()
    const reader = await signUp(broken)
    await broken.database.executeSql('drop table post_plans cascade; drop table posts cascade')
    const reply = await call(broken, reader, 'GET', '/posts')
    await broken.close()
    expect(reply.statusCode).toBe(500)
    expect(reply.body).toBe('{"error":{"code":"internal"}}')
  })
})

describe('limits', () => {
  test('the fourth sign-in for one address is rate_limited, another address is not', async () => {
    const body = (email: string) => ({ email, password: 'todoke-1234' })
    const codes = []
    for (let i = 0; i < 4; i++)
      codes.push(errorOf(await call(world, null, 'POST', '/auth/sign-in', body('a@a.co'))).code)
    expect(codes).toEqual(['wrong_credentials', 'wrong_credentials', 'wrong_credentials', 'rate_limited'])
    expect(errorOf(await call(world, null, 'POST', '/auth/sign-in', body('b@b.co'))).code).toBe(
      'wrong_credentials',
    )
  })

  test('a rate_limited reply has the time after which to retry', async () => {
    const reply = await call(world, null, 'POST', '/auth/sign-in', { email: 'A@a.co', password: 'x' })
    expect([reply.statusCode, Number(reply.headers['retry-after']) > 0]).toEqual([429, true])
  })
})

describe('headers', () => {
  test('a page tells other requests its origin alone, not its path and query, which proxies log', async () => {
    expect((await get('/payment/return?session_id=x')).headers['referrer-policy']).toBe('strict-origin')
  })

  test('the content security policy permits nothing inline and nothing of other origins', async () => {
    const csp = String((await get('/')).headers['content-security-policy'])
    expect(csp).toContain("default-src 'none'")
    expect(csp).toContain("script-src 'self'")
    expect(csp).toContain("frame-ancestors 'none'")
    expect(csp).toContain("require-trusted-types-for 'script'")
    expect(csp).toContain('trusted-types default')
    // Only WebAssembly may be compiled (HEIC pictures are decoded on the device).
    expect(csp.replace("'wasm-unsafe-eval'", '')).not.toContain('unsafe')
  })

  test('every reply has a request id', async () => {
    const ids = [await get('/api/posts'), await get('/api/nope')].map((it) => it.headers['x-request-id'])
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)])
  })

  test('every reply of the API and of uploads is marked as this server’s, also refusals and those without a body', async () => {
    const inject = (method: 'HEAD' | 'PATCH', url: string) => world.app.inject({ method, url })
    const replies = [
      await get('/api/health'),
      await get('/api/posts'),
      await get('/api/nope'),
      await inject('HEAD', '/upload-chunking-2/none'),
      await inject('PATCH', '/upload-chunking-2/none'),
    ]
    expect(replies.map((it) => [it.statusCode, it.headers['todoke-answer']])).toEqual([
      [200, '1'],
      [401, '1'],
      [404, '1'],
      [401, '1'],
      [401, '1'],
    ])
    // A page is not a reply to an API call.
    expect((await get('/')).headers['todoke-answer']).toBeUndefined()
    const cross = await get('/api/health', { origin: 'https://app.example' })
    expect(cross.headers['access-control-expose-headers']).toContain('Todoke-Answer')
  })

  test('a reply of the API and of uploads has the id of its request', async () => {
    const named = (url: string, id: string) => get(url, { 'todoke-request': id })
    const replies = [
      await named('/api/health', 'a-1_B'),
      await named('/api/nope', 'a-2'),
      await named('/upload-chunking-2/none', 'a-3'),
      await named('/api/health', 'a,b'),
      await named('/api/health', 'a'.repeat(65)),
    ]
    expect(replies.map((it) => it.headers['todoke-request'])).toEqual([
      'a-1_B',
      'a-2',
      'a-3',
      undefined,
      undefined,
    ])
  })

  test('only a configured origin is allowed', async () => {
    const named = await get('/api/posts', { origin: 'https://app.example' })
    const other = await get('/api/posts', { origin: 'https://evil.example' })
    expect(named.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(other.headers['access-control-allow-origin']).toBeUndefined()
    // A cache must not use the reply to one origin for another.
    expect([named, other].map((it) => it.headers['vary'])).toEqual([
      expect.stringContaining('Origin'),
      expect.stringContaining('Origin'),
    ])
  })

  test('the preflight of a configured origin succeeds', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    const reply = await world.app.inject({ method: 'OPTIONS', url: '/api/post/add', headers })
    expect(reply.statusCode).toBe(204)
    expect(reply.headers['access-control-allow-headers']).toContain('Idempotency-Key')
    expect(reply.headers['access-control-allow-headers']).toContain('Todoke-Request')
  })
})

describe('the app’s files', () => {
  test('hashed files are immutable; the shell and the worker are revalidated each time', async () => {
    const rules = await Promise.all(
      ['/assets/main-abc123.js', '/', '/sw.js'].map(async (url) => (await get(url)).headers['cache-control']),
    )
    expect(rules).toEqual(['public, max-age=31536000, immutable', 'no-cache', 'no-cache'])
  })

  test('a page address is served with the shell; a missing file is 404', async () => {
    expect((await get('/post/upload2')).body).toContain('<title>とどけ</title>')
    expect((await get('/assets/gone.js')).statusCode).toBe(404)
  })

  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
  ])('%s serves no file outside the app', async (url) => {
    expect((await get(url)).body).not.toContain('dependencies')
  })
})

describe('the API page', () => {
  test('describes every endpoint of the contract, and the files', async () => {
    const document = (await get('/api/openapi.json')).json<{
      paths: Record<string, Record<string, { operationId: string }>>
    }>()
    const named = Object.values(document.paths).flatMap((it) =>
      Object.values(it).map((one) => one.operationId),
    )
    expect(named.toSorted()).toEqual(
      [...endpoints.map((it) => it.name), 'getMedia', 'getIdentityFile'].toSorted(),
    )
  })

  test('every endpoint of the contract is served', () => {
    const served = endpoints.map((it) => world.app.hasRoute({ method: it.method, url: `/api${it.path}` }))
    expect(served).toEqual(endpoints.map(() => true))
  })
})

describe('the description of the API', () => {
  test('is not served where it is not configured', async () => {
    const closed = await openWorld({ settings: { apiDocs: false } })
    const paths = ['/api/docs', '/api/docs/static/index.html', '/api/openapi.json']
    const replies = await Promise.all(paths.map((url) => closed.app.inject({ url })))
    await closed.close()
    expect(replies.map((it) => [it.statusCode, errorOf(it).code])).toEqual(
      paths.map(() => [404, 'not_found']),
    )
  })
})

describe('health', () => {
  const late: unknown = expect.any(Number)
  const event_loop_ms = { p50: late, p99: late, max: late }
  const checked_at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

  test('has the delay of the event loop', async () => {
    const longest = async () => {
      for (const until = performance.now() + 150; performance.now() < until;);
      return (await get('/api/health')).json<{ event_loop_ms: { max: number } }>().event_loop_ms.max
    }
    await expect.poll(longest).toBeGreaterThan(60)
  })

  test('has the state of every checked part', async () => {
    const reply = await get('/api/health')
    const { state } = defined(world.deps.mediaSandbox).found()
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        status: 'ok',
        database: 'ok',
        storage: 'ok',
        room: 'ok',
        media_sandbox: state,
        mail: 'off',
        payments: 'practice',
        sales: 'open',
        checked_at,
        stale: false,
        event_loop_ms,
      },
    ])
  })

  test('while draining it is 503', async () => {
    world.deps.draining.now = true
    const reply = await get('/api/health')
    world.deps.draining.now = false
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      {
        status: 'draining',
        database: 'ok',
        storage: 'ok',
        room: 'ok',
        media_sandbox: defined(world.deps.mediaSandbox).found().state,
        mail: 'off',
        payments: 'practice',
        sales: 'open',
        checked_at,
        stale: false,
        event_loop_ms,
      },
    ])
  })

  test('without its data folder it is unavailable', async () => {
    const broken = await openWorld()
    await rm(storedAt(broken, 'tmp'), { recursive: true })
    const reply = await call(broken, null, 'GET', '/health')
    await broken.close()
    expect([reply.statusCode, errorOf(reply)]).toEqual([503, { code: 'unavailable' }])
  })
})
