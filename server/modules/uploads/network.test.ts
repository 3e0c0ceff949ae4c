// Uploads over real connections: interrupted, stalled and resumed, and by a tus client.
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import { newId } from '#contract/ids.ts'
import { TUS_CHUNK } from '#contract/limits.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Member, noise, sha256, signUp, tus } from '#server/testing/people/members.ts'
import { countReceived, storedBytes } from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
let receivedOf: ReturnType<typeof countReceived>
beforeAll(async () => {
  world = await openWorld({ listen: true })
  receivedOf = countReceived(world)
  owner = await signUp(world)
})
afterAll(() => world.close())

const bytesOf = (id: string) => storedBytes(world, id)
const url = (id: string) => `${world.origin}/upload-chunking-2/${id}`
const offsetOf = async (id: string) => {
  const reply = await fetch(url(id), { method: 'HEAD', headers: { ...owner.auth, ...tus } })
  return Number(reply.headers.get('upload-offset'))
}

async function begin(length: number): Promise<string> {
  const id = newId()
  const headers = {
    ...owner.auth,
    ...tus,
    'upload-length': String(length),
    'upload-metadata': `id ${btoa(id)}`,
  }
  await fetch(`${world.origin}/upload-chunking-2`, { method: 'POST', headers })
  return id
}

/** Sends the head of a PATCH on a socket of its own, on which the test then sends the body. */
async function openPatch(id: string, offset: number, length: number): Promise<net.Socket> {
  const { port } = new URL(world.origin)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(
    [
      `PATCH /upload-chunking-2/${id} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${owner.token}`,
      'Tus-Resumable: 1.0.0',
      `Upload-Offset: ${offset}`,
      'Content-Type: application/offset+octet-stream',
      `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n'),
  )
  return socket
}

async function waitForBytes(id: string, length: number): Promise<void> {
  await expect.poll(() => receivedOf(id)).toBe(length)
}

test('all bytes received before a connection is lost stay stored', async () => {
  const bytes = noise(3_000_000)
  const id = await begin(bytes.length)
  const socket = await openPatch(id, 0, bytes.length)
  socket.write(bytes.subarray(0, 1_234_567))
  await waitForBytes(id, 1_234_567)
  socket.destroy()
  expect(await offsetOf(id)).toBe(1_234_567)
  expect((await bytesOf(id)).equals(bytes.subarray(0, 1_234_567))).toBe(true)
})

test('HEAD does not wait for a stalled chunk: the stored bytes stay, and the chunk is ended', async () => {
  const bytes = noise(2_000_000)
  const id = await begin(bytes.length)
  const stalled = await openPatch(id, 0, bytes.length)
  stalled.write(bytes.subarray(0, 700_000))
  await waitForBytes(id, 700_000)
  const closed = once(stalled, 'close')
  let replyText = ''
  stalled.on('data', (text) => (replyText += String(text)))
  expect(await offsetOf(id)).toBe(700_000)
  await closed
  expect(replyText).toMatch(/^HTTP\/1\.1 204 /)
  expect(replyText).toMatch(/^upload-offset: 700000\r$/im)
  expect(replyText).toMatch(/^connection: close\r$/im)
  const rest = await fetch(url(id), {
    method: 'PATCH',
    headers: {
      ...owner.auth,
      ...tus,
      'upload-offset': '700000',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes.subarray(700_000)),
  })
  expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, '2000000'])
  expect(sha256(await bytesOf(id)).equals(sha256(bytes))).toBe(true)
})

test('the same chunk sent twice at once is stored once', async () => {
  const bytes = noise(1_000_000)
  const id = await begin(bytes.length)
  const first = await openPatch(id, 0, bytes.length)
  first.write(bytes.subarray(0, 400_000))
  await waitForBytes(id, 400_000)
  const second = await fetch(url(id), {
    method: 'PATCH',
    headers: {
      ...owner.auth,
      ...tus,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  }).then(
    async (reply) => [reply.status, await reply.json()],
    () => 'closed',
  )
  // The connection may close before the client reads the refusal, so only the stored bytes are certain.
  if (second !== 'closed') expect(second).toEqual([409, { error: { code: 'offset_mismatch' } }])
  expect(await offsetOf(id)).toBe(400_000)
  first.destroy()
})

test('a body without Content-Length is refused beyond the length of its upload', async () => {
  const id = await begin(1000)
  const body = new Blob([new Uint8Array(600)])
  const send = (offset: number) =>
    fetch(url(id), {
      method: 'PATCH',
      headers: {
        ...owner.auth,
        ...tus,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: body.stream(),
      duplex: 'half',
    })
  expect((await send(0)).headers.get('upload-offset')).toBe('600')
  const refused = await send(600)
  expect([refused.status, await refused.json()]).toEqual([413, { error: { code: 'too_large' } }])
  expect(await offsetOf(id)).toBe(600)
})

test('a body without Content-Length may fill its upload to the last byte', async () => {
  const id = await begin(600)
  const reply = await fetch(url(id), {
    method: 'PATCH',
    headers: {
      ...owner.auth,
      ...tus,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: new Blob([new Uint8Array(600)]).stream(),
    duplex: 'half',
  })
  expect([reply.status, reply.headers.get('upload-offset')]).toEqual([204, '600'])
})

test('a chunk that announces more bytes than the upload has left is too_large before its first byte', async () => {
  const id = await begin(1000)
  const socket = await openPatch(id, 0, 1001)
  const replyText = String((await once(socket, 'data'))[0])
  expect(replyText).toMatch(/^HTTP\/1\.1 413 /)
  expect(replyText).toContain('"too_large"')
  expect(await offsetOf(id)).toBe(0)
  socket.destroy()
})

test('a chunk that arrives slowly is not interrupted', async () => {
  const bytes = noise(4000)
  const id = await begin(bytes.length)
  const socket = await openPatch(id, 0, bytes.length)
  const firstData = once(socket, 'data')
  for (let at = 0; at < bytes.length; at += 1000) {
    socket.write(bytes.subarray(at, at + 1000))
    await waitForBytes(id, at + 1000)
  }
  expect(String((await firstData)[0])).toMatch(/^HTTP\/1.1 204/)
  socket.destroy()
})

test('an upload of tus-js-client that is aborted and resumed has the same bytes', async () => {
  const bytes = noise(2 * TUS_CHUNK + 345_678)
  const send = (options: Partial<ConstructorParameters<typeof Upload>[1]>, abortAt?: number) =>
    new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${world.origin}/upload-chunking-2`,
        chunkSize: TUS_CHUNK,
        retryDelays: null,
        headers: owner.auth,
        metadata: { filename: 'video.mp4' },
        onProgress: (sent) => {
          if (abortAt === undefined || sent < abortAt) return
          void upload.abort().then(() => resolve(defined(upload.url)))
        },
        onSuccess: () => resolve(defined(upload.url)),
        onError: reject,
        ...options,
      })
      upload.start()
    })
  const uploadUrl = await send({}, TUS_CHUNK + 2_000_000)
  const id = uploadUrl.slice(-36)
  const storedLength = await offsetOf(id)
  expect(storedLength).toBeGreaterThanOrEqual(TUS_CHUNK)
  expect(storedLength).toBeLessThan(bytes.length)
  expect(await send({ uploadUrl, endpoint: null })).toBe(uploadUrl)
  expect(sha256(await bytesOf(id)).equals(sha256(bytes))).toBe(true)
})
