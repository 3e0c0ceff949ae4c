// The loop against servers that lost a post or refuse a token; time is virtual.
import { expect, test } from 'vitest'
import type { FileJob, PostJob } from '#device/jobs/job-rows.ts'
import { fileKinds } from './kinds.ts'
import type { Clock, Fetch, Outcome, Ports, PostApi, QueueStore } from './ports.ts'
import { createRunner } from './runner.ts'
import { postJob } from '#device/testing/jobs.ts'
import { apiWith } from '#sw/testing/one-job.ts'
import { createPostApi } from './requests/publish.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'

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
  stage: PostJob['stage'],
  ms: number,
) {
  let now = 1_000_000
  const end = now + ms
  let job: FileJob | undefined = postJob([], { id: KEY, key: KEY, ownerId: OWNER, stage, createdAt: 0 })
  const paths: string[] = []
  const finished: string[] = []
  const fetch: Fetch = async (url, init) => {
    const { pathname } = new URL(url)
    paths.push(pathname)
    if (paths.length > 300) runner.halt()
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
    change: async (_id, change) => (job &&= change(job)),
    finish: async (_job, id) => {
      finished.push(id)
      job = undefined
    },
  })
  const api = createPostApi({
    fetch,
    clock: { ...stillClock, now: () => now },
    store,
    api: 'https://todoke.test/api',
  })
  const ports: Ports = { store, clock, lock: (work) => work() }
  const runner = createRunner(ports, fileKinds(apiWith(api)))
  await runner.drain()
  return { paths, finished, job }
}

const addedJob = () =>
  postJob([], {
    id: KEY,
    key: KEY,
    ownerId: OWNER,
    stage: { is: 'added', post: { id: MADE, videoId: null } },
  })
const runnerOf = (store: QueueStore, release: PostApi['release']) =>
  createRunner(
    { store, clock: stillClock, lock: (work) => work() },
    fileKinds(apiWith({ release }, async () => undefined)),
  )

test('a token that is refused for the post and accepted for the session is retried after growing waits', async () => {
  const { paths } = await run(() => refusal(401, 'unauthenticated'), { is: 'requested' }, 60_000)
  // At once, then after 0, 1, 3, 5 s and, with the least jitter, 5, 10 and 20 s.
  expect(paths).toHaveLength(8)
})

test('a post that the server lost before its release is added again under its key, and released once', async () => {
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
  const { finished } = await run(server, { is: 'added', post: { id: FORGOTTEN, videoId: null } }, 60_000)
  expect([keys, finished]).toEqual([[KEY], [MADE]])
})

test('a server that loses every post receives three requests in all, then the job fails', async () => {
  const server = (path: string) =>
    path === '/api/post/add'
      ? json(200, { data: [{ item: { id: MADE, video_id: null } }] })
      : refusal(404, 'not_found')
  const { paths, job } = await run(server, { is: 'requested' }, 60_000)
  expect(job?.stage).toMatchObject({ is: 'failed', code: 'not_found' })
  expect(paths.filter((it) => it === '/api/post/add')).toHaveLength(3)
})

test('a page of a captive portal does not end the job: the request is repeated', async () => {
  const page = () => new Response('<html>', { status: 200, headers: { 'Content-Type': 'text/html' } })
  const { job, finished } = await run(page, { is: 'open' }, 60_000)
  expect(job).toMatchObject({
    stage: { is: 'requested' },
    wait: { foreign: true, told: false },
  })
  expect(finished).toEqual([])
})

/** Runs a release whose check fails to read the database, the first time or each time; the server answers afterwards. */
async function runUnreadable(error: DOMException, failures: number) {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  let reads = 0
  let job: FileJob | undefined = addedJob()
  const finished: string[] = []
  const store = storeWith({
    session: async () => {
      if (++reads > 1 && reads <= 1 + failures) throw error
      return { token: 'secret', user }
    },
    deliveries: async () => (job ? [job] : []),
    change: async (_id, change) => (job &&= change(job)),
    finish: async (_job, id) => {
      finished.push(id)
      job = undefined
    },
  })
  const answer = Promise.withResolvers<Outcome<null>>()
  const requested = Promise.withResolvers<AbortSignal>()
  const release: PostApi['release'] = (_job, _post, signal) => {
    requested.resolve(signal)
    signal.addEventListener('abort', () => answer.resolve({ is: 'stopped' }))
    return answer.promise
  }
  const runner = runnerOf(store, release)
  const running = runner.drain().catch((thrown: unknown) => thrown)
  const signal = await requested.promise
  runner.wake()
  await new Promise((resolve) => setImmediate(resolve))
  const isStopped = signal.aborted
  answer.resolve({ is: 'ok', value: null })
  const thrown = await running
  process.off('unhandledRejection', note)
  return { finished, unhandled, isStopped, thrown }
}

test('a database that cannot be read once while a step runs ends neither the step nor the run', async () => {
  const lost = new DOMException('the connection was lost', 'UnknownError')
  const end = await runUnreadable(lost, 1)
  expect(end).toEqual({ finished: [MADE], unhandled: [], isStopped: false, thrown: undefined })
})

test('a page whose database a newer version has upgraded stops its step, since it cannot notice a sign-out', async () => {
  const upgraded = new DOMException('a newer version has upgraded the database', 'VersionError')
  const end = await runUnreadable(upgraded, Infinity)
  expect(end).toEqual({ finished: [], unhandled: [], isStopped: true, thrown: upgraded })
})

test('a page that starts a run stops the step of a person who has signed out, without another message', async () => {
  const session = { token: 'secret', user }
  const job = addedJob()
  const store = storeWith({
    session: async () => session,
    deliveries: async (ownerId) => (ownerId === OWNER ? [job] : []),
  })
  const requested = Promise.withResolvers<void>()
  const release = (_job: PostJob, _post: string, signal: AbortSignal) =>
    new Promise<{ is: 'stopped' }>((resolve) => {
      signal.addEventListener('abort', () => resolve({ is: 'stopped' }))
      requested.resolve()
    })
  const runner = runnerOf(store, release)
  const running = runner.drain()
  await requested.promise
  session.user = { ...user, id: MADE } as unknown as typeof user
  void runner.drain()
  await running
  expect(runner.running()).toBe(false)
})

test.each([
  [3000, 5000],
  [5000, 3000],
])('of jobs that wait until %i and %i the earlier one ends the sleep of the run', async (...times) => {
  const jobs = times.map((until): FileJob => ({ ...addedJob(), wait: { until, told: false } }))
  const sleeps: number[] = []
  const clock: Clock = {
    ...stillClock,
    sleep: async (until) => {
      sleeps.push(until)
      runner.halt()
    },
  }
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    deliveries: async () => jobs,
  })
  const runner = createRunner({ store, clock, lock: (work) => work() }, fileKinds(apiWith({})))
  await runner.drain()
  expect(sleeps).toEqual([3000])
})
