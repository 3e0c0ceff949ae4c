// Calling endpoints: retries, errors as codes, replies that are parsed.
import * as v from 'valibot'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoint } from '#contract/endpoint.ts'
import { ApiFailure, createCall, isMissing, isUnanswered } from './api.ts'

const readThing = endpoint({
  name: 'readThing',
  method: 'GET',
  path: '/things/:id',
  audience: 'open',
  summary: '',
  params: v.object({ id: v.string() }),
  query: v.object({ page: v.optional(v.number()), word: v.optional(v.string()) }),
  reply: v.object({ name: v.string() }),
  errors: [],
})
const makeThing = endpoint({
  name: 'makeThing',
  method: 'POST',
  path: '/things',
  audience: 'member',
  summary: '',
  body: v.object({ name: v.string() }),
  reply: v.object({ id: v.string() }),
  errors: [],
})

const sendThing = endpoint({ ...makeThing, name: 'sendThing', encoding: 'multipart', body: v.object({}) })

type ReplyOrError = Response | Error

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })
const refusal = (status: number, code: string, fields?: Record<string, string>) =>
  json(status, { error: { code, ...(fields && { fields }) } })

/** A server with these replies, one per request. */
function serverWith(...answers: ReplyOrError[]) {
  return serverWithDeviceToken(undefined, ...answers)
}

function serverWithDeviceToken(device: string | undefined, ...answers: ReplyOrError[]) {
  const requests: { url: string; init: RequestInit }[] = []
  const refused: string[] = []
  const ports: Parameters<typeof createCall>[0] = {
    fetch: async (url, init) => {
      requests.push({ url, init })
      const answer = answers[requests.length - 1]
      if (!answer) throw new Error('one request too many')
      if (answer instanceof Error) throw answer
      return answer
    },
    base: '/api',
    token: () => 'abc',
    renewed: async (token) => (device === token ? undefined : device),
    refused: () => refused.push('refused'),
  }
  return { call: createCall(ports), ports, requests, refused }
}

async function failureOf(work: Promise<unknown>): Promise<ApiFailure> {
  try {
    await work
  } catch (error) {
    if (error instanceof ApiFailure) return error
    throw error
  }
  throw new Error('nothing failed')
}

describe('a request', () => {
  test('names its endpoint with params and query, and carries the token', async () => {
    const { call, requests } = serverWith(json(200, { name: '絵' }))
    expect(await call(readThing, { params: { id: 'a/b' }, query: { page: 2 } })).toEqual({
      name: '絵',
    })
    expect(requests[0]?.url).toBe('/api/things/a%2Fb?page=2')
    expect(requests[0]?.init).toMatchObject({ method: 'GET', headers: { Authorization: 'Bearer abc' } })
    expect(requests[0]?.init.body).toBeUndefined()
  })
  test('has the method and the path that the build configures', async () => {
    const { requests, ports } = serverWith(json(200, { id: '1' }))
    const call = createCall({ ...ports, calls: { makeThing: { method: 'PUT', path: '/configured' } } })
    await call(makeThing, { body: { name: '絵' } })
    expect(requests[0]).toMatchObject({
      url: '/api/configured',
      init: { method: 'PUT', body: '{"name":"絵"}' },
    })
  })
  test('sends its body as JSON', async () => {
    const { call, requests } = serverWith(json(200, { id: '1' }))
    await call(makeThing, { body: { name: '絵' } })
    expect(requests[0]?.init.body).toBe('{"name":"絵"}')
    expect(requests[0]?.init.headers).toMatchObject({ 'Content-Type': 'application/json' })
  })
  test('sends a form as it is, with the content type that the browser sets', async () => {
    const { call, requests } = serverWith(json(200, { id: '1' }))
    const form = new FormData()
    await call(sendThing, { body: form })
    expect(requests[0]?.init.body).toBe(form)
    expect(requests[0]?.init.headers).not.toHaveProperty('Content-Type')
  })
})

