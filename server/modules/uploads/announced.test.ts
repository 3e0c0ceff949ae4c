// The announced length of an upload cannot be changed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TUS_PATH } from '#contract/paths.ts'
import { errorOf, signUp, tus } from '#server/testing/people/members.ts'
import { beginUpload, offsetOf } from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a length that is announced a second time is a bad_request and changes no byte', async () => {
  const owner = await signUp(world)
  const id = await beginUpload(world, owner, 10)
  const reply = await world.app.inject({
    method: 'PATCH',
    url: `${TUS_PATH}/${id}`,
    headers: {
      ...owner.auth,
      ...tus,
      'upload-offset': '0',
      'upload-length': '20',
      'content-type': 'application/offset+octet-stream',
    },
    payload: Buffer.alloc(20),
  })
  expect([reply.statusCode, errorOf(reply).code]).toEqual([400, 'bad_request'])
  expect(await offsetOf(world, owner, id)).toBe('0')
})
