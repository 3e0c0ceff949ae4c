// Uploads of identity checks: their bytes are in the place of identity checks alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { TUS_CHUNK } from '#contract/limits.ts'
import { claimUpload, removeUpload } from '#server/store/media/uploads.ts'
import { openWorldWithStore, type WorldWithStore } from '#server/testing/media/stored-names.ts'
import { createUpload, offsetOf, removeUploadOf, storedBytes } from '#server/testing/media/uploads.ts'
import { uploadDocument } from '#server/testing/people/identity.ts'
import { head, type Member, noise, patch, signUp, tus } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { IDENTITY_LIFE, removeOldUploads } from './expiry.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: World
let namesOf: WorldWithStore['namesOf']
let owner: Member
beforeAll(async () => {
  ;({ world, namesOf } = await openWorldWithStore())
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.now = Date.now()
  owner = await signUp(world)
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const metadataOf = (id: string, purpose: string) =>
  `id ${base64(id)},filename ${base64('a')},purpose ${base64(purpose)}`
async function begin(length: number, { id = newId(), purpose = 'identity' } = {}): Promise<string> {
  const headers = { 'upload-length': String(length), 'upload-metadata': metadataOf(id, purpose) }
  expect((await createUpload(world, owner, headers)).statusCode).toBe(201)
  return id
}
const nothing = { media: [], identity: [] }
/** What the place of identity checks has of an upload; that of media has nothing. */
async function identityNames(id: string): Promise<string[]> {
  const { media, identity } = await namesOf(id)
  expect(media).toEqual([])
  expect(identity.filter((it) => !it.startsWith(`identity-uploads/${id}`))).toEqual([])
  return identity
}

describe('a document', () => {
  test('is in the place of identity checks from its first byte to its last one', async () => {
    const bytes = noise(TUS_CHUNK + 2000)
    const id = await begin(bytes.length)
    await identityNames(id)
    for (const [from, to] of [
      [0, TUS_CHUNK],
      [TUS_CHUNK, TUS_CHUNK + 999],
      [TUS_CHUNK + 999, bytes.length],
    ] as const) {
      expect(await offsetOf(world, owner, id)).toBe(String(from))
      expect((await patch(world, owner, id, from, bytes.subarray(from, to))).statusCode).toBe(204)
      expect((await identityNames(id)).length).toBeGreaterThan(0)
    }
    expect(await identityNames(id)).toEqual([`identity-uploads/${id}`])
    expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  })

  test('is there too when its bytes come with its creation, and when it has none', async () => {
    const [id, empty] = [newId(), await begin(0)]
    const reply = await world.app.inject({
      method: 'POST',
      url: '/upload-chunking-2',
      headers: {
        ...owner.auth,
        ...tus,
        'upload-length': '4',
        'upload-metadata': metadataOf(id, 'identity'),
        'content-type': 'application/offset+octet-stream',
      },
      payload: Buffer.from('1234'),
    })
    expect(reply.headers['upload-offset']).toBe('4')
    for (const it of [id, empty]) expect(await identityNames(it)).toEqual([`identity-uploads/${it}`])
  })

  test('is one by the purpose that is stored, not by that of the request', async () => {
    const id = await begin(4, { purpose: 'ident\0ity' })
    await patch(world, owner, id, 0, Buffer.from('1234'))
    expect(await identityNames(id)).toEqual([`identity-uploads/${id}`])
    for (const purpose of ['', 'Identity', 'identity ', 'avatar']) {
      const other = await begin(4, { purpose })
      await patch(world, owner, other, 0, Buffer.from('1234'))
      expect(await namesOf(other)).toEqual({ media: [`uploads/${other}`], identity: [] })
    }
  })

  test('is not reached by another person', async () => {
    const [id, other] = [await uploadDocument(world, owner, noise(10)), await signUp(world)]
    for (const reply of [
      await head(world, other, id),
      await patch(world, other, id, 10, Buffer.from('x')),
      await removeUploadOf(world, other, id),
    ])
      expect(reply.statusCode).toBe(404)
    expect(await identityNames(id)).toEqual([`identity-uploads/${id}`])
  })
})

describe('nothing is left of a document', () => {
  /** Sends a part and a tail. @returns the id of a document whose last byte is missing */
  async function unfinished(): Promise<string> {
    const id = await begin(TUS_CHUNK + 1001)
    await patch(world, owner, id, 0, noise(TUS_CHUNK))
    await patch(world, owner, id, TUS_CHUNK, noise(1000))
    expect((await identityNames(id)).length).toBeGreaterThan(0)
    return id
  }

  test('that its owner removes', async () => {
    for (const id of [await unfinished(), await uploadDocument(world, owner, noise(10))]) {
      expect((await removeUploadOf(world, owner, id)).statusCode).toBe(204)
      expect(await namesOf(id)).toEqual(nothing)
    }
  })

  test('that was not submitted for a day', async () => {
    const ids = [await unfinished(), await uploadDocument(world, owner, noise(10))]
    world.clock.now += IDENTITY_LIFE + MINUTE
    await removeOldUploads(world.deps)
    for (const id of ids) {
      expect(await namesOf(id)).toEqual(nothing)
      expect((await head(world, owner, id)).statusCode).toBe(410)
    }
  })

  test('whose removal was interrupted, an hour later', async () => {
    const ids = [await unfinished(), await uploadDocument(world, owner, noise(10))]
    for (const id of ids) await removeUpload(world.deps.db, id, owner.id)
    world.clock.now += HOUR - MINUTE
    await removeOldUploads(world.deps)
    for (const id of ids) expect(await identityNames(id)).not.toEqual([])
    world.clock.now += 2 * MINUTE
    await removeOldUploads(world.deps)
    for (const id of ids) expect(await namesOf(id)).toEqual(nothing)
  })

  test('whose id its owner uses again for a post, and the upload of the post stays', async () => {
    const id = await uploadDocument(world, owner, noise(10))
    world.clock.now += IDENTITY_LIFE + MINUTE
    const { objects } = world.deps.storage
    const killed = vi.spyOn(objects, 'remove').mockRejectedValue(new Error('power failure'))
    await expect(removeOldUploads(world.deps)).rejects.toThrow('power failure')
    killed.mockRestore()
    await begin(4, { id, purpose: '' })
    await patch(world, owner, id, 0, Buffer.from('abcd'))
    expect((await namesOf(id)).media).toEqual([`uploads/${id}`])
    await removeOldUploads(world.deps)
    expect(await namesOf(id)).toEqual({ media: [`uploads/${id}`], identity: [] })
    expect((await storedBytes(world, id)).toString()).toBe('abcd')
  })
})

test('an upload whose creation was interrupted begins at byte 0', async () => {
  const id = newId()
  const row = { id, ownerId: owner.id, length: 4, metadata: { purpose: 'identity' } }
  await claimUpload(world.deps.db, row, world.clock.now)
  expect(await offsetOf(world, owner, id)).toBe('0')
  expect((await patch(world, owner, id, 0, Buffer.from('1234'))).statusCode).toBe(204)
  expect(await identityNames(id)).toEqual([`identity-uploads/${id}`])
})
