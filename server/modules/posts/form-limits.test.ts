// Byte limits of the form of /post/add: fields, files and the announced length.
import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { MAX_FIELD_BYTES, MAX_FIELDS_BYTES, MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { addPost, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await signUp(world)
})
afterAll(() => world.close())
afterEach(async () => expect(await readdir(world.deps.storage.scratch.folder)).toEqual([]))

async function answer(fields: Parameters<typeof addPost>[2]): Promise<[number, unknown]> {
  const reply = await addPost(world, creator, fields)
  return [reply.statusCode, reply.statusCode === 200 ? undefined : errorOf(reply)]
}

test('a post may have ten thousand Japanese characters', async () => {
  expect(
    await answer([
      ['content', '届'.repeat(10_000)],
      ['type', '1'],
    ]),
  ).toEqual([200, undefined])
})

test('a known or unknown field above its limit is too_long', async () => {
  const long = 'a'.repeat(MAX_FIELD_BYTES + 1)
  for (const name of ['content', 'unknown'])
    expect(
      await answer([
        ['type', '1'],
        [name, long],
      ]),
    ).toEqual([422, { code: 'invalid', fields: { [name]: 'too_long' } }])
})

test('fields that are too large together are too_large', async () => {
  const half = 'a'.repeat(MAX_FIELDS_BYTES / 2)
  expect(
    await answer([
      ['content', half],
      ['image_alt[]', half],
    ]),
  ).toEqual([413, { code: 'too_large' }])
})

test('a request whose content-length is above the limit of its parts is refused before it is read', async () => {
  const reply = await world.app.inject({
    method: 'POST',
    url: '/api/post/add',
    headers: {
      ...creator.auth,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(MAX_TOTAL_BYTES * 2),
    },
    payload: '--x',
  })
  expect([reply.statusCode, errorOf(reply)]).toEqual([413, { code: 'too_large' }])
})
