// The page's queue of mutations: stored on the device in their order or, without room, held in memory.
import { expect, test, vi } from 'vitest'
import type { MutationName } from '#contract/mutations/mutations.ts'
import { createPageQueue, type QueuedMutation } from './page-queue.ts'

/** One about one post; its name says what it is. */
const mutation = (id: string, name: MutationName): QueuedMutation => ({
  id,
  mutation: { name, params: { post_id: 'p' } },
})
const like = mutation('like', 'likePost')
const unlike = mutation('unlike', 'unlikePost')
const comment = mutation('comment', 'addComment')

/** A device with or without room, and what became of the mutations. */
function page(given: { room: boolean }) {
  const world = {
    ...given,
    canLoad: true,
    done: [] as string[],
    held: [] as string[],
    later: [] as (() => void)[],
  }
  const line = createPageQueue<QueuedMutation>({
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
  return { world, line }
}

test('a device with room stores each in its turn', async () => {
  const { world, line } = page({ room: true })
  await Promise.all([line.add(like), line.add(unlike)])
  expect(world.done).toEqual(['stored like', 'stored unlike'])
  expect(line.all()).toEqual([])
})

test('without room it is held in memory', async () => {
  const { world, line } = page({ room: false })
  await line.add(like)
  expect(world.done).toEqual(['held like'])
  expect(line.all()).toEqual([])
})

test('while earlier ones are in memory, a later one does not overtake them on the device', async () => {
  const { world, line } = page({ room: false })
  await line.add(like)
  world.room = true
  await line.add(unlike)
  world.held = []
  await line.add(comment)
  expect(world.done).toEqual(['held like', 'held unlike', 'stored comment'])
})

test('code that cannot be loaded is loaded again later, and nothing is lost or repeated until then', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { world, line } = page({ room: false })
  world.canLoad = false
  await line.add(like)
  await line.add({ ...like })
  await line.add(comment)
  expect([line.all(), world.done]).toEqual([[like, comment], []])
  expect(warn).toHaveBeenCalled()
  world.canLoad = true
  world.later[0]?.()
  await vi.waitFor(() => expect(line.all()).toEqual([]))
  expect(world.done).toEqual(['held like', 'held comment'])
  warn.mockRestore()
})

test('what the worker has had answered leaves the queue with what came before it about the same target', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { world, line } = page({ room: false })
  world.canLoad = false
  for (const it of [like, comment, unlike]) await line.add(it)
  expect(line.dropUpTo('unlike')).toBe('like post p')
  expect(line.all()).toEqual([comment])
  expect(line.dropUpTo('of another page')).toBeUndefined()
  expect(line.all()).toEqual([comment])
  warn.mockRestore()
})

test('answered while it is being stored in vain, it is not held', async () => {
  const { world, line } = page({ room: false })
  const added = line.add(like)
  line.dropUpTo('like')
  await added
  expect([world.done, line.all()]).toEqual([[], []])
})

test('those of a person who left are dropped', async () => {
  const { world, line } = page({ room: false })
  const added = line.add(like)
  line.retain(() => false)
  await added
  expect([world.done, line.all()]).toEqual([[], []])
})
