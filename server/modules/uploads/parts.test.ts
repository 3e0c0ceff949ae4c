// Numbered parts of an upload: in any order, more than once, and beside PATCH.
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import { media, uploadParts } from '#server/store/tables/media.ts'
import { findUpload, finishUpload } from '#server/store/media/uploads.ts'
import {
  contentDigest,
  getParts,
  partsOf,
  putPart,
  type SentPart,
  splitInParts,
} from '#server/testing/media/parts.ts'
import {
  beginUpload,
  createUpload,
  loseBytes,
  lostBytes,
  metadataOf,
  offsetOf,
  removeUploadOf,
  storedBytes,
} from '#server/testing/media/uploads.ts'
import {
  addPost,
  digestOf,
  errorOf,
  head,
  type Member,
  noise,
  patch,
  type Reply,
  signUp,
} from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { removeOldUploads, UNHELD_LIFE } from './expiry.ts'

let world: World
let owner: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await signUp(world)
})

/** Two whole parts and one of 1,000 bytes. */
const bytes = noise(2 * PART_BYTES + 1000)
const sizes = [PART_BYTES, PART_BYTES, 1000]

const begin = (length = bytes.length) => beginUpload(world, owner, length)
const put = (part: SentPart, headers = {}) => putPart(world, owner, part, headers)
const parts = (id: string) => partsOf(world, owner, id)
const outcomeOf = (reply: Reply) => [reply.statusCode, errorOf(reply).code]
const isFinished = async (id: string) => defined(await findUpload(world.deps.db, id)).finishedAt !== null

async function beginInParts(): Promise<[id: string, first: SentPart, second: SentPart, last: SentPart]> {
  const id = await begin()
  return [id, ...(splitInParts(id, bytes) as [SentPart, SentPart, SentPart])]
}

/** Sends parts at the same time. */
const putAll = (all: readonly SentPart[]) => Promise.all(all.map((it) => put(it)))

async function expectWhole(id: string): Promise<void> {
  expect(await parts(id)).toEqual({ length: bytes.length, finished: true, stored: sizes })
  expect(await isFinished(id)).toBe(true)
  expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
}

describe('parts', () => {
  test('in any order and more than once are the picked bytes', async () => {
    const [id, first, second, last] = await beginInParts()
    for (const it of [last, first, last, second, second]) expect((await put(it)).statusCode).toBe(204)
    await expectWhole(id)
  })

  test('at the same time, and each twice, are the picked bytes', async () => {
    const [id, ...all] = await beginInParts()
    const replies = await putAll([...all, ...all.toReversed()])
    // Of two requests for one part the newer one may end the other.
    expect(replies.filter(({ statusCode }) => ![204, 503].includes(statusCode))).toEqual([])
    for (const it of all) await put(it)
    await expectWhole(id)
  })

  test('are announced with the size of a part when an upload is created and asked for, for no document', async () => {
    const id = newId()
    const created = await createUpload(world, owner, {
      'upload-length': '10',
      'upload-metadata': metadataOf(id),
    })
    expect([created.statusCode, created.headers['upload-parts']]).toEqual([201, String(PART_BYTES)])
    expect((await head(world, owner, id)).headers['upload-parts']).toBe(String(PART_BYTES))
    const document = newId()
    const metadata = `${metadataOf(document)},purpose ${btoa('identity')}`
    const other = await createUpload(world, owner, { 'upload-length': '10', 'upload-metadata': metadata })
    expect([other.statusCode, other.headers['upload-parts']]).toEqual([201, undefined])
    expect((await head(world, owner, document)).headers['upload-parts']).toBeUndefined()
  })

  test('are told with what is stored of each, and finished only with all', async () => {
    const [id, first, , last] = await beginInParts()
    expect(await parts(id)).toEqual({ length: bytes.length, finished: false, stored: [0, 0, 0] })
    await put(last)
    expect(await parts(id)).toEqual({ length: bytes.length, finished: false, stored: [0, 0, 1000] })
    const reply = await put(first)
    expect([reply.headers['upload-offset'], reply.headers['cache-control']]).toEqual([
      String(PART_BYTES),
      'no-store',
    ])
    expect(await parts(id)).toMatchObject({ finished: false, stored: [PART_BYTES, 0, 1000] })
    expect(await isFinished(id)).toBe(false)
  })

  test('go on exactly after the bytes that are stored of them, which a refusal tells', async () => {
    const [id, first, second, last] = await beginInParts()
    const piece = { ...first, payload: first.payload.subarray(0, 2_000_000) }
    expect((await put(piece, { 'upload-offset': '0' })).headers['upload-offset']).toBe('2000000')
    expect(await parts(id)).toMatchObject({ stored: [2_000_000, 0, 0] })
    const from = (at: number) =>
      put({ ...first, payload: first.payload.subarray(at) }, { 'upload-offset': String(at) })
    for (const at of [0, 1_999_999, 2_000_001]) {
      const reply = await from(at)
      expect([...outcomeOf(reply), reply.headers['upload-offset']]).toEqual([
        409,
        'offset_mismatch',
        '2000000',
      ])
    }
    expect((await from(2_000_000)).headers['upload-offset']).toBe(String(PART_BYTES))
    expect((await from(2_000_000)).headers['upload-offset']).toBe(String(PART_BYTES))
    await putAll([second, last])
    await expectWhole(id)
  })

  test('without an offset may come again from the first byte, and leave the stored bytes as they are', async () => {
    const [id, first, second, last] = await beginInParts()
    await put({ ...first, payload: first.payload.subarray(0, 2_000_000) })
    const again = Buffer.concat([noise(2_000_000), first.payload.subarray(2_000_000)])
    expect((await put({ ...first, payload: again })).headers['upload-offset']).toBe(String(PART_BYTES))
    await putAll([second, last])
    await expectWhole(id)
  })

  test('that are whole take no other bytes', async () => {
    const [id, first, second, last] = await beginInParts()
    await put(first)
    expect((await put({ ...first, payload: noise(PART_BYTES) })).statusCode).toBe(204)
    await putAll([second, last])
    await expectWhole(id)
    expect((await put({ ...second, payload: noise(PART_BYTES) })).statusCode).toBe(204)
    await expectWhole(id)
  })
})

