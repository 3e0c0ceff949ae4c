// Numbered parts over real connections: cut off, stalled, and sent again meanwhile.
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { PART_BYTES, partPath } from '#contract/uploads/parts.ts'
import { contentDigest, type Headers, partsOf, splitInParts } from '#server/testing/media/parts.ts'
import { beginUpload } from '#server/testing/media/uploads.ts'
import { type Member, noise, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
let id: string
beforeAll(async () => {
  world = await openWorld({ listen: true })
  countTaken()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await signUp(world)
  id = await beginUpload(world, owner, bytes.length)
})

const bytes = noise(PART_BYTES + 1000)
const first = bytes.subarray(0, PART_BYTES)
const stored = async () => (await partsOf(world, owner, id)).stored

/** Bytes that the server has taken of the first part of each upload. */
const taken = new Map<string, number>()
const received = () => taken.get(id) ?? 0

function countTaken(): void {
  const { partBytes } = world.deps.storage
  const write = partBytes.write.bind(partBytes)
  partBytes.write = (part, from, { pieces, isChecked }) => {
    async function* counted() {
      for await (const parts of pieces) {
        yield parts
        for (const it of parts) if (part.no === 1) taken.set(part.id, (taken.get(part.id) ?? 0) + it.length)
      }
    }
    return write(part, from, { pieces: counted(), isChecked })
  }
}

/** Sends the head of a request for the first part on a socket of its own, on which the test then sends the body. */
async function openPut(headers: Headers = {}): Promise<net.Socket> {
  const { port } = new URL(world.origin)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const all = { ...owner.auth, host: '127.0.0.1', 'content-length': String(first.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write([`PUT ${partPath(id, 1)} HTTP/1.1`, ...lines, '\r\n'].join('\r\n'))
  return socket
}

const put = (no: number, headers: Headers = {}) => {
  const body = defined(splitInParts(id, bytes)[no - 1]).payload
  return fetch(world.origin + partPath(id, no), {
    method: 'PUT',
    headers: { ...owner.auth, ...headers },
    body: new Uint8Array(body),
  })
}

test('bytes that arrived before a connection was cut stay, and the part goes on after them', async () => {
  const socket = await openPut()
  socket.write(first.subarray(0, 1_234_567))
  await expect.poll(received).toBe(1_234_567)
  socket.destroy()
  await expect.poll(stored).toEqual([1_234_567, 0])
  const rest = await fetch(world.origin + partPath(id, 1), {
    method: 'PUT',
    headers: { ...owner.auth, 'upload-offset': '1234567' },
    body: new Uint8Array(first.subarray(1_234_567)),
  })
  expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(PART_BYTES)])
  await put(2)
  expect(await partsOf(world, owner, id)).toMatchObject({ finished: true })
})

test('of a body with a digest that was cut nothing counts: what arrived cannot be checked', async () => {
  const socket = await openPut(contentDigest(first))
  socket.write(first.subarray(0, 1_234_567))
  await expect.poll(received).toBe(1_234_567)
  socket.destroy()
  await expect.poll(() => world.deps.uploadLocks.withLock(`${id}.1`, stored)).toEqual([0, 0])
  expect((await put(1, contentDigest(first))).status).toBe(204)
  expect(await stored()).toEqual([PART_BYTES, 0])
})

test('a stalled request is ended by a newer one for its part, and by none for another part', async () => {
  const socket = await openPut()
  socket.write(first.subarray(0, 500_000))
  await expect.poll(received).toBe(500_000)
  expect((await put(2)).status).toBe(204)
  expect(await stored()).toEqual([0, 1000])
  expect((await put(1)).status).toBe(204)
  expect(await stored()).toEqual([PART_BYTES, 1000])
  socket.destroy()
})
