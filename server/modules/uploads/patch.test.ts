// PATCH of an upload: its headers, its replies and its refusals.
import { describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { addAwaited } from '#server/testing/media/chunks.ts'
import {
  beginUpload,
  createUpload,
  metadataOf,
  offsetOf,
  removeUploadOf,
  storedBytes,
} from '#server/testing/media/uploads.ts'
import { errorOf, head, patch, type Reply } from '#server/testing/people/members.ts'
import { ownerInWorld } from '#server/testing/people/owner-in-world.ts'
import { removeOldUploads, UNHELD_LIFE } from './expiry.ts'

const HOUR = 3600 * 1000

const setup = ownerInWorld()

type Headers = Readonly<Record<string, string | undefined>>

/** Sends a PATCH in which these headers replace the valid ones; an undefined one is omitted. */
function send(id: string, headers: Headers, payload = Buffer.from('12')): Promise<Reply> {
  const all = {
    ...setup.owner.auth,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    ...headers,
  }
  const present = Object.entries(all).filter((it): it is [string, string] => it[1] !== undefined)
  return setup.world.app.inject({
    method: 'PATCH',
    url: `${TUS_PATH}/${id}`,
    headers: Object.fromEntries(present),
    payload,
  })
}

const outcomeOf = (reply: Reply) => [reply.statusCode, errorOf(reply)]

/** An upload whose length was not announced yet. */
async function beginWithoutLength(): Promise<string> {
  const id = newId()
  await createUpload(setup.world, setup.owner, {
    'upload-defer-length': '1',
    'upload-metadata': metadataOf(id),
  })
  return id
}

describe('the headers of a chunk', () => {
  test('are answered with version and offset, without caching, on a connection that stays open', async () => {
    const reply = await send(await beginUpload(setup.world, setup.owner), {})
    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '2',
      'cache-control': 'no-store',
    })
    expect(reply.headers['connection']).not.toBe('close')
  })

  test('without a protocol version are refused with 412 bad_request', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    expect(outcomeOf(await send(id, { 'tus-resumable': undefined }))).toEqual([412, { code: 'bad_request' }])
    expect(await offsetOf(setup.world, setup.owner, id)).toBe('0')
  })

  const wrong: readonly (readonly [string, Headers])[] = [
    ['another version', { 'tus-resumable': '0.2.2' }],
    ['another content type', { 'content-type': 'application/octet-stream' }],
    ['another version and content type', { 'tus-resumable': '2', 'content-type': 'text/plain' }],
    ['no content type', { 'content-type': undefined }],
    ['no offset', { 'upload-offset': undefined }],
    ...['', '-0', '+0', ' 0x0', '0 0', '0.0', '0e0', 'zero', '0'.repeat(16)].map(
      (it) => [`the offset "${it}"`, { 'upload-offset': it }] as const,
    ),
    ...['-2', '2 2', '2.5', 'two', '9'.repeat(16)].map(
      (it) => [`the length "${it}"`, { 'upload-length': it }] as const,
    ),
  ]
  test.each(wrong)('with %s are a bad_request and change no byte', async (_what, headers) => {
    const id = await beginWithoutLength()
    const reply = await send(id, headers)
    expect(outcomeOf(reply)).toEqual([400, { code: 'bad_request' }])
    expect(reply.headers['upload-offset']).toBeUndefined()
    expect((await head(setup.world, setup.owner, id)).headers).toMatchObject({
      'upload-offset': '0',
      'upload-defer-length': '1',
    })
  })

  test('that are refused close the connection, because the rest of the body is not read', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    expect((await send(id, { 'upload-offset': '7' })).headers['connection']).toBe('close')
    expect((await send(newId(), {})).headers['connection']).toBe('close')
  })
})

