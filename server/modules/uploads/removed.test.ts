// Chunks whose upload is removed while their request waits for its lock.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { removeUpload } from '#server/store/media/uploads.ts'
import { errorOf, head, type Member, patch, signUp } from '#server/testing/people/members.ts'
import { beginUpload, storedBytes } from '#server/testing/media/uploads.ts'
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

/** Sends ten bytes while the upload is locked; `during` runs in the lock, once the bytes wait for it. */
async function sendWhileLocked(id: string, during: () => Promise<unknown>) {
  const { promise: waiting, resolve } = Promise.withResolvers<void>()
  let sending: ReturnType<typeof patch> | undefined
  const work = async () => {
    sending = patch(world, owner, id, 0, Buffer.alloc(10))
    await waiting
    await during()
  }
  await world.deps.uploadLocks.withLock(id, work, resolve)
  if (!sending) throw new Error('the chunk was not sent')
  return sending
}

test('bytes that waited behind a removal are not_found and make no file', async () => {
  const id = await beginUpload(world, owner)
  const reply = await sendWhileLocked(id, async () => {
    await removeUpload(world.deps.db, id, owner.id)
    await world.deps.storage.objects.remove(`uploads/${id}`)
  })
  expect([reply.statusCode, errorOf(reply)]).toEqual([404, { code: 'not_found' }])
  await expect(storedBytes(world, id)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('bytes that waited behind the expiry are refused with gone and make no file', async () => {
  const id = await beginUpload(world, owner)
  const reply = await sendWhileLocked(id, async () => {
    world.clock.now += UNHELD_LIFE + 1
    await removeOldUploads(world.deps)
  })
  expect([reply.statusCode, errorOf(reply)]).toEqual([410, { code: 'gone' }])
  await expect(storedBytes(world, id)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('bytes that waited behind a request that leaves the upload are stored', async () => {
  const id = await beginUpload(world, owner)
  const reply = await sendWhileLocked(id, async () => undefined)
  expect(reply.statusCode).toBe(204)
  expect((await head(world, owner, id)).headers['upload-offset']).toBe('10')
})
