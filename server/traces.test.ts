// Traces of a whole server: from a request through its job to the object store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import { allowedAttributes } from './adapters/traces/traces.ts'
import { compileTrust } from './http/client-address.ts'
import { type Collector, openCollector, type ReceivedSpan, tracesTo } from './testing/collector.ts'
import { jobsDone } from './testing/jobs.ts'
import { call, PASSWORD, signUp } from './testing/people/members.ts'
import { openStudio } from './testing/people/studio.ts'
import { jpeg } from './testing/pictures.ts'
import { startServer } from './testing/process.ts'
import { cephAvailable } from './testing/s3/ceph.ts'
import { newBuckets } from './testing/s3/stores.ts'
import { fillDataFolder } from './testing/template.ts'
import { bothDatabases, openWorld, type World, type WorldOptions } from './testing/world.ts'

let collector: Collector
let world: World | undefined
beforeEach(async () => {
  collector = await openCollector()
})
afterEach(async () => {
  await world?.close()
  world = undefined
  await collector.close()
})

const open = async (options: WorldOptions = {}, settings: Parameters<typeof tracesTo>[1] = {}) =>
  (world = await openWorld({
    ...options,
    parts: { traces: tracesTo(collector, settings), ...options.parts },
  }))

const jobOf = async (it: World, name: string, work: () => Promise<void>): Promise<void> =>
  it.deps.traces?.job(name, {}, work)
const named = (name: string) => collector.spans.filter((it) => it.name === name)
const childrenOf = ({ spanId }: ReceivedSpan) => collector.spans.filter((it) => it.parentSpanId === spanId)

describe.skipIf(!cephAvailable())('a picture of a post', () => {
  test('has one trace from the request that adds it, through the job, to the object store', async () => {
    const it = await open({ worker: true, parts: { s3: await newBuckets() } })
    const { post, image, processedMedia } = await openStudio(it)
    const [field] = await image(await jpeg(), 'a.jpg')
    await processedMedia(await post([['type', '1'], field]))
    await jobsDone(it, 'media.picture')
    await it.deps.traces?.close()
    const [job] = named('job media.picture')
    const request = collector.spans.find(({ spanId }) => spanId === job?.parentSpanId)
    expect(request?.name).toMatch(/^POST \/api\/post\//)
    expect(request?.parentSpanId).toBe('')
    expect(new Set([job, request].map((span) => span?.traceId)).size).toBe(1)
    const steps = job ? childrenOf(job) : []
    expect(steps.find(({ name }) => name === 'media image')?.attributes).toMatchObject({
      'todoke.media.kind': 'image',
      'todoke.media.outcome': 'made',
    })
    const put = steps.find(({ name }) => name === 'PutObject')
    expect(put?.attributes).toMatchObject({ 'rpc.method': 'PutObject', 'http.response.status_code': 200 })
    expect(put?.traceId).toBe(request?.traceId)
    const statements = steps.map((span) => span.attributes['db.query.text'])
    expect(statements).toContainEqual(expect.stringContaining('"media"'))
  })
})

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  test.skipIf(!available)('statements belong to their request, also while the pool is full', async () => {
    const it = await open({ database: kind })
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        jobOf(it, `job${n}`, async () => {
          await it.database.executeSql(`select ${n} as a${n}`)
          await it.database.db.transaction(async (tx) => void (await tx.execute(`select 'x' as b${n}`)))
        }),
      ),
    )
    await it.deps.traces?.close()
    for (let n = 0; n < 40; n++) {
      const [job] = named(`job job${n}`)
      const texts = job && childrenOf(job).map((span) => span.attributes['db.query.text'])
      expect(texts).toContain(`select ? as a${n}`)
      expect(texts).toContain(`select ? as b${n}`)
    }
    expect(collector.spans.filter((span) => span.parentSpanId === '').length).toBe(40)
  })
})

test('a job that a job enqueues has a trace of its own, with a link to the other', async () => {
  const it = await open()
  const { jobs, traces, db } = it.deps
  await jobs.work('post.released', 1, async () => {
    await db.transaction((tx) => jobs.enqueue(tx, 'media.compare', { postId: 'second' }))
  })
  const received: unknown[] = []
  await jobs.work('media.compare', 1, async (data) => void received.push(data))
  await traces?.job('first', {}, () =>
    db.transaction((tx) => jobs.enqueue(tx, 'post.released', { postId: 'first' })),
  )
  jobs.wake('post.released')
  const first = await collector.until(({ name }) => name === 'job post.released')
  const second = await collector.until(({ name }) => name === 'job media.compare')
  expect(second.traceId).not.toBe(first.traceId)
  expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }])
  // Handlers get the data of their kind alone.
  expect(received).toEqual([{ postId: 'second' }])
})

const secrets = {
  query: 'himitsu-query',
  token: 'himitsu-token-0123456789-0123456789-01234567',
  password: 'HimitsuNoKotoba',
  email: 'hanako.yamada@secret.example',
  agent: 'himitsu-agent',
  address: '203.0.113.77',
  text: '秘密の詩',
}

