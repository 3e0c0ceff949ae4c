// A failed file tried again by its author: once per request, by no other person, and with a limit.
import { rename, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits } from '#server/http/limits.ts'
import { call, errorOf, noise, type Reply, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600 * 1000

let world: World
let studio: Studio
beforeAll(async () => {
  const retries = { max: 8, timeWindow: HOUR }
  world = await openWorld({ worker: true, settings: { limits: { ...noLimits, retries } } })
  studio = await openStudio(world)
})
afterAll(() => world.close())

const retry = (id: string, as: Studio['fan'] | null) => call(world, as, 'POST', `/media/${id}/retry`)
const answer = (reply: Reply) => [reply.statusCode, reply.json().data ?? errorOf(reply).code]
const stateOf = async (postId: string) => (await studio.settled(postId)).map((it) => it.state)

/** A picture whose bytes on the server's disk are not what they should be. */
async function failed() {
  const raw = { width: 200, height: 150, channels: 3 } as const
  const whole = await sharp(noise(90_000), { raw }).png().toBuffer()
  const [field, id] = await studio.image(whole, 'a.png')
  const file = world.deps.files.uploadPath(id)
  await rename(file, `${file}.whole`)
  await writeFile(file, Buffer.from(whole).fill(0, 5000))
  const postId = await studio.post([['type', '1'], field])
  expect(await stateOf(postId)).toEqual(['failed'])
  return { id, postId, mend: () => rename(`${file}.whole`, file) }
}

test('the author requests another try, and once the cause is fixed the file is ready', async () => {
  const { id, postId, mend } = await failed()
  await mend()
  expect(answer(await retry(id, studio.creator))).toEqual([200, { id, state: 'processing' }])
  expect(await stateOf(postId)).toEqual(['ready'])
})

test('a request for a ready file adds no try; two requests at once add one', async () => {
  const { id, postId } = await failed()
  const enqueue = vi.spyOn(world.deps.jobs, 'enqueue')
  const replies = await Promise.all([retry(id, studio.creator), retry(id, studio.creator)])
  expect(replies.map((it) => it.statusCode)).toEqual([200, 200])
  expect(enqueue.mock.calls.map((it) => it[1])).toEqual(['media.picture'])
  expect(await stateOf(postId)).toEqual(['failed'])
  const [field, fine] = await studio.image(await jpeg(), 'a.jpg')
  const shown = await studio.post([['type', '1'], field])
  await studio.settled(shown)
  enqueue.mockClear()
  expect(answer(await retry(fine, studio.creator))).toEqual([200, { id: fine, state: 'ready' }])
  expect(enqueue.mock.calls).toEqual([])
  enqueue.mockRestore()
})

test('for another person the file is not_found, and a visitor is unauthenticated', async () => {
  const { id, postId } = await failed()
  expect(answer(await retry(id, studio.fan))).toEqual([404, 'not_found'])
  expect(answer(await retry(id, null))).toEqual([401, 'unauthenticated'])
  expect(answer(await retry(newId(), studio.creator))).toEqual([404, 'not_found'])
  const unheld = await upload(world, studio.creator, await jpeg(), 'a.jpg')
  expect(answer(await retry(unheld, studio.creator))).toEqual([404, 'not_found'])
  expect(await stateOf(postId)).toEqual(['failed'])
})

test('a person with too many requests is rate_limited; another is not', async () => {
  const id = newId()
  const codes = []
  for (let i = 0; i < 9; i++) codes.push(errorOf(await retry(id, studio.creator)).code)
  expect(codes.at(-1)).toBe('rate_limited')
  expect(errorOf(await retry(id, studio.fan)).code).toBe('not_found')
})
