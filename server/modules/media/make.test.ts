// Media work that goes wrong: tried again, and given up in the end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMedia } from '#server/store/media/media.ts'
import { addPost, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { makeMedia, MAX_ATTEMPTS } from './make.ts'

let world: World
let creator: Member
let works = false
const made = { widths: [480], poster: false, blurred: true }
beforeAll(async () => {
  const mediaMaker = {
    async make() {
      if (!works) throw new Error('the child died')
      return { is: 'made', media: { width: 1, height: 1, duration: null, animated: false, made } } as const
    },
    makeLadder: () => Promise.reject(new Error('nothing to make smaller')),
    close() {},
  }
  world = await openWorld({ parts: { mediaMaker } })
  creator = await signUp(world)
})
afterAll(() => world.close())

async function waiting(): Promise<string> {
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

test('a child that dies is an error for the queue to try again; when it lives, the media is ready', async () => {
  works = false
  const id = await waiting()
  await expect(makeMedia(world.deps, id)).rejects.toThrow('the child died')
  expect(await stateOf(id)).toEqual(['processing', 1])
  works = true
  await makeMedia(world.deps, id)
  expect(await stateOf(id)).toEqual(['ready', 2])
  await makeMedia(world.deps, id)
  expect(await stateOf(id)).toEqual(['ready', 2])
})

test('a file whose work always dies is failed after four tries', async () => {
  works = false
  const id = await waiting()
  for (let i = 0; i < MAX_ATTEMPTS; i++)
    await expect(makeMedia(world.deps, id)).rejects.toThrow('the child died')
  await makeMedia(world.deps, id)
  expect((await stateOf(id))[0]).toBe('failed')
})

test('an attempt cut by our own stopping does not count', async () => {
  works = false
  const id = await waiting()
  world.deps.draining.now = true
  await expect(makeMedia(world.deps, id)).rejects.toThrow('the child died')
  world.deps.draining.now = false
  expect(await stateOf(id)).toEqual(['processing', 0])
})