describe('the digest of a body', () => {
  test('that differs is refused with digest_mismatch, and no byte counts', async () => {
    const [id, first] = await beginInParts()
    const wrong = await put(first, contentDigest(noise(10)))
    expect(outcomeOf(wrong)).toEqual([422, 'digest_mismatch'])
    expect(await parts(id)).toMatchObject({ stored: [0, 0, 0] })
    expect((await put(first, contentDigest(first.payload))).statusCode).toBe(204)
  })

  test('is of the body alone, and keeps what was stored before it', async () => {
    const [id, first, second, last] = await beginInParts()
    await put({ ...first, payload: first.payload.subarray(0, 1_000_000) })
    const rest = { ...first, payload: first.payload.subarray(1_000_000) }
    const headers = { 'upload-offset': '1000000' }
    expect(outcomeOf(await put(rest, { ...headers, ...contentDigest(first.payload) }))).toEqual([
      422,
      'digest_mismatch',
    ])
    expect(await parts(id)).toMatchObject({ stored: [1_000_000, 0, 0] })
    expect((await put(rest, { ...headers, ...contentDigest(rest.payload) })).statusCode).toBe(204)
    await putAll([second, last])
    await expectWhole(id)
  })

  test.each(['', 'md5=:AAAA:', 'sha-256=AAAA', 'sha-512=:AAAA:'])(
    'of the form "%s" is a bad_request, since it would be left unchecked',
    async (digest) => {
      const [, first] = await beginInParts()
      expect(outcomeOf(await put(first, { 'content-digest': digest }))).toEqual([400, 'bad_request'])
    },
  )
})

