// The client: builds requests from endpoints, and parses responses by their origin.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { buildRequest, readReply, sendRequest, type ApiRequest } from './client.ts'
import { endpoint } from './endpoint.ts'

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
const base = 'https://todoke.test/api'

describe('the request of a call', () => {
  test('has its params and its query in the address, percent-encoded; undefined values are left out', () => {
    const input = { params: { id: 'a/b?c' }, query: { page: 2, word: undefined, name: '絵 本' } }
    const { url, method, body } = buildRequest(readThing, input, { base })
    expect(url).toBe(`${base}/things/a%2Fb%3Fc?page=2&name=%E7%B5%B5+%E6%9C%AC`)
    expect([method, body]).toEqual(['GET', undefined])
  })
  test('has no question mark without a query', () => {
    const input = { params: { id: '1' }, query: { word: undefined } }
    expect(buildRequest(readThing, input, { base }).url).toBe(`${base}/things/1`)
  })
  test('is not built without a value for each part of its path', () => {
    expect(() => buildRequest(readThing, {}, { base })).toThrow(TypeError)
  })
  test('has the session’s token, and none without a session', () => {
    const signed = buildRequest(makeThing, {}, { base, token: 'abc' })
    expect(signed.headers).toEqual({ Accept: 'application/json', Authorization: 'Bearer abc' })
    expect(buildRequest(makeThing, {}, { base }).headers).toEqual({ Accept: 'application/json' })
  })
  test('has a JSON body with its content type', () => {
    const { body, headers } = buildRequest(makeThing, { body: { name: '絵' } }, { base })
    expect(body).toBe('{"name":"絵"}')
    expect(headers).toMatchObject({ 'Content-Type': 'application/json' })
  })
  test('has a form unchanged, and leaves its content type to the browser', () => {
    const form = new FormData()
    const { body, headers } = buildRequest(makeThing, { body: form }, { base })
    expect(body).toBe(form)
    expect(headers).not.toHaveProperty('Content-Type')
  })
  test('encodes the fields of an endpoint that takes a form', () => {
    const sendFields = { ...makeThing, encoding: 'form' as const }
    const { body, headers } = buildRequest(sendFields, { body: { name: 'a b&c' } }, { base })
    expect(body).toBeInstanceOf(URLSearchParams)
    expect(String(body)).toBe('name=a+b%26c')
    expect(headers).not.toHaveProperty('Content-Type')
  })
  test('has further headers, which replace none of the contract', () => {
    const headers = { 'Idempotency-Key': 'k', Authorization: 'Bearer other' }
    const built = buildRequest(makeThing, {}, { base, token: 'abc', headers })
    expect(built.headers).toMatchObject({ 'Idempotency-Key': 'k', Authorization: 'Bearer abc' })
  })
})

const request: ApiRequest = { url: `${base}/things`, method: 'POST', headers: { 'X-A': 'a' }, body: 'b' }

/** A network with one response, which records the requests. */
function network(response: (id: string | null) => Response | Promise<Response>) {
  const sent: { url: string; init: RequestInit }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    return response(new Headers(init.headers).get('Todoke-Request'))
  }
  return { fetch, sent }
}

const ok = (headers: Record<string, string> = {}) => new Response('{"id":"1"}', { headers })

describe('sending', () => {
  test('reads the response whole', async () => {
    const { fetch, sent } = network(
      () => new Response('{"id":"1"}', { status: 201, headers: { 'X-B': 'b' } }),
    )
    const response = await sendRequest(fetch, request)
    expect([response.status, response.body, response.header('X-B'), response.header('X-C')]).toEqual([
      201,
      '{"id":"1"}',
      'b',
      null,
    ])
    expect(sent[0]).toMatchObject({
      url: request.url,
      init: { method: 'POST', body: 'b', headers: { 'X-A': 'a' }, cache: 'no-store', redirect: 'manual' },
    })
  })
  test('passes the signal and keepalive on', async () => {
    const { fetch, sent } = network(() => ok())
    const { signal } = new AbortController()
    await sendRequest(fetch, request, { signal, keepalive: true })
    expect(sent[0]?.init.signal).toBe(signal)
    expect(sent[0]?.init.keepalive).toBe(true)
  })
  test('names each request, and accepts a response that names it or none', async () => {
    const echo = network((id) => ok({ 'Todoke-Request': id ?? '' }))
    const older = network(() => ok())
    for (const { fetch, sent } of [echo, older]) {
      await sendRequest(fetch, request)
      const { status } = await sendRequest(fetch, request)
      expect(status).toBe(200)
      const ids = sent.map(({ init }) => new Headers(init.headers).get('Todoke-Request'))
      expect(ids[0]).toMatch(/^[\w-]{1,64}$/)
      expect(ids[1]).not.toBe(ids[0])
    }
  })
  test('a response to another request is foreign', async () => {
    const { fetch } = network(() => ok({ 'Todoke-Request': 'another', 'Todoke-Answer': '1' }))
    const response = await sendRequest(fetch, request)
    expect(response).toMatchObject({ status: 0, body: '' })
    expect(readReply(makeThing, response)).toEqual({ is: 'foreign' })
  })
  test('a server of the specification alone receives none of our headers', async () => {
    const { fetch, sent } = network(() => ok({ 'Todoke-Request': 'another' }))
    await sendRequest(fetch, request, { server: 'specification' })
    expect(new Headers(sent[0]?.init.headers).has('Todoke-Request')).toBe(false)
  })
  test('throws the error of a broken connection, also in the middle of the response', async () => {
    const broken = new TypeError('broken')
    const body = new ReadableStream({ pull: (control) => control.error(broken) })
    await expect(sendRequest(network(() => Promise.reject(broken)).fetch, request)).rejects.toBe(broken)
    await expect(sendRequest(network(() => new Response(body)).fetch, request)).rejects.toBe(broken)
  })
})

describe('reading', () => {
  const answered = (status: number, body: unknown, own = false) => ({
    status,
    body: JSON.stringify(body),
    header: (name: string) => (own && name === 'Todoke-Answer' ? '1' : null),
  })
  test('returns the reply, parsed by the endpoint’s schema', () => {
    const json = { id: '1', more: true }
    expect(readReply(makeThing, answered(200, json))).toEqual({ is: 'reply', value: { id: '1' }, json })
  })
  test('reads a refusal in our format with its code and fields', () => {
    const body = { error: { code: 'invalid', fields: { name: 'required' } } }
    const refusal = { is: 'refusal', status: 422, code: 'invalid', fields: { name: 'required' } }
    expect(readReply(makeThing, answered(422, body))).toEqual(refusal)
  })
  test('a reply that does not fit the schema is unreadable from our server, and foreign from another', () => {
    expect(readReply(makeThing, answered(200, { id: 5 }, true)).is).toBe('unreadable')
    expect(readReply(makeThing, answered(200, { id: 5 })).is).toBe('foreign')
  })
  test('a server of the specification alone is recognized by its status', () => {
    expect(readReply(makeThing, answered(404, 'no'), 'specification')).toMatchObject({ is: 'refusal' })
    expect(readReply(makeThing, answered(404, 'no')).is).toBe('foreign')
  })
})