test('no span has an id, a path, a query, a token, an address or a text of a person', async () => {
  const it = await open({ settings: { trustProxy: compileTrust('1') } })
  const me = await signUp(it)
  const headers = {
    'user-agent': secrets.agent,
    'x-forwarded-for': secrets.address,
    baggage: `person=${me.id}`,
    tracestate: `a=${secrets.token}`,
    cookie: `${AUTH_COOKIE}=Bearer%20${me.token}; other=${secrets.token}`,
  }
  const query = `?q=${secrets.query}&token=${secrets.token}`
  const other = await signUp(it)
  await call(it, me, 'GET', `/posts/${me.id}${query}`, undefined, headers)
  await call(it, me, 'GET', `/search${query}`, undefined, headers)
  await call(it, null, 'POST', '/auth/sign-in', { email: secrets.email, password: secrets.password }, headers)
  await call(it, me, 'POST', `/conversations/${other.id}/messages`, { id: newId(), content: secrets.text })
  await it.app.inject({ url: `/${secrets.query}/${me.id}${query}`, headers })
  const fails = () => it.database.executeSql(`select '${secrets.password}', 1 / 0`)
  await expect(it.deps.traces?.job('failing', {}, fails)).rejects.toThrow('zero')
  await it.deps.traces?.close()
  expect(named('POST /api/auth/sign-in')).toHaveLength(1)
  expect(named('GET /api/posts/:post_id')).toHaveLength(1)
  expect(named('job failing')[0]).toMatchObject({
    status: { code: 2, message: '' },
    attributes: { 'error.type': '22012' },
  })
  const people = [me.id, other.id, me.token, me.email, PASSWORD]
  for (const hidden of [...Object.values(secrets), ...people])
    expect([hidden, collector.text().includes(hidden)]).toEqual([hidden, false])
  const names = new Set(collector.spans.flatMap((span) => Object.keys(span.attributes)))
  expect([...names].filter((name) => !(allowedAttributes as readonly string[]).includes(name))).toEqual([])
  expect(collector.spans.flatMap((span) => span.events)).toEqual([])
})

test('each line of a request has its trace, and the trace the id that the reply shows', async () => {
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const it = await open({ settings: { logLevel: 'trace', logTo } })
  const reply = await call(it, null, 'GET', `/posts/${newId()}`)
  await it.deps.traces?.close()
  const [span] = named('GET /api/posts/:post_id')
  expect(span?.attributes).toMatchObject({
    'todoke.request.id': reply.headers['x-request-id'],
    'http.request.method': 'GET',
    'http.route': '/api/posts/:post_id',
    'http.response.status_code': 401,
  })
  const own = lines
    .map((line) => JSON.parse(line) as { reqId?: string; traceId?: string })
    .filter(({ reqId }) => reqId === reply.headers['x-request-id'])
  expect(own.length).toBeGreaterThan(2)
  expect(new Set(own.map(({ traceId }) => traceId))).toEqual(new Set([span?.traceId]))
})

describe('a trace that a request names', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const given = '4bf92f3577b34da6a3ce929d0e0e4736'
  test.each([
    ['is not taken over', false, '1', traceparent, false],
    ['is taken over from a trusted proxy, where the operator says so', true, '1', traceparent, true],
    ['is not taken over from another sender', true, '10.0.0.0/8', traceparent, false],
    ['is ignored in another form', true, '1', `${traceparent}-more`, false],
    ['is ignored without an id', true, '1', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, false],
  ])('%s', async (_, tracesFromProxy, proxy, header, isTaken) => {
    const it = await open({ settings: { tracesFromProxy, trustProxy: compileTrust(proxy) } })
    await call(it, null, 'GET', '/operator', undefined, { traceparent: header })
    await it.deps.traces?.close()
    const [span] = named('GET /api/operator')
    expect([span?.traceId === given, span?.parentSpanId !== '']).toEqual([isTaken, isTaken])
  })
})

test.each([
  ['always_off', 1],
  ['traceidratio', 0],
] as const)('with the sampler %s and %d nothing is sent', async (sampler, ratio) => {
  const it = await open({}, { sampler, ratio })
  await call(it, null, 'GET', '/operator')
  await it.deps.traces?.close()
  expect(collector.requests()).toBe(0)
})

test('probes and scrapes have no spans', async () => {
  const it = await open()
  for (const url of ['/api/health', '/api/health/live', '/api/health/ready', '/metrics'])
    await it.app.inject({ url })
  await call(it, null, 'GET', '/operator')
  await it.deps.traces?.close()
  expect(collector.spans.filter((span) => span.parentSpanId === '').map((span) => span.name)).toEqual([
    'GET /api/operator',
  ])
})

describe('a collector that never replies', () => {
  let silent: Collector
  beforeEach(async () => {
    silent = await openCollector(false)
  })
  afterAll(() => silent.close())

  test('holds up neither requests nor the stop', async () => {
    const it = await open({ parts: { traces: tracesTo(silent) } })
    for (let i = 0; i < 700; i++) expect((await call(it, null, 'GET', '/operator')).statusCode).toBe(200)
    await expect.poll(silent.requests).toBeGreaterThan(0)
    expect((await call(it, null, 'GET', '/operator')).statusCode).toBe(200)
    await it.deps.traces?.close()
  })
})

test('a collector that is gone is reported once', async () => {
  const failures: unknown[] = []
  const traces = tracesTo({ endpoint: 'http://127.0.0.1:1' }, {}, (why) => void failures.push(why))
  const it = await open({ parts: { traces } })
  expect((await call(it, null, 'GET', '/operator')).statusCode).toBe(200)
  await expect.poll(() => failures.length).toBe(1)
})

test('a server that is stopped sends what it has', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-traces-'))
  await fillDataFolder(dataDir)
  const server = await startServer({ DATA_DIR: dataDir, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  expect((await fetch(`${server.origin}/api/operator`)).status).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(named('GET /api/operator')).toHaveLength(1)
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)