describe('bytes of the resumable protocol', () => {
  test('that arrived before are parts, and are not sent again', async () => {
    const id = await begin()
    await patch(world, owner, id, 0, bytes.subarray(0, PART_BYTES + 3000))
    expect(await parts(id)).toMatchObject({ stored: [PART_BYTES, 3000, 0] })
    const [, second, last] = splitInParts(id, bytes)
    await put(defined(last))
    expect(await parts(id)).toMatchObject({ stored: [PART_BYTES, 3000, 1000] })
    const rest = { ...defined(second), payload: defined(second).payload.subarray(3000) }
    await put(rest, { 'upload-offset': '3000' })
    await expectWhole(id)
  })

  test('that finish the upload while a part waits leave nothing of it to store', async () => {
    const [id, first] = await beginInParts()
    let sending: Promise<Reply> | undefined
    const { number } = world.deps.storage.partBytes
    const numbered = vi.spyOn(world.deps.storage.partBytes, 'number').mockImplementation(number)
    await world.deps.uploadLocks.withLock(id, async () => {
      const { promise: waiting, resolve } = Promise.withResolvers<void>()
      const lock = vi.spyOn(world.deps.uploadLocks, 'withLock').mockImplementation((...given) => {
        lock.mockRestore()
        resolve()
        return world.deps.uploadLocks.withLock(...given)
      })
      sending = put(first)
      await waiting
      await finishUpload(world.deps.db, id, world.clock.now)
    })
    const reply = await defined(sending)
    expect([reply.statusCode, reply.headers['upload-offset']]).toEqual([204, String(PART_BYTES)])
    expect(numbered).not.toHaveBeenCalled()
    numbered.mockRestore()
  })

  test('follow the parts without a gap, and skip none', async () => {
    const [id, first, , last] = await beginInParts()
    await put(last)
    await put({ ...first, payload: first.payload.subarray(0, 7000) })
    expect(await offsetOf(world, owner, id)).toBe('7000')
    const reply = await patch(world, owner, id, 7000, bytes.subarray(7000, PART_BYTES + 9000))
    expect([reply.statusCode, reply.headers['upload-offset']]).toEqual([204, String(PART_BYTES + 9000)])
    expect(await parts(id)).toMatchObject({ stored: [PART_BYTES, 9000, 1000] })
    const wrong = await patch(world, owner, id, 0, bytes)
    expect([...outcomeOf(wrong), wrong.headers['upload-offset']]).toEqual([
      409,
      'offset_mismatch',
      String(PART_BYTES + 9000),
    ])
    await patch(world, owner, id, PART_BYTES + 9000, bytes.subarray(PART_BYTES + 9000))
    await expectWhole(id)
  })
})

describe('a part is refused', () => {
  test('of another person’s upload, an unknown one, and by a visitor, before its number is read', async () => {
    const [id, first] = await beginInParts()
    const other = await signUp(world)
    expect(outcomeOf(await putPart(world, other, { ...first, no: 99 }))).toEqual([404, 'not_found'])
    expect(outcomeOf(await getParts(world, other, id))).toEqual([404, 'not_found'])
    expect(outcomeOf(await put({ ...first, id: newId() }))).toEqual([404, 'not_found'])
    expect(outcomeOf(await putPart(world, null, first))).toEqual([401, 'unauthenticated'])
    expect(outcomeOf(await getParts(world, null, id))).toEqual([401, 'unauthenticated'])
    expect(await parts(id)).toMatchObject({ stored: [0, 0, 0] })
  })

  test.each([0, 4, 1e9])('with the number %i, which the upload does not have', async (no) => {
    const [, first] = await beginInParts()
    expect(outcomeOf(await put({ ...first, no }))).toEqual([404, 'not_found'])
  })

  test('with more bytes than it has, and closes the connection', async () => {
    const [id, first, , last] = await beginInParts()
    const large = await put({ ...last, payload: noise(1001) })
    expect([...outcomeOf(large), large.headers['connection']]).toEqual([413, 'too_large', 'close'])
    expect(outcomeOf(await put(first, { 'upload-offset': '1' }))).toEqual([413, 'too_large'])
    expect(outcomeOf(await put(first, { 'upload-offset': String(PART_BYTES + 1) }))).toEqual([
      400,
      'bad_request',
    ])
    expect(await parts(id)).toMatchObject({ stored: [0, 0, 0] })
  })

  test('of an upload without a length, and of a document', async () => {
    const [endless, document] = [newId(), newId()]
    const made = [
      [endless, { 'upload-defer-length': '1', 'upload-metadata': metadataOf(endless) }],
      [
        document,
        { 'upload-length': '10', 'upload-metadata': `${metadataOf(document)},purpose ${btoa('identity')}` },
      ],
    ] as const
    for (const [id, headers] of made) {
      await createUpload(world, owner, headers)
      expect(outcomeOf(await put({ id, no: 1, payload: noise(10) }))).toEqual([400, 'bad_request'])
      expect(outcomeOf(await getParts(world, owner, id))).toEqual([400, 'bad_request'])
    }
  })

  test('of an upload that was removed or has expired, whose bytes are gone with all their parts', async () => {
    const [removed, ...first] = await beginInParts()
    await putAll(first)
    const [expired, ...second] = await beginInParts()
    await putAll(second.slice(1))
    await removeUploadOf(world, owner, removed)
    world.clock.now += UNHELD_LIFE + 1
    await removeOldUploads(world.deps)
    expect(outcomeOf(await put(first[0]))).toEqual([404, 'not_found'])
    expect(outcomeOf(await put(second[0]))).toEqual([410, 'gone'])
    const ids = [removed, expired]
    expect(await world.deps.db.$count(uploadParts, inArray(uploadParts.uploadId, ids))).toBe(0)
    await createUpload(world, owner, {
      'upload-length': String(bytes.length),
      'upload-metadata': metadataOf(expired),
    })
    expect(await parts(expired)).toMatchObject({ stored: [0, 0, 0] })
    await putAll(second)
    await expectWhole(expired)
  })
})

