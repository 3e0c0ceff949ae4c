// Uploads over real connections: cut, stalled, resumed; and any tus client can talk to the server.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import { newId } from '#contract/ids.ts'
import { TUS_CHUNK } from '#contract/limits.ts'
import { type Member, noise, sha256, signUp, tus } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
beforeAll(async () => {
  world = await openWorld({ listen: true })
  owner = await signUp(world)
})
afterAll(() => world.close())

const bytesOf = (id: string) => readFile(world.deps.files.uploadPath(id))
const url = (id: string) => `${world.origin}/upload-chunking-2/${id}`
const headOf = async (id: string) => {
  const reply = await fetch(url(id), { method: 'HEAD', headers: { ...owner.auth, ...tus } })
  return Number(reply.headers.get('upload-offset'))
}

async function begun(length: number): Promise<string> {
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

/** A PATCH by hand: its head is sent, its body is ours to stop. */
async function patching(id: string, offset: number, length: number): Promise<net.Socket> {
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

async function standsAt(id: string, length: number): Promise<void> {
  await expect.poll(async () => (await bytesOf(id)).length, { timeout: 5000, interval: 20 }).toBe(length)
}

test('a connection that dies in the middle of a chunk keeps every byte received', async () => {
  const bytes = noise(3_000_000)
  const id = await begun(bytes.length)
  const socket = await patching(id, 0, bytes.length)
  socket.write(bytes.subarray(0, 1_234_567))
  await standsAt(id, 1_234_567)
  socket.destroy()
  expect(await headOf(id)).toBe(1_234_567)
  expect((await bytesOf(id)).equals(bytes.subarray(0, 1_234_567))).toBe(true)
})

test('while a chunk stalls, HEAD does not wait for it: its bytes are kept, and the chunk is let go', async () => {
  const bytes = noise(2_000_000)
  const id = await begun(bytes.length)
  const stalled = await patching(id, 0, bytes.length)
  stalled.write(bytes.subarray(0, 700_000))
  await standsAt(id, 700_000)
  const closed = once(stalled, 'close')
  let answered = ''
  stalled.on('data', (text) => (answered += String(text)))
  const asked = performance.now()
  expect(await headOf(id)).toBe(700_000)
  // How soon is measured by the bench, on a machine that does nothing else; the stall itself lasts two minutes.
  expect(performance.now() - asked).toBeLessThan(10_000)
  await closed
  expect(answered).toMatch(/^HTTP\/1\.1 204 /)
  expect(answered).toMatch(/^upload-offset: 700000\r$/im)
  expect(answered).toMatch(/^connection: close\r$/im)
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

test('the same chunk sent twice at once lands once', async () => {
  const bytes = noise(1_000_000)
  const id = await begun(bytes.length)
  const first = await patching(id, 0, bytes.length)
  first.write(bytes.subarray(0, 400_000))
  await standsAt(id, 400_000)
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
    () => 'cut',
  )
  // The refusal may reach the client or be overtaken by the closing of its connection; the bytes are what counts.
  if (second !== 'cut') expect(second).toEqual([409, { error: { code: 'offset_mismatch' } }])
  expect(await headOf(id)).toBe(400_000)
  first.destroy()
})

test('a body that does not say its length is taken no further than the upload’s', async () => {
  const id = await begun(1000)
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
  expect(await headOf(id)).toBe(600)
})

test('a body that does not say its length may fill the upload to its last byte', async () => {
  const id = await begun(600)
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
  const id = await begun(1000)
  const socket = await patching(id, 0, 1001)
  const answered = String((await once(socket, 'data'))[0])
  expect(answered).toMatch(/^HTTP\/1\.1 413 /)
  expect(answered).toContain('"too_large"')
  expect(await headOf(id)).toBe(0)
  socket.destroy()
})

test('a chunk that trickles is not cut off', async () => {
  const bytes = noise(4000)
  const id = await begun(bytes.length)
  const socket = await patching(id, 0, bytes.length)
  const answered = once(socket, 'data')
  for (let at = 0; at < bytes.length; at += 1000) {
    socket.write(bytes.subarray(at, at + 1000))
    await standsAt(id, at + 1000)
  }
  expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 204/)
  socket.destroy()
})

test('tus-js-client uploads, is cut in the middle, and resumes; the bytes are the same', async () => {
  const bytes = noise(2 * TUS_CHUNK + 345_678)
  const send = (options: Partial<ConstructorParameters<typeof Upload>[1]>, cutAt?: number) =>
    new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${world.origin}/upload-chunking-2`,
        chunkSize: TUS_CHUNK,
        retryDelays: null,
        headers: owner.auth,
        metadata: { filename: 'video.mp4' },
        onProgress: (sent) => {
          if (cutAt === undefined || sent < cutAt) return
          void upload.abort().then(() => resolve(upload.url ?? ''))
        },
        onSuccess: () => resolve(upload.url ?? ''),
        onError: reject,
        ...options,
      })
      upload.start()
    })
  const begunUrl = await send({}, TUS_CHUNK + 2_000_000)
  const id = begunUrl.slice(-36)
  const kept = await headOf(id)
  expect(kept).toBeGreaterThanOrEqual(TUS_CHUNK)
  expect(kept).toBeLessThan(bytes.length)
  expect(await send({ uploadUrl: begunUrl, endpoint: null })).toBe(begunUrl)
  expect(sha256(await bytesOf(id)).equals(sha256(bytes))).toBe(true)
})
