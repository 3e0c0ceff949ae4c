// Mutations in a page's memory: sent in order, or stored once the device has room.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RESPONSE_HEADER } from '#contract/response.ts'
import { newId } from '#contract/ids.ts'
import type { Mutation } from '#contract/mutations/mutations.ts'
import { defined } from '#contract/testing/defined.ts'
import { createMemoryRows } from '#device/mutations/memory-rows.ts'
import { session } from '#sw/testing/one-job.ts'
import { stillClock } from '#sw/testing/scripted-server.ts'
import { createConnectedMemoryRunner } from './connected-memory-runner.ts'
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

/** A device with or without room and a server with its answers; `log` has the result of each mutation. */
function page({ server }: { server: (name: string) => Outcome<null> }) {
  const world = {
    server,
    hasRoom: false,
    person: 'aoi' as string | undefined,
    /** Runs while the page tries to store a mutation on the device. */
    onStore: (_id: string) => {},
    log: [] as string[],
  }
  const rows = createMemoryRows(() => undefined)
  const runner = createMemoryRunner({
    rows,
    clock: stillClock,
    session: () => (world.person === undefined ? undefined : session(world.person)),
    store: async ({ id, form }) => {
      world.onStore(id)
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

test('without room each mutation is sent once, in order', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  await runner.drain()
  expect(world.log).toEqual(['ok likePost', 'ok addComment'])
  expect(rows.all()).toEqual([])
})

test('without room and network all mutations wait, and each is sent once when the network is back', async () => {
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

test('as soon as there is room the device stores the mutations, and the page sends none', async () => {
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

test('a refused mutation stays for the person to read, and others continue', async () => {
  const refused: Outcome<null> = { is: 'refused', code: 'not_found' }
  const { world, rows, runner, add } = page({ server: (name) => (name === 'likePost' ? refused : done) })
  add(like, comment)
  await runner.drain()
  expect(world.log).toEqual(['refused likePost', 'ok addComment'])
  expect(rows.all()).toMatchObject([{ form: { mutation: like }, stage: { is: 'failed', code: 'not_found' } }])
})

test('the second mutation of one target waits for the first, that of another target does not', async () => {
  const { world, add, rest } = page({ server: (name) => (name === 'addComment' ? lost : done) })
  add(comment, { ...comment, body: { id: newId(), content: 'ま' } }, follow)
  await rest()
  expect(world.log.toSorted()).toEqual(['lost addComment', 'lost addComment', 'ok follow'])
})

test('no mutation is sent while another person, or none, is signed in', async () => {
  const { world, add, rest, stages } = page({ server: () => done })
  add(like)
  world.person = 'ren'
  await rest()
  world.person = undefined
  await rest()
  expect([world.log, stages()]).toEqual([[], ['open']])
})

test('a mutation that is answered while the device cannot store it is not sent by the page', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  const [first] = rows.all()
  world.onStore = (id) => {
    if (id === first?.id) rows.dropUpTo(id)
  }
  await runner.drain()
  expect(world.log).toEqual(['ok addComment'])
})

test('a mutation that is answered elsewhere while its request is lost does not delay later ones', async () => {
  const { world, rows, runner, add } = page({ server: () => done })
  add(like, comment)
  world.server = (name) => {
    if (name !== 'likePost') return done
    rows.dropUpTo(defined(rows.all()[0]?.id))
    return lost
  }
  await runner.drain()
  expect(world.log).toEqual(['lost likePost', 'ok addComment'])
  expect(rows.all()).toEqual([])
})

describe('connected to the server of this build', () => {
  const SHORT = 2000
  const withText = (length: number): Mutation => {
    const body = { id: newId(), content: '' }
    const rest = JSON.stringify(body).length
    return {
      name: 'addComment',
      params: { post_id: newId() },
      body: { ...body, content: 'a'.repeat(length - rest) },
    }
  }

  /** Sends these mutations from memory; returns the requests, and the replies that the page received. */
  async function sending(mutations: Mutation[], reply: (request: Request) => Response) {
    const requests: { url: string; keepalive: boolean; token: string | null; number: string | null }[] = []
    const received: unknown[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const request = new Request(url, init)
      const { headers } = request
      requests.push({
        url,
        keepalive: init.keepalive === true,
        token: headers.get('Authorization'),
        number: headers.get('Act-Number'),
      })
      return reply(request)
    })
    const rows = createMemoryRows(() => undefined)
    for (const mutation of mutations) rows.add('aoi', { mutation, about: 'れん' }, 0)
    const numbers = rows.all().map(({ number }) => number)
    let isSignedIn = true
    const runner = createConnectedMemoryRunner('https://todoke.test', rows, {
      store: async () => false,
      session: () => (isSignedIn ? session('aoi') : undefined),
      refused: async (token) => {
        isSignedIn = false
        received.push(['refused', token])
      },
      onReply: (_job, json) => received.push(json),
    })
    await runner.drain()
    return { requests, received, numbers, rows }
  }
  const answered = (body: unknown, status = 200) =>
    Response.json(body, { status, headers: { [RESPONSE_HEADER]: '1' } })

  afterEach(() => vi.unstubAllGlobals())

  test('a mutation is sent with the token of the page, so that the request outlives the page', async () => {
    const reply = { data: { liked: true, likes: 1 } }
    const { requests, received, numbers } = await sending([like], () => answered(reply))
    const [number] = numbers
    expect(requests).toEqual([
      {
        url: `https://todoke.test/api/posts/${post}/like`,
        keepalive: true,
        token: 'Bearer t',
        number: `${number?.source}.${number?.number}`,
      },
    ])
    expect(received).toEqual([reply])
  })

  test.each([
    [SHORT, true],
    [SHORT + 1, false],
  ])('a body of %i characters outlives the page: %s', async (length, outlives) => {
    const { requests } = await sending([withText(length)], () =>
      answered({ error: { code: 'forbidden' } }, 403),
    )
    expect(requests.map((it) => it.keepalive)).toEqual([outlives])
  })

  test('a reply that contradicts a mutation has it sent again under a new source of numbers', async () => {
    let likes = 0
    const { requests, received, rows } = await sending([like], () =>
      answered({ data: { liked: likes++ > 0, likes } }),
    )
    const sources = requests.map(({ number }) => number?.split('.')[0])
    expect([sources.length, new Set(sources).size]).toEqual([2, 2])
    expect([received, rows.all()]).toEqual([[{ data: { liked: true, likes: 2 } }], []])
  })

  test('a refused token is reported to the page, which has no session then', async () => {
    const { requests, received } = await sending([like], () =>
      answered({ error: { code: 'unauthenticated' } }, 401),
    )
    expect([requests.length, received]).toEqual([1, [['refused', 't']]])
  })
})