describe('a GET', () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504])('answered %d is sent once more', async (status) => {
    const { call, requests } = serverWith(new Response(null, { status }), json(200, { name: '絵' }))
    expect(await call(readThing, { params: { id: '1' }, query: {} })).toEqual({ name: '絵' })
    expect(requests).toHaveLength(2)
  })
  test('waits for Retry-After before it is sent again, and ends with the page', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const busy = () => new Response(null, { status: 503, headers: { 'Retry-After': '7' } })
    const { call, requests } = serverWith(busy(), json(200, { name: '絵' }))
    const reply = call(readThing, { params: { id: '1' }, query: {} })
    await vi.advanceTimersByTimeAsync(6999)
    expect(requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await reply).toEqual({ name: '絵' })

    const left = new AbortController()
    const other = serverWith(busy())
    const abandoned = other.call(readThing, { params: { id: '1' }, query: {} }, left.signal)
    await vi.advanceTimersByTimeAsync(1000)
    left.abort(new Error('left'))
    await expect(abandoned).rejects.toThrow('left')
    expect(other.requests).toHaveLength(1)
  })
  test('is not sent a third time', async () => {
    const { call, requests } = serverWith(refusal(503, 'unavailable'), refusal(503, 'unavailable'))
    const failure = await failureOf(call(readThing, { params: { id: '1' }, query: {} }))
    expect(failure).toMatchObject({ code: 'unavailable', status: 503 })
    expect(requests).toHaveLength(2)
  })
  test.each([400, 401, 403, 404, 410, 422])('answered %d is not repeated', async (status) => {
    const { call, requests } = serverWith(refusal(status, 'not_found'))
    await failureOf(call(readThing, { params: { id: '1' }, query: {} }))
    expect(requests).toHaveLength(1)
  })
  test('without two replies fails as offline', async () => {
    const { call, requests } = serverWith(new TypeError('no network'), new TypeError('no network'))
    const failure = await failureOf(call(readThing, { params: { id: '1' }, query: {} }))
    expect(failure).toMatchObject({ code: 'offline', status: 0 })
    expect(requests).toHaveLength(2)
  })
  test('that its caller aborted rejects with the reason of the abort', async () => {
    const controller = new AbortController()
    controller.abort()
    const gone = new DOMException('gone', 'AbortError')
    const { call, requests } = serverWith(gone)
    await expect(call(readThing, { params: { id: '1' }, query: {} }, controller.signal)).rejects.toBe(gone)
    expect(requests).toHaveLength(1)
  })
})

describe('a POST', () => {
  test('is never repeated', async () => {
    const { call, requests } = serverWith(refusal(503, 'unavailable'))
    const failure = await failureOf(call(makeThing, { body: { name: '絵' } }))
    expect(failure.code).toBe('unavailable')
    expect(requests).toHaveLength(1)
  })
  test('without a reply fails as offline at once', async () => {
    const { call, requests } = serverWith(new TypeError('no network'))
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('offline')
    expect(requests).toHaveLength(1)
  })
})

describe('a token that another tab has exchanged', () => {
  test('is replaced by the new one, and the request is repeated once', async () => {
    const { call, requests, refused } = serverWithDeviceToken(
      'neu',
      refusal(401, 'unauthenticated'),
      json(200, { id: '1' }),
    )
    expect(await call(makeThing, { body: { name: '絵' } })).toEqual({ id: '1' })
    const sent = requests.map(({ init }) => (init.headers as Record<string, string>)['Authorization'])
    expect(sent).toEqual(['Bearer abc', 'Bearer neu'])
    expect(requests[1]?.init.body).toBe('{"name":"絵"}')
    expect(refused).toEqual([])
  })
  test('is reported as refused when the new one is refused too', async () => {
    const answers = [refusal(401, 'unauthenticated'), refusal(401, 'unauthenticated')]
    const { call, requests, refused } = serverWithDeviceToken('neu', ...answers)
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('unauthenticated')
    expect([requests.length, refused.length]).toEqual([2, 1])
  })
  test('is not tried after a wrong password', async () => {
    const { call, requests } = serverWithDeviceToken('neu', refusal(401, 'wrong_credentials'))
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('wrong_credentials')
    expect(requests).toHaveLength(1)
  })
})

