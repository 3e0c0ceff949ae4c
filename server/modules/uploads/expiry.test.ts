// How uploads end: by removal or expiry, and never while a post holds them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uploadDocument } from '#server/testing/people/identity.ts'
import {
  addPost,
  errorOf,
  head,
  type Member,
  noise,
  patch,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import {
  beginUpload,
  createUpload,
  metadataOf,
  offsetOf,
  removeUploadOf,
  storedBytes,
} from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { IDENTITY_LIFE, removeOldUploads, UNHELD_LIFE } from './expiry.ts'

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

describe('removing', () => {
  test('deletes the bytes and the row', async () => {
    const id = await begin()
    expect((await remove(owner, id)).statusCode).toBe(204)
    expect((await head(world, owner, id)).statusCode).toBe(404)
    await expect(bytesOf(id)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('an upload that a post holds is refused with upload_held, and the upload stays', async () => {
    const bytes = await jpeg()
    const id = await upload(world, owner, bytes, 'a.jpg')
    await addPost(world, owner, [
      ['type', '1'],
      ['has_image_file[]', id],
    ])
    const reply = await remove(owner, id)
    expect([reply.statusCode, errorOf(reply)]).toEqual([423, { code: 'upload_held' }])
    expect((await bytesOf(id)).equals(bytes)).toBe(true)
  })
})

describe('expiry', () => {
  test('a week after its last byte an unheld upload is gone, and a held one remains', async () => {
    const [unfinished, finished, held] = [
      await begin(),
      await upload(world, owner, noise(10), 'a'),
      await upload(world, owner, await jpeg(), 'a.jpg'),
    ]
    await addPost(world, owner, [
      ['type', '1'],
      ['has_image_file[]', held],
    ])
    expect(UNHELD_LIFE).toBe(7 * 24 * 3600 * 1000)
    world.clock.now += UNHELD_LIFE - 60_000
    const late = await begin()
    await removeOldUploads(world.deps)
    expect([await offset(unfinished), await offset(finished)]).toEqual(['0', '10'])
    world.clock.now += 120_000
    await removeOldUploads(world.deps)
    for (const id of [unfinished, finished]) {
      const reply = await patch(world, owner, id, 0, Buffer.from('1'))
      expect([reply.statusCode, errorOf(reply)]).toEqual([410, { code: 'gone' }])
      await expect(bytesOf(id)).rejects.toMatchObject({ code: 'ENOENT' })
    }
    expect(await offset(late)).toBe('0')
    expect((await bytesOf(held)).length).toBeGreaterThan(0)
  })

  test('a document that was never submitted expires after a day, not after a week', async () => {
    const [document, usual] = [await uploadDocument(world, owner, noise(10)), await begin()]
    expect(IDENTITY_LIFE).toBe(24 * 3600 * 1000)
    world.clock.now += IDENTITY_LIFE - 60_000
    await removeOldUploads(world.deps)
    expect(await offset(document)).toBe('10')
    world.clock.now += 120_000
    await removeOldUploads(world.deps)
    await expect(bytesOf(document)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await offset(usual)).toBe('0')
  })

  test('only the owner may begin an expired upload again under the same id', async () => {
    const id = await begin()
    world.clock.now += UNHELD_LIFE + 1
    await removeOldUploads(world.deps)
    expect(
      (await create(other, { 'upload-length': '4', 'upload-metadata': metadataOf(id) })).statusCode,
    ).toBe(404)
    expect(
      (await create(owner, { 'upload-length': '4', 'upload-metadata': metadataOf(id) })).statusCode,
    ).toBe(201)
    expect((await patch(world, owner, id, 0, Buffer.from('abcd'))).statusCode).toBe(204)
    expect((await bytesOf(id)).toString()).toBe('abcd')
  })

  test('a post with an expired upload is refused with upload_incomplete', async () => {
    const id = await upload(world, owner, await jpeg(), 'a.jpg')
    world.clock.now += UNHELD_LIFE + 1
    await removeOldUploads(world.deps)
    const reply = await addPost(world, owner, [
      ['type', '1'],
      ['has_image_file[]', id],
    ])
    expect(errorOf(reply)).toEqual({ code: 'upload_incomplete', fields: { [id]: 'too_small' } })
  })
})
