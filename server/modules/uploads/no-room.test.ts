// Uploads on a full disk: none is begun, and existing ones stay readable.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { createUpload, metadataOf, removeUploadOf } from '#server/testing/media/uploads.ts'
import { errorOf, head, signUp } from '#server/testing/people/members.ts'
import { claimUpload } from '#server/store/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ settings: { minFreeDisk: 1e18 } })
})
afterAll(() => world.close())

test('a new upload is refused with storage_full; an existing one is found and can be removed', async () => {
  const owner = await signUp(world)
  const refused = await createUpload(world, owner, {
    'upload-length': '1',
    'upload-metadata': metadataOf(newId()),
  })
  expect([refused.statusCode, errorOf(refused).code]).toEqual([507, 'storage_full'])
  const id = newId()
  await claimUpload(world.deps.db, { id, ownerId: owner.id, length: 5, metadata: {} }, world.clock.now)
  expect((await head(world, owner, id)).headers['upload-offset']).toBe('0')
  expect((await removeUploadOf(world, owner, id)).statusCode).toBe(204)
})
