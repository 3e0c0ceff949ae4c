// Mutations of a page on a device with and without room: stored, or sent from here in their order, and never lost by it.
import { expect, test } from 'vitest'
import type { MutationName } from '#contract/mutations/mutations.ts'
import { createPageQueue, type QueuedMutation, type Sent } from './page-queue.ts'

const done: Sent = { is: 'done' }
const away: Sent = { is: 'away' }

/** One about one post; its name says what it is. */
const act = (id: string, name: MutationName): QueuedMutation => ({
  id,
  act: { name, params: { post_id: 'p' } },
})
const like = act('like', 'likePost')
const unlike = act('unlike', 'unlikePost')
const comment = act('comment', 'addComment')

/** A device with or without room, a server that answers or not, and what became of the mutations. */
function page(given: { room: boolean; server: (id: string) => Sent }) {
  const world = { ...given, said: [] as string[], again: [] as (() => void)[] }
  const line = createPageQueue<QueuedMutation>({
    async keep({ id }) {
      if (world.room) world.said.push(`stored ${id}`)
      return world.room
    },
    async send({ id }) {
      const sent = world.server(id)
      world.said.push(`${sent.is} ${id}`)
      return sent
    },
    refused: ({ id }, code) => world.said.push(`${id}: ${code}`),
    later: (work) => (world.again = [work]),
    changed: () => undefined,
  })
  return { world, line }
}
const settled = () => new Promise((end) => setTimeout(end))

test('a device with room stores each, and nothing is sent from the page', async () => {
  const { world, line } = page({ room: true, server: () => done })
  await Promise.all([line.add(like), line.add(unlike)])
  expect(world.said).toEqual(['stored like', 'stored unlike'])
  expect([line.all(), line.state()]).toEqual([[], 'storing'])
})

test('without room it is sent at once', async () => {
  const { world, line } = page({ room: false, server: () => done })
  await line.add(like)
  expect(world.said).toEqual(['done like'])
  expect(line.all()).toEqual([])
})

test('without room and network all wait in their order; with the network back each is sent once', async () => {
  const { world, line } = page({ room: false, server: () => away })
  await line.add(like)
  await line.add(comment)
  expect([line.all(), line.state()]).toEqual([[like, comment], 'waiting'])
  world.said = []
  world.server = () => done
  world.again[0]?.()
  await settled()
  expect(world.said).toEqual(['done like', 'done comment'])
  expect([line.all(), line.state()]).toEqual([[], 'storing'])
})

test('what waits already is not taken again, whoever brings it anew', async () => {
  const { world, line } = page({ room: false, server: () => away })
  await line.add(comment)
  await line.add({ ...comment })
  expect(line.all()).toEqual([comment])
  world.server = () => done
  world.said = []
  await line.add({ ...comment })
  expect(world.said).toEqual(['done comment'])
})

test('without network, once there is room, they are stored and need this page no more', async () => {
  const { world, line } = page({ room: false, server: () => away })
  await line.add(like)
  world.room = true
  await line.add(comment)
  expect(world.said).toEqual(['away like', 'stored like', 'stored comment'])
  expect(line.state()).toBe('storing')
})

test('what is refused is told, and those behind it go on', async () => {
  const refuse: Sent = { is: 'refused', code: 'not_found' }
  const { world, line } = page({ room: false, server: (it) => (it === 'like' ? refuse : done) })
  await Promise.all([line.add(like), line.add(comment)])
  expect(world.said).toEqual(['refused like', 'like: not_found', 'done comment'])
  expect(line.all()).toEqual([])
})

test('the next person sends nothing of the one before', async () => {
  const { world, line } = page({ room: false, server: () => away })
  await line.add(like)
  line.keepOnly(() => false)
  world.server = () => done
  line.go()
  await settled()
  expect(world.said).toEqual(['away like'])
})

test('what the worker has had answered leaves the line with what came before it about the same thing', async () => {
  const { world, line } = page({ room: false, server: () => away })
  for (const it of [like, comment, unlike]) await line.add(it)
  line.over('unlike')
  expect(line.all()).toEqual([comment])
  line.over('somebody else’s')
  expect(line.all()).toEqual([comment])
  world.server = () => done
  world.said = []
  line.go()
  await settled()
  expect(world.said).toEqual(['done comment'])
})

test('answered while it is being stored in vain, it is not sent from here', async () => {
  const { world, line } = page({ room: false, server: () => done })
  const added = line.add(like)
  line.over('like')
  await added
  expect([world.said, line.all(), line.state()]).toEqual([[], [], 'storing'])
})

test('answered while it is sent in vain, it does not hold up those behind it', async () => {
  const { world, line } = page({ room: false, server: () => done })
  world.server = (id) => {
    if (id !== 'like') return done
    line.over('like')
    return away
  }
  await Promise.all([line.add(like), line.add(comment)])
  expect(world.said).toEqual(['away like', 'done comment'])
  expect([line.all(), line.state(), world.again]).toEqual([[], 'storing', []])
})
