// Uploads in an object store: what is left there, and what is read again.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TUS_CHUNK } from '#contract/limits.ts'
import { removeUpload } from '#server/store/media/uploads.ts'
import { beginUpload, offsetOf, removeUploadOf, storedBytes } from '#server/testing/media/uploads.ts'
import { head, type Member, noise, patch, signUp } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { begunIn, keysIn, newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { removeOldUploads, UNHELD_LIFE } from './expiry.ts'

const DAY = 24 * 3600 * 1000

describe.skipIf(!cephAvailable())('an upload in an object store', () => {
  let world: World
  let store: UnstableStore
  let s3: S3Settings
  let owner: Member
  beforeAll(async () => {
    s3 = await newBuckets()
    store = await openUnstableStore(s3)
    world = await openWorld({ parts: { s3: store.settings } })
  })
  afterAll(async () => {
    await world.close()
    await store.close()
  })
  beforeEach(async () => {
    owner = await signUp(world)
  })

  const left = async (id: string) => [
    ...(await keysIn(s3, s3.bucket)).filter((it) => it.includes(id)),
    ...(await begunIn(s3, s3.bucket)).filter((it) => it.includes(id)),
  ]
  /** Sends a part and a tail. @returns the id of an upload whose last byte is missing */
  async function unfinished(): Promise<string> {
    const id = await beginUpload(world, owner, TUS_CHUNK + 1001)
    await patch(world, owner, id, 0, noise(TUS_CHUNK))
    await patch(world, owner, id, TUS_CHUNK, noise(1000))
    expect(await left(id)).toEqual([`uploads/${id}.tail.${TUS_CHUNK + 1000}`, `uploads/${id}`])
    return id
  }

  test('leaves neither parts nor tail when it is removed, and when it expires', async () => {
    const [removed, expired] = [await unfinished(), await unfinished()]
    expect((await removeUploadOf(world, owner, removed)).statusCode).toBe(204)
    expect(await left(removed)).toEqual([])
    world.clock.now += UNHELD_LIFE + 1
    await removeOldUploads(world.deps)
    expect(await left(expired)).toEqual([])
    expect((await head(world, owner, expired)).statusCode).toBe(410)
  })

  test('without a row loses its parts and its tail after a day, and not before', async () => {
    world.clock.now = Date.now()
    const id = await unfinished()
    await removeUpload(world.deps.db, id, owner.id)
    await removeOldUploads(world.deps)
    expect(await left(id)).toHaveLength(2)
    world.clock.now += DAY + 60_000
    await removeOldUploads(world.deps)
    expect(await left(id)).toEqual([])
  })

  test('stays however old its parts are, while it has a row', async () => {
    const id = await unfinished()
    world.clock.now += 2 * DAY
    await patch(world, owner, id, TUS_CHUNK + 1000, Buffer.alloc(0))
    await removeOldUploads(world.deps)
    expect(await offsetOf(world, owner, id)).toBe(String(TUS_CHUNK + 1000))
  })

  test('has its digest without being read again', async () => {
    const bytes = noise(2 * TUS_CHUNK + 1001)
    const id = await beginUpload(world, owner, bytes.length)
    for (let at = 0; at < bytes.length; at += TUS_CHUNK)
      await patch(world, owner, id, at, bytes.subarray(at, at + TUS_CHUNK))
    const { rows } = await world.database.executeSql(`select digest from uploads where id = '${id}'`)
    expect(store.requests.filter((it) => it.startsWith(`GET /${s3.bucket}/uploads/${id}`))).toEqual([])
    expect(rows).toEqual([{ digest: await world.deps.storage.objects.digestOf(`uploads/${id}`) }])
    expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  })

  test('is whole though the store refuses requests for a moment', async () => {
    const bytes = noise(TUS_CHUNK + 500_000)
    const id = await beginUpload(world, owner, bytes.length)
    for (const at of [0, TUS_CHUNK]) {
      store.refuse(2, `partNumber=${at === 0 ? 1 : 2}`)
      const reply = await patch(world, owner, id, at, bytes.subarray(at, at + TUS_CHUNK))
      expect(reply.statusCode).toBe(204)
    }
    expect((await storedBytes(world, id)).equals(bytes)).toBe(true)
  })
})
