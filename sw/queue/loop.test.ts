// The loop against servers that forgot a post, or refuse a token that get-session accepts; time is virtual.
import { expect, test } from 'vitest'
import { newFacts } from '#device/jobs/facts.ts'
import type { Job, JobFacts, PostJob } from '#device/database/schema.ts'
import { makeRunner } from './drain.ts'
import type { Clock, Fetch, Ports, PublishApi, QueueStore } from './ports.ts'
import { makePublish } from './requests/publish.ts'
import { stillClock, storeWith } from '#sw/testing/transcript.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const KEY = '018f0000-0000-7000-8000-0000000000bb'
const FORGOTTEN = '018f0000-0000-7000-8000-0000000000cc'
const MADE = '018f0000-0000-7000-8000-0000000000dd'
const user = { id: OWNER, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const
const json = (status: number, body: unknown) => Response.json(body, { status })
const refusal = (status: number, code: string) => json(status, { error: { code } })

/** Runs one text post against this server until it ends, or `ms` of virtual time have passed. */
async function run(
  server: (path: string, headers: Headers) => Response,
  facts: Partial<JobFacts>,
  ms: number,
) {
  let now = 1_000_000
  const end = now + ms
  let job: Job | undefined = {
    id: KEY,
    key: KEY,
    kind: 'post',
    ownerId: OWNER,
    protocol: 'tus',
    form: { content: '本文', type: 1, planIds: [], price: '', isAgeLimited: false, kind: 'none' },
    facts: { ...newFacts([], 'tus'), addTried: true, ...facts },
    createdAt: 0,
  } as unknown as PostJob
  const asked: string[] = []
  const finished: string[] = []
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    if (asked.length > 300) runner.halt()
    return server(pathname, new Headers(init.headers))
  }
  const clock: Clock = {
    ...stillClock,
    now: () => now,
    sleep: async (until) => {
      now = Math.max(now, until)
      if (now >= end) runner.halt()
    },
  }
  const store: QueueStore = storeWith({
    // The page accepts the token again at once: get-session does.
    session: async () => ({ token: 'secret', user }),
    refused: async () => undefined,
    deliveries: async () => (job ? [job] : []),
    changeFacts: async (_id, change) => (job &&= { ...job, facts: change(job.facts) }),
    finish: async (_job, id) => {
      finished.push(id)
      job = undefined
    },
  })
  const api = makePublish({
    fetch,
    clock: { ...stillClock, now: () => now },
    store,
    api: 'https://todoke.test/api',
  }) as PublishApi
  const ports: Ports = { store, api, clock, lock: (work) => work() }
  const runner = makeRunner(ports)
  await runner.drain()
  return { asked, finished, facts: job?.facts }
}

test('a token refused for the post, and accepted for the session, is tried ever later', async () => {
  const { asked } = await run(() => refusal(401, 'unauthenticated'), {}, 60_000)
  // At once, then after 0, 1, 3, 5 s and, with the least jitter, 5, 10 and 20 s.
  expect(asked).toHaveLength(8)
})

test('a post that the server forgot before its release is added again under its key, and released once', async () => {
  const keys: (string | null)[] = []
  const server = (path: string, headers: Headers) => {
    if (path === '/api/post/add') {
      keys.push(headers.get('Idempotency-Key'))
      return json(200, { data: [{ item: { id: MADE, video_id: null } }] })
    }
    const known = path === `/api/post/release-uploaded/${MADE}` && keys.length > 0
    return known
      ? json(200, { data: { id: MADE, released_at: '2026-03-05T03:30:00.000Z' } })
      : refusal(404, 'not_found')
  }
  const { finished } = await run(server, { post: { id: FORGOTTEN, videoId: null } }, 60_000)
  expect([keys, finished]).toEqual([[KEY], [MADE]])
})

test('a server that forgets every post is asked three times in all, then the job fails', async () => {
  const server = (path: string) =>
    path === '/api/post/add'
      ? json(200, { data: [{ item: { id: MADE, video_id: null } }] })
      : refusal(404, 'not_found')
  const { asked, facts } = await run(server, {}, 60_000)
  expect(facts?.ending).toEqual({ is: 'failed', code: 'not_found' })
  expect(asked.filter((it) => it === '/api/post/add')).toHaveLength(3)
})

test('a captive portal in front of the server ends nothing: what it answers is asked for again', async () => {
  const page = () => new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } })
  const { facts, finished } = await run(page, { addTried: false }, 60_000)
  expect(facts).toMatchObject({
    ending: { is: 'open' },
    addTried: true,
    wait: { foreign: true, told: false },
  })
  expect(finished).toEqual([])
})

test('a database that cannot be read while a step runs ends neither the step nor the run', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  let reads = 0
  let answer = (_end: { is: 'ok'; value: null }) => {}
  const facts = { ...newFacts([], 'tus'), addTried: true, post: { id: MADE, videoId: null } }
  let job = {
    id: KEY,
    key: KEY,
    kind: 'post',
    ownerId: OWNER,
    form: { content: '本文' },
    facts,
  } as unknown as PostJob | undefined
  const finished: string[] = []
  const store = storeWith({
    session: async () => {
      if (++reads === 2) throw new DOMException('another version has the database', 'VersionError')
      return { token: 'secret', user }
    },
    deliveries: async () => (job ? [job] : []),
    changeFacts: async (_id, change) => (job &&= { ...job, facts: change(job.facts) }),
    finish: async (_job, id) => {
      finished.push(id)
      job = undefined
    },
  })
  const asked = Promise.withResolvers<void>()
  const release = () =>
    new Promise<{ is: 'ok'; value: null }>((resolve) => {
      answer = resolve
      asked.resolve()
    })
  const api = { release } as unknown as PublishApi
  const runner = makeRunner({ store, api, clock: stillClock, lock: (work) => work() })
  const running = runner.drain()
  await asked.promise
  runner.wake()
  await new Promise((resolve) => setImmediate(resolve))
  answer({ is: 'ok', value: null })
  await running
  process.off('unhandledRejection', note)
  expect([finished, unhandled]).toEqual([[MADE], []])
})

test('a page that asks for a run stops the step of a person who has left, though nothing said so', async () => {
  const session = { token: 'secret', user }
  const facts = { ...newFacts([], 'tus'), addTried: true, post: { id: MADE, videoId: null } }
  const job = {
    id: KEY,
    key: KEY,
    kind: 'post',
    ownerId: OWNER,
    form: { content: '本文' },
    facts,
  } as unknown as PostJob
  const store = storeWith({
    session: async () => session,
    deliveries: async (ownerId) => (ownerId === OWNER ? [job] : []),
  })
  const asked = Promise.withResolvers<void>()
  const release = (_job: unknown, _post: unknown, signal: AbortSignal) =>
    new Promise<{ is: 'stopped' }>((resolve) => {
      signal.addEventListener('abort', () => resolve({ is: 'stopped' }))
      asked.resolve()
    })
  const api = { release } as unknown as PublishApi
  const runner = makeRunner({ store, api, clock: stillClock, lock: (work) => work() })
  const running = runner.drain()
  await asked.promise
  session.user = { ...user, id: MADE } as unknown as typeof user
  void runner.drain()
  await running
  expect(runner.running()).toBe(false)
})
