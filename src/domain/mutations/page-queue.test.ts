// The page queue stores mutations in order, or in memory without room.
import { expect, test, vi } from 'vitest'
import type { MutationName } from '#contract/mutations/mutations.ts'
import { createPageQueue, type QueuedMutation } from './page-queue.ts'

/** A mutation of one post. */
const mutation = (id: string, name: MutationName): QueuedMutation => ({
  id,
  mutation: { name, params: { post_id: 'p' } },
})
const like = mutation('like', 'likePost')
const unlike = mutation('unlike', 'unlikePost')
const comment = mutation('comment', 'addComment')

/** A device with or without room, and a log of the mutations. */
function page(given: { room: boolean }) {
  const world = {
    ...given,
    canLoad: true,
    done: [] as string[],
    held: [] as string[],
    later: [] as (() => void)[],
  }
  const queue = createPageQueue<QueuedMutation>({
    async store({ id }) {
      if (world.room) world.done.push(`stored ${id}`)
      return world.room
    },
    async hold({ id }) {
      if (!world.canLoad) throw new TypeError('Failed to fetch dynamically imported module')
      world.done.push(`held ${id}`)
      world.held.push(id)
    },
    isHolding: () => world.held.length > 0,
    later: (work) => (world.later = [work]),
    changed: () => undefined,
  })
  return { world, queue }
}

test('a device with room stores each mutation in order', async () => {
  const { world, queue } = page({ room: true })
  await Promise.all([queue.add(like), queue.add(unlike)])
  expect(world.done).toEqual(['stored like', 'stored unlike'])
  expect(queue.all()).toEqual([])
})

test('without room a mutation is held in memory', async () => {
  const { world, queue } = page({ room: false })
  await queue.add(like)
  expect(world.done).toEqual(['held like'])
  expect(queue.all()).toEqual([])
})

test('while earlier ones are in memory, a later one does not overtake them on the device', async () => {
  const { world, queue } = page({ room: false })
  await queue.add(like)
  world.room = true
  await queue.add(unlike)
  world.held = []
  await queue.add(comment)
  expect(world.done).toEqual(['held like', 'held unlike', 'stored comment'])
})

test('code that cannot be loaded is loaded again later, and nothing is lost or repeated until then', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { world, queue } = page({ room: false })
  world.canLoad = false
  await queue.add(like)
  await queue.add({ ...like })
  await queue.add(comment)
  expect([queue.all(), world.done]).toEqual([[like, comment], []])
  expect(warn).toHaveBeenCalled()
  world.canLoad = true
  world.later[0]?.()
  await expect.poll(() => queue.all()).toEqual([])
  expect(world.done).toEqual(['held like', 'held comment'])
  warn.mockRestore()
})

test('a mutation whose reply comes from the worker leaves the queue with earlier ones of its target', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { world, queue } = page({ room: false })
  world.canLoad = false
  for (const it of [like, comment, unlike]) await queue.add(it)
  expect(queue.dropUpTo('unlike')).toBe('like post p')
  expect(queue.all()).toEqual([comment])
  expect(queue.dropUpTo('of another page')).toBeUndefined()
  expect(queue.all()).toEqual([comment])
  warn.mockRestore()
})

test('a mutation that is answered while storing fails is not held in memory', async () => {
  const { world, queue } = page({ room: false })
  const added = queue.add(like)
  queue.dropUpTo('like')
  await added
  expect([world.done, queue.all()]).toEqual([[], []])
})

test('mutations of an account that signed out are dropped', async () => {
  const { world, queue } = page({ room: false })
  const added = queue.add(like)
  queue.retain(() => false)
  await added
  expect([world.done, queue.all()]).toEqual([[], []])
})
