// Failed attempts of media jobs: when they are retried, and when the file is failed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMedia } from '#server/store/media/media.ts'
import { addPost, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { makeMedia, MAX_ATTEMPTS } from './make.ts'

let world: World
let creator: Member
let makerWorks = false
const made = { widths: [480], poster: false, blurred: true }
beforeAll(async () => {
  const mediaMaker = {
    async make() {
      if (!makerWorks) throw new Error('the process crashed')
      return { is: 'made', media: { width: 1, height: 1, duration: null, animated: false, made } } as const
    },
    makeLadder: () => Promise.reject(new Error('no smaller renditions in this test')),
    close() {},
  }
  world = await openWorld({ parts: { mediaMaker } })
  creator = await signUp(world)
})
afterAll(() => world.close())

async function addWaitingMedia(): Promise<string> {
  const id = await upload(world, creator, await jpeg(), 'a.jpg')
  await addPost(world, creator, [
    ['type', '1'],
    ['has_image_file[]', id],
  ])
  return id
}
const stateOf = async (id: string) => {
  const row = await findMedia(world.deps.db, id)
  return [row?.state, row?.attempts]
}

test('a crashed attempt throws, so that the queue retries it; a completed one makes the media ready', async () => {
  makerWorks = false
  const id = await addWaitingMedia()
  await expect(makeMedia(world.deps, id)).rejects.toThrow('the process crashed')
  expect(await stateOf(id)).toEqual(['processing', 1])
  makerWorks = true
  await makeMedia(world.deps, id)
  expect(await stateOf(id)).toEqual(['ready', 2])
  await makeMedia(world.deps, id)
  expect(await stateOf(id)).toEqual(['ready', 2])
})

test('a file whose attempts all crash is failed after four attempts', async () => {
  makerWorks = false
  const id = await addWaitingMedia()
  for (let i = 0; i < MAX_ATTEMPTS; i++)
    await expect(makeMedia(world.deps, id)).rejects.toThrow('the process crashed')
  await makeMedia(world.deps, id)
  expect((await stateOf(id))[0]).toBe('failed')
})

test('an attempt that a shutdown of the server interrupts is not counted', async () => {
  makerWorks = false
  const id = await addWaitingMedia()
  world.deps.draining.now = true
  await expect(makeMedia(world.deps, id)).rejects.toThrow('the process crashed')
  world.deps.draining.now = false
  expect(await stateOf(id)).toEqual(['processing', 0])
})
