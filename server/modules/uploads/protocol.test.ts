// The resumable protocol, request by request (specification section 7).
// The upload queue of the device relies on these replies.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { errorOf, head, type Member, patch, signUp, tus } from '#server/testing/people/members.ts'
import {
  beginUpload,
  createUpload,
  metadataOf,
  offsetOf,
  removeUploadOf,
  storedBytes,
} from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
let other: Member
beforeAll(async () => {
  world = await openWorld({ settings: { corsOrigins: ['https://app.example'] } })
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await signUp(world)
  other = await signUp(world)
})

const create = (as: Member | null, headers: Record<string, string>) => createUpload(world, as, headers)
const remove = (as: Member, id: string) => removeUploadOf(world, as, id)
const bytesOf = (id: string) => storedBytes(world, id)
const offset = (id: string) => offsetOf(world, owner, id)
const begin = (length?: number) => beginUpload(world, owner, length)

describe('creating', () => {
  test('uses the id that the device chose', async () => {
    const id = newId()
    const reply = await create(owner, { 'upload-length': '10', 'upload-metadata': metadataOf(id) })
    expect([reply.statusCode, reply.headers['location']]).toEqual([201, `/upload-chunking-2/${id}`])
    expect((await head(world, owner, id)).headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '10',
    })
  })

  test('makes an id for a client that chooses none', async () => {
    const reply = await create(owner, { 'upload-length': '10' })
    expect(reply.headers['location']).toMatch(/^\/upload-chunking-2\/[0-9a-f-]{36}$/)
  })

  test('with an id that is no UUID is invalid', async () => {
    const reply = await create(owner, { 'upload-length': '10', 'upload-metadata': metadataOf('../../etc') })
    expect([reply.statusCode, errorOf(reply)]).toEqual([
      422,
      { code: 'invalid', fields: { id: 'malformed' } },
    ])
  })

  test('over an upload of the same member is upload_exists and changes no byte', async () => {
    const id = await begin()
    await patch(world, owner, id, 0, Buffer.from('12345'))
    const reply = await create(owner, { 'upload-length': '99', 'upload-metadata': metadataOf(id) })
    expect([reply.statusCode, errorOf(reply)]).toEqual([409, { code: 'upload_exists' }])
    expect((await bytesOf(id)).toString()).toBe('12345')
    expect((await head(world, owner, id)).headers).toMatchObject({
      'upload-offset': '5',
      'upload-length': '10',
    })
  })

  test('over another member’s upload is not_found and changes no byte', async () => {
    const id = await begin()
    await patch(world, owner, id, 0, Buffer.from('12345'))
    const reply = await create(other, { 'upload-length': '10', 'upload-metadata': metadataOf(id) })
    expect([reply.statusCode, errorOf(reply)]).toEqual([404, { code: 'not_found' }])
    expect((await bytesOf(id)).toString()).toBe('12345')
  })

  test('ten times at once makes one upload', async () => {
    const headers = { 'upload-length': '10', 'upload-metadata': metadataOf(newId()) }
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(owner, headers)))
    expect(replies.map((it) => it.statusCode).toSorted()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ])
  })

  test('with one byte above 1024 MB is too_large', async () => {
    const reply = await create(owner, { 'upload-length': String(MAX_TOTAL_BYTES + 1) })
    expect([reply.statusCode, errorOf(reply)]).toEqual([413, { code: 'too_large' }])
    expect((await create(owner, { 'upload-length': String(MAX_TOTAL_BYTES) })).statusCode).toBe(201)
  })

  test('with the first bytes stores them', async () => {
    const id = newId()
    const reply = await world.app.inject({
      method: 'POST',
      url: '/upload-chunking-2',
      headers: {
        ...owner.auth,
        ...tus,
        'upload-length': '10',
        'upload-metadata': metadataOf(id),
        'content-type': 'application/offset+octet-stream',
      },
      payload: Buffer.from('1234'),
    })
    expect([reply.statusCode, reply.headers['upload-offset']]).toEqual([201, '4'])
    expect((await bytesOf(id)).toString()).toBe('1234')
  })

  test('with a deferred length accepts it later, up to the same maximum', async () => {
    const id = newId()
    await create(owner, { 'upload-defer-length': '1', 'upload-metadata': metadataOf(id) })
    await patch(world, owner, id, 0, Buffer.from('1234'))
    const send = (length: number) =>
      world.app.inject({
        method: 'PATCH',
        url: `/upload-chunking-2/${id}`,
        headers: {
          ...owner.auth,
          ...tus,
          'upload-offset': '4',
          'upload-length': String(length),
          'content-type': 'application/offset+octet-stream',
        },
        payload: Buffer.from('56'),
      })
    expect(errorOf(await send(MAX_TOTAL_BYTES + 1)).code).toBe('too_large')
    expect((await send(6)).statusCode).toBe(204)
    expect((await head(world, owner, id)).headers).toMatchObject({
      'upload-offset': '6',
      'upload-length': '6',
    })
  })
})

