// Retries of a failed media file: only by its author, and limited.
import { rename, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { noLimits } from '#server/http/limits.ts'
import { call, errorOf, noise, type Reply, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

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
const outcomeOf = (reply: Reply) => [reply.statusCode, reply.json().data ?? errorOf(reply).code]
const stateOf = async (postId: string) => (await studio.processedMedia(postId)).map((it) => it.state)

/** Adds a post whose picture fails, since its bytes on the server's disk are corrupt. */
async function addFailedPicture() {
  const raw = { width: 200, height: 150, channels: 3 } as const
  const intact = await sharp(noise(90_000), { raw }).webp().toBuffer()
  const [field, id] = await studio.image(intact, 'a.webp')
  const file = storedAt(world, 'uploads', id)
  await rename(file, `${file}.intact`)
  await writeFile(file, Buffer.from(intact).fill(0xff, 3000))
  const postId = await studio.post([['type', '1'], field])
  expect(await stateOf(postId)).toEqual(['failed'])
  return { id, postId, repair: () => rename(`${file}.intact`, file) }
}

test('a retry by the author makes the file ready once the cause is fixed', async () => {
  const { id, postId, repair } = await addFailedPicture()
  await repair()
  expect(outcomeOf(await retry(id, studio.creator))).toEqual([200, { id, state: 'processing' }])
  expect(await stateOf(postId)).toEqual(['ready'])
})

test('a failure in an earlier version is marked for its author until this version has tried', async () => {
  const { id, postId } = await addFailedPicture()
  const shown = async (as: Studio['fan']) => {
    const { access } = await studio.view(postId, as)
    const [it] = access.is === 'full' ? access.media : []
    return [it?.failure, it?.newer_maker]
  }
  expect(await shown(studio.creator)).toEqual(['unreadable', undefined])
  await world.database.executeSql(`update media set made = made - 'maker' where id = '${id}'`)
  expect(await shown(studio.creator)).toEqual(['unreadable', true])
  expect(await shown(studio.fan)).toEqual([undefined, undefined])
  await retry(id, studio.creator)
  expect(await stateOf(postId)).toEqual(['failed'])
  expect(await shown(studio.creator)).toEqual(['unreadable', undefined])
})

test('a retry of a ready file enqueues no job; two concurrent retries enqueue one', async () => {
  const { id, postId } = await addFailedPicture()
  const enqueue = vi.spyOn(world.deps.jobs, 'enqueue')
  const replies = await Promise.all([retry(id, studio.creator), retry(id, studio.creator)])
  expect(replies.map((it) => it.statusCode)).toEqual([200, 200])
  expect(enqueue.mock.calls.map((it) => it[1])).toEqual(['media.picture'])
  expect(await stateOf(postId)).toEqual(['failed'])
  const [field, readyId] = await studio.image(await jpeg(), 'a.jpg')
  const readyPost = await studio.post([['type', '1'], field])
  await studio.processedMedia(readyPost)
  enqueue.mockClear()
  expect(outcomeOf(await retry(readyId, studio.creator))).toEqual([200, { id: readyId, state: 'ready' }])
  expect(enqueue.mock.calls).toEqual([])
  enqueue.mockRestore()
})

test('a retry by another member or of an unheld file is not_found; a visitor is unauthenticated', async () => {
  const { id, postId } = await addFailedPicture()
  expect(outcomeOf(await retry(id, studio.fan))).toEqual([404, 'not_found'])
  expect(outcomeOf(await retry(id, null))).toEqual([401, 'unauthenticated'])
  expect(outcomeOf(await retry(newId(), studio.creator))).toEqual([404, 'not_found'])
  const unheld = await upload(world, studio.creator, await jpeg(), 'a.jpg')
  expect(outcomeOf(await retry(unheld, studio.creator))).toEqual([404, 'not_found'])
  expect(await stateOf(postId)).toEqual(['failed'])
})

test('a member with too many retries is rate_limited, and another member is not', async () => {
  const id = newId()
  const codes = []
  for (let i = 0; i < 9; i++) codes.push(errorOf(await retry(id, studio.creator)).code)
  expect(codes.at(-1)).toBe('rate_limited')
  expect(errorOf(await retry(id, studio.fan)).code).toBe('not_found')
})