describe('a refusal', () => {
  test('has its code and its fields', async () => {
    const { call } = serverWith(refusal(422, 'invalid', { name: 'required' }))
    const failure = await failureOf(call(makeThing, { body: { name: '' } }))
    expect(failure).toMatchObject({ code: 'invalid', status: 422, fields: { name: 'required' } })
  })
  test('of the token is reported, a wrong password is not', async () => {
    const { call, refused } = serverWith(refusal(401, 'wrong_credentials'), refusal(401, 'unauthenticated'))
    await failureOf(call(makeThing, { body: { name: '' } }))
    expect(refused).toEqual([])
    await failureOf(call(makeThing, { body: { name: '' } }))
    expect(refused).toEqual(['refused'])
  })
  test('because the account waits for its deletion is reported', async () => {
    const { call, refused } = serverWith(refusal(403, 'leaving'), refusal(403, 'forbidden'))
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('leaving')
    await failureOf(call(makeThing, { body: { name: '' } }))
    expect(refused).toEqual(['refused'])
  })
  test('because the account was suspended is reported', async () => {
    const { call, refused } = serverWith(refusal(403, 'suspended'))
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('suspended')
    expect(refused).toEqual(['refused'])
  })
})

const page = (status: number, type = 'text/html') =>
  new Response('<h1>Wi-Fi</h1>', { status, headers: { 'Content-Type': type } })
const redirect = () => Response.redirect('https://portal.example/login', 302)
const signed = (status: number, body: string | null, name = 'Todoke-Answer') =>
  new Response(body, { status, headers: { [name]: '1' } })

describe('a reply that is not from the server', () => {
  test.each([200, 302, 401, 403, 404, 410, 418, 502])(
    'with a page and the status %i neither signs the person out nor removes data',
    async (status) => {
      const { call, refused } = serverWith(page(status), page(status))
      const failure = await failureOf(call(readThing, { params: { id: '1' }, query: {} }))
      expect(failure).toMatchObject({ code: 'foreign', status: 0 })
      expect([isMissing(failure), isUnanswered(failure), refused]).toEqual([false, true, []])
    },
  )
  test('may be JSON of another form, or a redirect, which is not followed', async () => {
    const { call, requests } = serverWith(
      json(403, { message: 'no' }),
      json(200, { name: 5 }),
      json(404, 'no'),
    )
    for (let n = 0; n < 3; n++)
      expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('foreign')
    expect(requests.map(({ init }) => init.redirect)).toEqual(['manual', 'manual', 'manual'])
  })
  test('renews no token', async () => {
    const { call, requests } = serverWithDeviceToken('neu', page(401))
    expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('foreign')
    expect(requests).toHaveLength(1)
  })
})

test.each([signed(200, '{"name":5}'), signed(200, '{"other":1}', 'Tus-Resumable')])(
  'a reply of the server that does not match its schema is not used',
  async (answer) => {
    const { call } = serverWith(answer)
    const failure = await failureOf(call(readThing, { params: { id: '1' }, query: {} }))
    expect(failure).toMatchObject({ code: 'unreadable', status: 200 })
  },
)

test('an unknown error code is replaced by the code of its status', async () => {
  const { call } = serverWith(signed(403, '{"error":{"code":"not_on_sundays"}}'))
  expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe('forbidden')
})

test('a server of the specification alone is read by its status', async () => {
  const answers = [json(401, { message: 'no' }), new Response(null, { status: 404 }), page(404)]
  const call = createCall({
    fetch: async () => answers.shift() ?? redirect(),
    base: '/api',
    server: 'specification',
    token: () => 'abc',
    renewed: async () => undefined,
    refused: () => {},
  })
  const codes = ['unauthenticated', 'not_found', 'foreign', 'foreign']
  for (const code of codes) expect((await failureOf(call(makeThing, { body: { name: '' } }))).code).toBe(code)
})

test('a missing or deleted thing, or an invalid id, counts as missing; an unreachable server does not', () => {
  for (const code of ['not_found', 'gone', 'invalid'] as const)
    expect(isMissing(new ApiFailure(code, 404))).toBe(true)
  for (const code of ['offline', 'internal'] as const) expect(isMissing(new ApiFailure(code, 0))).toBe(false)
  expect(isMissing(new Error('else'))).toBe(false)
})