describe('sending', () => {
  test('at another offset is offset_mismatch and changes no byte', async () => {
    const id = await begin()
    await patch(world, owner, id, 0, Buffer.from('12345'))
    for (const at of [0, 3, 6]) {
      const reply = await patch(world, owner, id, at, Buffer.from('xx'))
      expect([reply.statusCode, errorOf(reply)]).toEqual([409, { code: 'offset_mismatch' }])
      expect(reply.headers['upload-offset']).toBe('5')
    }
    expect((await bytesOf(id)).toString()).toBe('12345')
  })

  test('more than was announced is too_large and changes no byte', async () => {
    const id = await begin(6)
    await patch(world, owner, id, 0, Buffer.from('12345'))
    expect(errorOf(await patch(world, owner, id, 5, Buffer.from('67'))).code).toBe('too_large')
    expect((await bytesOf(id)).toString()).toBe('12345')
  })

  test('to an unknown upload is not_found', async () => {
    expect(errorOf(await patch(world, owner, newId(), 0, Buffer.from('1'))).code).toBe('not_found')
    expect(errorOf(await patch(world, owner, 'no-id', 0, Buffer.from('1'))).code).toBe('not_found')
  })

  test('starts at byte 0 when the upload has a row and no file', async () => {
    const id = await begin(4)
    await world.deps.storage.objects.remove(`uploads/${id}`)
    expect(await offset(id)).toBe('0')
    expect((await patch(world, owner, id, 0, Buffer.from('1234'))).statusCode).toBe(204)
    expect((await bytesOf(id)).toString()).toBe('1234')
  })
})

describe('without a token of the owner', () => {
  const wrong = { authorization: `Bearer ${'x'.repeat(43)}` }
  test.each(['POST', 'PATCH', 'DELETE'] as const)('%s is unauthenticated', async (method) => {
    const id = await begin()
    for (const auth of [{}, wrong]) {
      const headers = {
        ...auth,
        ...tus,
        'upload-length': '1',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      }
      const reply = await world.app.inject({ method, url: `/upload-chunking-2/${id}`, headers })
      expect([reply.statusCode, errorOf(reply)]).toEqual([401, { code: 'unauthenticated' }])
    }
    expect(await offset(id)).toBe('0')
  })

  test('HEAD is unauthenticated without a token and not_found for another member', async () => {
    const id = await begin()
    expect((await head(world, null, id)).statusCode).toBe(401)
    expect((await head(world, other, id)).statusCode).toBe(404)
  })

  test('another member’s upload cannot be sent to or removed', async () => {
    const id = await begin()
    expect(errorOf(await patch(world, other, id, 0, Buffer.from('1'))).code).toBe('not_found')
    expect(errorOf(await remove(other, id)).code).toBe('not_found')
    expect(await offset(id)).toBe('0')
  })
})

describe('the headers of the protocol', () => {
  test('OPTIONS needs no token and lists the offered extensions', async () => {
    const reply = await world.app.inject({ method: 'OPTIONS', url: '/upload-chunking-2' })
    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({ 'tus-version': '1.0.0', 'tus-max-size': String(MAX_TOTAL_BYTES) })
    expect(reply.headers['tus-extension']).toContain('termination')
    expect(reply.headers['tus-extension']).not.toContain('expiration')
  })

  test('concatenation is refused with 501', async () => {
    for (const concat of ['partial', 'final;/upload-chunking-2/a /upload-chunking-2/b', 'nonsense', '']) {
      const reply = await world.app.inject({
        method: 'POST',
        url: '/upload-chunking-2',
        headers: { ...owner.auth, 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-concat': concat },
      })
      expect([concat, reply.statusCode, errorOf(reply)]).toEqual([concat, 501, { code: 'not_implemented' }])
    }
  })

  test('a chunk with a checksum of any algorithm is refused', async () => {
    const id = await begin()
    for (const checksum of ['sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=', 'crc9 AAAA', 'nonsense', '']) {
      const reply = await world.app.inject({
        method: 'PATCH',
        url: `/upload-chunking-2/${id}`,
        headers: {
          ...owner.auth,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'upload-checksum': checksum,
        },
        payload: Buffer.from('1'),
      })
      expect([checksum, reply.statusCode, errorOf(reply)]).toEqual([checksum, 400, { code: 'bad_request' }])
    }
    expect(await offset(id)).toBe('0')
  })

  test('a request without a protocol version is refused with 412', async () => {
    const reply = await world.app.inject({ method: 'POST', url: '/upload-chunking-2', headers: owner.auth })
    expect([reply.statusCode, errorOf(reply)]).toEqual([412, { code: 'bad_request' }])
  })

  test('an allowed origin may read the offset of its upload, and another origin may not', async () => {
    const id = await begin()
    const headers = { ...owner.auth, ...tus, origin: 'https://app.example' }
    const reply = await world.app.inject({ method: 'HEAD', url: `/upload-chunking-2/${id}`, headers })
    expect(reply.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(reply.headers['access-control-expose-headers']).toContain('Upload-Offset')
    const otherOrigin = await world.app.inject({
      method: 'OPTIONS',
      url: '/upload-chunking-2',
      headers: { origin: 'https://no.example' },
    })
    expect(otherOrigin.headers['access-control-allow-origin']).toBeUndefined()
  })
})