describe('a length that is announced with a chunk', () => {
  test('below the stored bytes is a bad_request and is not stored', async () => {
    const id = await beginWithoutLength()
    await patch(setup.world, setup.owner, id, 0, Buffer.from('1234'))
    const reply = await send(id, { 'upload-offset': '4', 'upload-length': '3' }, Buffer.alloc(0))
    expect(outcomeOf(reply)).toEqual([400, { code: 'bad_request' }])
    expect((await head(setup.world, setup.owner, id)).headers['upload-length']).toBeUndefined()
  })

  test('equal to the stored bytes finishes the upload', async () => {
    const id = await beginWithoutLength()
    await patch(setup.world, setup.owner, id, 0, Buffer.from('1234'))
    const reply = await send(id, { 'upload-offset': '4', 'upload-length': '4' }, Buffer.alloc(0))
    expect([reply.statusCode, reply.headers['upload-offset']]).toEqual([204, '4'])
    expect((await head(setup.world, setup.owner, id)).headers['upload-length']).toBe('4')
  })

  test('may be the maximum, and no byte more', async () => {
    const id = await beginWithoutLength()
    const more = await send(id, { 'upload-length': String(MAX_TOTAL_BYTES + 1) })
    expect(outcomeOf(more)).toEqual([413, { code: 'too_large' }])
    expect((await send(id, { 'upload-length': String(MAX_TOTAL_BYTES) })).statusCode).toBe(204)
  })

  test('limits the chunk of the same request', async () => {
    const id = await beginWithoutLength()
    expect(outcomeOf(await send(id, { 'upload-length': '1' }))).toEqual([413, { code: 'too_large' }])
    expect((await storedBytes(setup.world, id)).length).toBe(0)
  })
})

describe('access to an upload', () => {
  test('a video of the legacy protocol is not_found', async () => {
    const { videoId } = await addAwaited(setup.world, setup.owner)
    expect(outcomeOf(await send(videoId, {}))).toEqual([404, { code: 'not_found' }])
    expect((await head(setup.world, setup.owner, videoId)).statusCode).toBe(404)
    expect(outcomeOf(await removeUploadOf(setup.world, setup.owner, videoId))).toEqual([
      404,
      { code: 'not_found' },
    ])
  })

  test('of two concurrent removals one is answered with 204 and the other with not_found', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    const replies = await Promise.all([
      removeUploadOf(setup.world, setup.owner, id),
      removeUploadOf(setup.world, setup.owner, id),
    ])
    expect(replies.map((it) => it.statusCode).toSorted()).toEqual([204, 404])
    const refused = replies.find((it) => it.statusCode === 404)
    expect(refused && errorOf(refused)).toEqual({ code: 'not_found' })
  })

  test('a chunk is unavailable when another request does not release the upload in ten seconds', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    const { promise: waiting, resolve } = Promise.withResolvers<void>()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const reply = await setup.world.deps.uploadLocks.withLock(
        id,
        async () => {
          const sending = send(id, {})
          await waiting
          await vi.advanceTimersByTimeAsync(10_000)
          return sending
        },
        resolve,
      )
      expect(outcomeOf(reply)).toEqual([503, { code: 'unavailable' }])
    } finally {
      vi.useRealTimers()
    }
    expect(await offsetOf(setup.world, setup.owner, id)).toBe('0')
  })
})

describe('the expiry of an upload', () => {
  /** Whether the upload still has its bytes after a sweep. */
  const survivesSweep = async (id: string) => {
    await removeOldUploads(setup.world.deps)
    return (await head(setup.world, setup.owner, id)).statusCode === 200
  }

  test('counts from the last byte, not from the first', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    setup.world.clock.now += UNHELD_LIFE - HOUR
    await patch(setup.world, setup.owner, id, 0, Buffer.from('1'))
    setup.world.clock.now += UNHELD_LIFE - HOUR
    expect(await survivesSweep(id)).toBe(true)
    setup.world.clock.now += 2 * HOUR
    expect(await survivesSweep(id)).toBe(false)
  })

  test('is postponed at most once an hour: a byte within the hour does not postpone it', async () => {
    const id = await beginUpload(setup.world, setup.owner)
    setup.world.clock.now += HOUR - 1000
    await patch(setup.world, setup.owner, id, 0, Buffer.from('1'))
    setup.world.clock.now += UNHELD_LIFE - HOUR + 2000
    expect(await survivesSweep(id)).toBe(false)
  })
})
