// Mutations in a page's memory: sent from the page in their order, or given to the device as soon as it has room.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { createMemoryRows } from '#device/mutations/memory-rows.ts'
import { session } from '#sw/testing/one-job.ts'
import { stillClock } from '#sw/testing/transcript.ts'
import { createMemoryRunner } from './memory-runner.ts'
import type { Outcome } from './ports.ts'

const post = newId()
const like: Mutation = { name: 'likePost', params: { post_id: post } }
const comment: Mutation = {
  name: 'addComment',
  params: { post_id: post },
  body: { id: newId(), content: 'や' },
}
const follow: Mutation = { name: 'follow', params: { user_id: newId() } }
const done: Outcome<null> = { is: 'ok', value: null }
const lost: Outcome<null> = { is: 'lost' }

/** A device with or without room and a server with its answers; `log` has what became of the mutations. */
function page({ server }: { server: (name: string) => Outcome<null> }) {
  const world = {
    server,
    hasRoom: false,
    person: 'aoi' as string | undefined,
    /** Runs while the device is offered a mutation. */
    offered: (_id: string) => {},
    log: [] as string[],
  }
  const rows = createMemoryRows(() => undefined)
  const runner = createMemoryRunner({
    rows,
    clock: stillClock,
    session: () => (world.person === undefined ? undefined : session(world.person)),
    store: async ({ id, form }) => {
      world.offered(id)
      if (world.hasRoom) world.log.push(`stored ${form.mutation.name}`)
      return world.hasRoom
    },
    api: {
      mutate: async ({ form: { mutation } }) => {
        const end = world.server(mutation.name)
        world.log.push(`${end.is} ${mutation.name}`)
        return end
      },
    },
  })
  const add = (...mutations: Mutation[]) => {
    for (const mutation of mutations) rows.add('aoi', { mutation, about: 'れん' }, 0)
  }
  /** Until nothing more happens by itself: the run is over or waits for its time. */
  const rest = async () => {
    void runner.drain()
    for (let i = 0; i < 40; i++) await new Promise(setImmediate)
  }
  return { world, rows, runner, add, rest, stages: () => rows.all().map((it) => it.stage.is) }
}

test('without room each is sent once, in their order', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  await runner.drain()
  expect(world.log).toEqual(['ok likePost', 'ok addComment'])
  expect(rows.all()).toEqual([])
})

test('without room and network all wait; with the network back each is sent once', async () => {
  const { world, rows, runner, add, rest } = page({ server: () => lost })
  add(like, comment)
  await rest()
  // Section 9: the first retry is at once.
  expect(world.log.toSorted()).toEqual([
    'lost addComment',
    'lost addComment',
    'lost likePost',
    'lost likePost',
  ])
  expect(rows.all().map((it) => it.attempts)).toEqual([2, 2])
  Object.assign(world, { server: () => done, log: [] })
  await runner.nudge()
  await rest()
  expect(world.log).toEqual(['ok likePost', 'ok addComment'])
  expect(rows.all()).toEqual([])
})

test('as soon as there is room, the device has them, and nothing is sent from the page', async () => {
  const { world, rows, runner, add, rest } = page({ server: () => lost })
  add(like)
  await rest()
  Object.assign(world, { hasRoom: true, log: [] })
  add(comment)
  await runner.nudge()
  await rest()
  expect(world.log).toEqual(['stored likePost', 'stored addComment'])
  expect(rows.all()).toEqual([])
})

test('a refused one stays for the person to read, and others go on', async () => {
  const refused: Outcome<null> = { is: 'refused', code: 'not_found' }
  const { world, rows, runner, add } = page({ server: (name) => (name === 'likePost' ? refused : done) })
  add(like, comment)
  await runner.drain()
  expect(world.log).toEqual(['refused likePost', 'ok addComment'])
  expect(rows.all()).toMatchObject([{ form: { mutation: like }, stage: { is: 'failed', code: 'not_found' } }])
})

test('of one target the second waits for the first; another target does not', async () => {
  const { world, add, rest } = page({ server: (name) => (name === 'addComment' ? lost : done) })
  add(comment, { ...comment, body: { id: newId(), content: 'ま' } }, follow)
  await rest()
  expect(world.log.toSorted()).toEqual(['lost addComment', 'lost addComment', 'ok follow'])
})

test('while another person is signed in, or none, nothing is sent', async () => {
  const { world, add, rest, stages } = page({ server: () => done })
  add(like)
  world.person = 'ren'
  await rest()
  world.person = undefined
  await rest()
  expect([world.log, stages()]).toEqual([[], ['open']])
})

test('answered while the device is offered it in vain, it is not sent from here', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  const [first] = rows.all()
  world.offered = (id) => {
    if (id === first?.id) rows.dropUpTo(id)
  }
  await runner.drain()
  expect(world.log).toEqual(['ok addComment'])
})

test('answered elsewhere while it is sent in vain, it does not hold up those behind it', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  world.server = (name) => {
    if (name !== 'likePost') return done
    rows.dropUpTo(rows.all()[0]?.id ?? '')
    return lost
  }
  await runner.drain()
  expect(world.log).toEqual(['lost likePost', 'ok addComment'])
  expect(rows.all()).toEqual([])
})
