// The body of an upload request: a lost connection loses none of its received bytes.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bodyOf, tusRequest } from './request.ts'

const incoming = () => {
  const raw = new PassThrough({ highWaterMark: 64 * 1024 })
  return { raw, body: bodyOf(raw as unknown as IncomingMessage) }
}

async function read(stream: ReadableStream<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('bytes that arrived before the connection was lost are all read after it', async () => {
  const { raw, body } = incoming()
  for (const part of ['届', 'き', 'ま', 'す']) raw.write(part)
  await setImmediate()
  raw.destroy(new Error('read ECONNRESET'))
  await setImmediate()
  expect(await read(body.stream)).toBe('届きます')
})

test('a slow reader makes the sender wait', async () => {
  const { raw, body } = incoming()
  let written = 0
  while (written < 500 && raw.write(Buffer.alloc(16 * 1024))) {
    written++
    await setImmediate()
  }
  expect(written * 16).toBeLessThan(512)
  body.discard()
})

test('bytes that arrive after the discarding are discarded too, however many', async () => {
  const { raw, body } = incoming()
  body.discard()
  for (let i = 0; i < 64; i++) raw.write(Buffer.alloc(16 * 1024))
  raw.end()
  await once(raw, 'end')
  expect(await read(body.stream)).toBe('')
})

test('@tus/server receives the method, all headers and the path without its query', () => {
  const raw = {
    method: 'POST',
    url: '/upload-chunking-2/a?token=x',
    headers: { host: 'evil.example', 'upload-length': '5', 'set-cookie': ['a=1', 'b=2'] },
  } as unknown as IncomingMessage
  const request = tusRequest(raw, undefined)
  expect([request.method, request.url, request.body]).toEqual([
    'POST',
    'http://localhost/upload-chunking-2/a',
    null,
  ])
  expect(Object.fromEntries(request.headers)).toEqual({
    host: 'evil.example',
    'upload-length': '5',
    'set-cookie': 'a=1,b=2',
  })
})

test('a discarded body is read to its end, so that the next request can follow', async () => {
  const { raw, body } = incoming()
  raw.end(Buffer.alloc(1024 * 1024))
  body.discard()
  await once(raw, 'end')
  expect(raw.readableLength).toBe(0)
})
