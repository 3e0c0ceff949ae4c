// An overloaded server refuses requests of the API with 503, and loses nothing.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { PAYMENT_NOTICES_PATH, TUS_PATH } from '#contract/paths.ts'
import { call, errorOf, type Member, patch, signUp, tus } from '#server/testing/people/members.ts'
import { openScraped, scrape } from '#server/testing/scrape.ts'
import type { Deps } from '#server/deps.ts'
import type { World } from '#server/testing/world.ts'

const LIMIT = 500
let world: World
let me: Member
let late = 0
const eventLoop: Deps['eventLoop'] = {
  delay: () => ({ p50: 0, p99: late, max: late }),
  minutes: () => ({ delay: { p50: 0, p99: late, max: late }, utilisation: 1 }),
  late: () => late,
  close: () => undefined,
}
beforeAll(async () => {
  world = await openScraped({ settings: { overloadDelay: LIMIT }, parts: { eventLoop }, listen: true })
  me = await signUp(world)
})
afterAll(() => world.close())
beforeEach(() => void (late = 0))

test('above the limit, requests of the API are refused with a time to try again', async () => {
  late = LIMIT
  expect((await call(world, me, 'GET', '/posts')).statusCode).toBe(200)
  late = LIMIT + 1
  const refused = await call(world, me, 'GET', '/posts')
  expect([refused.statusCode, errorOf(refused).code]).toEqual([503, 'unavailable'])
  const after = Number(refused.headers['retry-after'])
  expect(Number.isInteger(after) && after >= 5 && after <= 10).toBe(true)
  // The app knows the refusal as one of this server, and repeats what its queue has.
  expect(refused.headers['todoke-answer']).toBe('1')
  late = 0
  expect((await call(world, me, 'GET', '/posts')).statusCode).toBe(200)
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a refused %s has the error of the API, as a refused GET has',
  async (method) => {
    late = LIMIT + 1
    const refused = await call(world, me, method, '/posts')
    expect([refused.statusCode, refused.json()]).toEqual([503, { error: { code: 'unavailable' } }])
  },
)

test('health, metrics, the app and notices of payments are answered', async () => {
  late = LIMIT + 1
  for (const path of ['/health', '/health/live', '/health/ready', '/health/live?probe=1'])
    expect([path, (await call(world, null, 'GET', path)).statusCode]).toEqual([path, 200])
  const before = (await scrape(world)).value('todoke_overload_refusals_total') ?? 0
  const unknown = await world.app.inject({ url: '/assets/unknown.js' })
  expect([unknown.statusCode, errorOf(unknown).code]).toEqual([404, 'not_found'])
  const notice = await world.app.inject({ method: 'POST', url: `${PAYMENT_NOTICES_PATH}/secret` })
  expect(notice.statusCode).not.toBe(503)
  expect((await call(world, null, 'GET', '/healthy')).statusCode).toBe(503)
  expect((await scrape(world)).value('todoke_overload_refusals_total')).toBe(before + 1)
})

test('an upload that was refused continues where it was', async () => {
  const [id, bytes] = [newId(), Buffer.alloc(300_000, 7)]
  await world.app.inject({
    method: 'POST',
    url: TUS_PATH,
    headers: {
      ...me.auth,
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `id ${Buffer.from(id).toString('base64')}`,
    },
  })
  await patch(world, me, id, 0, bytes.subarray(0, 100_000))
  late = LIMIT + 1
  const send = () =>
    fetch(`${world.origin}${TUS_PATH}/${id}`, {
      method: 'PATCH',
      headers: {
        ...me.auth,
        ...tus,
        'upload-offset': '100000',
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes.subarray(100_000),
    })
  expect((await send()).status).toBe(503)
  late = 0
  const head = await world.app.inject({
    method: 'HEAD',
    url: `${TUS_PATH}/${id}`,
    headers: { ...me.auth, ...tus },
  })
  expect(head.headers['upload-offset']).toBe('100000')
  const sent = await send()
  expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '300000'])
})