describe('a post', () => {
  test('is refused with upload_incomplete while a part is missing, also when the last one is there', async () => {
    const [id, first, second, last] = await beginInParts()
    await putAll([first, last])
    const fields = [
      ['content', '欠けた動画'],
      ['type', '1'],
      ['has_video_file', id],
      ['upload_digest[]', await digestOf(id, bytes)],
    ] as const
    expect(outcomeOf(await addPost(world, owner, fields))).toEqual([409, 'upload_incomplete'])
    await put(second)
    expect(outcomeOf(await addPost(world, owner, fields))[1]).not.toBe('upload_incomplete')
  })
})

describe('lost bytes', () => {
  test('of a finished upload are told, and are sent again', async () => {
    const [id, ...all] = await beginInParts()
    await putAll(all)
    await expectWhole(id)
    await loseBytes(world, id, 0)
    expect(await parts(id)).toEqual({ length: bytes.length, finished: false, stored: [0, 0, 0] })
    await putAll(all)
    await expectWhole(id)
  })

  test('that a completion finds are unavailable to who asks, and nothing is called whole', async () => {
    const [id, ...all] = await beginInParts()
    const { partBytes } = world.deps.storage
    const complete = vi.spyOn(partBytes, 'complete').mockRejectedValue(lostBytes())
    await putAll(all)
    expect(outcomeOf(await getParts(world, owner, id))).toEqual([503, 'unavailable'])
    expect(await isFinished(id)).toBe(false)
    complete.mockRestore()
    await expectWhole(id)
  })

  test('of a media that is made are not asked for, so that what others see is never replaced', async () => {
    const [id, ...all] = await beginInParts()
    await putAll(all)
    const made = { widths: [], poster: true, blurred: true }
    const held = { id, kind: 'video', mime: 'video/mp4', state: 'ready', made } as const
    await world.deps.db.insert(media).values({ ...held, createdAt: new Date(world.clock.now) })
    await loseBytes(world, id, 0)
    expect(await parts(id)).toMatchObject({ finished: true, stored: sizes })
    expect((await put(all[0])).statusCode).toBe(204)
    expect(await isFinished(id)).toBe(true)
  })
})

test('a person sends at most eight parts at the same time', async () => {
  const id = await begin(10 * PART_BYTES)
  await put({ id, no: 10, payload: noise(10) })
  const { promise, resolve } = Promise.withResolvers<void>()
  const { partBytes } = world.deps.storage
  const write = partBytes.write.bind(partBytes)
  partBytes.write = async (...given) => {
    await promise
    return write(...given)
  }
  const sent = Array.from({ length: 9 }, (_, i) => put({ id, no: i + 1, payload: noise(10) }))
  const first = await Promise.race(sent)
  expect(outcomeOf(first)).toEqual([429, 'rate_limited'])
  resolve()
  const statuses = (await Promise.all(sent)).map(({ statusCode }) => statusCode)
  expect(statuses.toSorted()).toEqual([204, 204, 204, 204, 204, 204, 204, 204, 429])
  partBytes.write = write
  expect((await put({ id, no: 9, payload: noise(10) })).statusCode).toBe(204)
})
