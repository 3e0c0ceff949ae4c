// Runs of the queue: one at a time, under the lock, and their early ends.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { addedPostOf, type PostJob } from '#device/jobs/job-rows.ts'
import { postJob } from '#device/testing/jobs.ts'
import type { FileApi, Outcome, PostApi } from './ports.ts'
import { jobAfter, FILE } from '#sw/testing/job-after.ts'
import { succeed, post, queue, withSentFile } from '#sw/testing/one-job.ts'

const added = async (): ReturnType<PostApi['addPost']> => ({
  is: 'ok',
  value: { postId: 'p', videoId: null },
})

/** A send that lasts until it is stopped or the test ends it. */
function lasting() {
  const sends: { signal: AbortSignal; end: (outcome: Outcome<null>) => void }[] = []
  const send: FileApi['send'] = (_job, _mediaId, _onProgress, signal) =>
    new Promise((end) => {
      sends.push({ signal, end })
      if (signal.aborted) end({ is: 'stopped' })
      signal.addEventListener('abort', () => end({ is: 'stopped' }), { once: true })
    })
  return { send, sends }
}

const turn = async () => {
  for (let i = 0; i < 10; i++) await new Promise(setImmediate)
}

test('every request is sent while the lock is held', async () => {
  const held: number[] = []
  const it = queue(post(withSentFile), {
    addPost: () => {
      held.push(it.state.locks)
      return added()
    },
    release: () => {
      held.push(it.state.locks)
      return succeed()
    },
  })
  await it.runner.drain()
  expect([held, it.state.locks]).toEqual([[1, 1], 0])
})

test('callers share one run: the lock is taken once', async () => {
  const it = queue(post(withSentFile), {
    addPost: async () => {
      expect(it.state.locks).toBe(1)
      return added()
    },
    release: succeed,
  })
  const runs = [it.runner.drain(), it.runner.drain()]
  expect(it.state.locks).toBe(1)
  expect(runs[0]).toBe(runs[1])
  await Promise.all(runs)
})

test('a halt aborts the current step and begins no other', async () => {
  const { send, sends } = lasting()
  const it = queue(post(), { send })
  const run = it.runner.drain()
  await expect.poll(() => sends.length).toBe(1)
  it.runner.halt()
  expect(sends[0]?.signal.aborted).toBe(true)
  await run
  expect(it.log).toEqual(['send'])
  expect(it.runner.running()).toBe(false)
})

test('a halt during a step that cannot be aborted ends the run after the step', async () => {
  const it = queue(post(withSentFile), {
    addPost: () => {
      it.runner.halt()
      return added()
    },
    release: succeed,
  })
  await it.runner.drain()
  expect(it.log).toEqual(['addPost'])
  expect(it.state.row && addedPostOf(it.state.row), 'the answer is stored').toEqual({
    id: 'p',
    videoId: null,
  })
})

test('a halt while the next step is being chosen prevents the step', async () => {
  const it = queue(post(withSentFile), {})
  it.state.chosen = () => it.runner.halt()
  await it.runner.drain()
  expect(it.log).toEqual([])
})

test('a halt ends a run that waits, and one whose step made the job wait', async () => {
  const waiting = queue(
    post((job) => ({ ...job, wait: { until: 60_000, told: false } })),
    {},
  )
  const run = waiting.runner.drain()
  await turn()
  expect(waiting.runner.running()).toBe(true)
  waiting.runner.halt()
  await run
  const losing = queue(
    post((job) => ({ ...withSentFile(job), attempts: 2 })),
    {
      addPost: async () => {
        losing.runner.halt()
        return { is: 'lost' }
      },
    },
  )
  await losing.runner.drain()
  expect(losing.state.row?.wait.until).toBe(3000)
})

test('a halt while no run is under way does not stop the next run', async () => {
  const it = queue(post(withSentFile), { addPost: added, release: succeed })
  it.runner.halt()
  await it.runner.drain()
  expect(it.log).toEqual(['addPost', 'release', 'finish', 'published'])
})

test('a job that is added while the last read of the jobs is under way is sent by the same run', async () => {
  const it = queue(post(withSentFile), { addPost: added, release: succeed })
  it.state.row = undefined
  it.state.chosen = () => {
    delete it.state.chosen
    it.state.row = post(withSentFile)
    it.runner.wake()
  }
  await it.runner.drain()
  expect(it.log).toEqual(['addPost', 'release', 'finish', 'published'])
})

test('a nudge changes nothing while no person is signed in', async () => {
  const waiting = post((job) => ({ ...job, wait: { until: 60_000, told: false } }))
  const it = queue(waiting, {})
  it.state.session = undefined
  await it.runner.nudge()
  await it.runner.drain()
  expect([it.state.row, it.log]).toEqual([waiting, []])
})

test('a step whose job was deleted is aborted', async () => {
  const { send, sends } = lasting()
  const it = queue(post(), { send })
  const run = it.runner.drain()
  await expect.poll(() => sends.length).toBe(1)
  it.state.row = undefined
  it.runner.wake()
  await expect.poll(() => sends[0]?.signal.aborted).toBe(true)
  await run
})

test('the sending of a file is aborted when the person pauses it', async () => {
  const { send, sends } = lasting()
  const it = queue(post(), { send })
  const run = it.runner.drain()
  await expect.poll(() => sends.length).toBe(1)
  const { row } = it.state
  if (row) it.state.row = jobAfter(row, { type: 'paused', fileId: FILE })
  it.runner.wake()
  await expect.poll(() => sends[0]?.signal.aborted).toBe(true)
  it.runner.halt()
  await run
})

test('a request whose job was deleted is aborted', async () => {
  const signals: AbortSignal[] = []
  const it = queue(post(withSentFile), {
    addPost: added,
    release: (_job, _postId, signal) =>
      new Promise((end) => {
        signals.push(signal)
        signal.addEventListener('abort', () => end({ is: 'stopped' }), { once: true })
      }),
  })
  const run = it.runner.drain()
  await expect.poll(() => signals.length).toBe(1)
  it.state.row = undefined
  it.runner.wake()
  await run
  expect(signals[0]?.aborted).toBe(true)
})

test.each([
  ['paused', 'send'],
  ['fileCancelled', 'discard'],
] as const)(
  'of two files the one that is %s is aborted although another step follows: %s',
  async (type, next) => {
    const { send, sends } = lasting()
    const files = [FILE, newId()].map((id) => ({ id, size: 10 }))
    const discards: string[] = []
    const it = queue(jobAfter(postJob(files), { type: 'accepted', fileId: FILE, offset: 4 }), {
      send,
      discard: async (_job, fileId) => (discards.push(fileId), { is: 'lost' }),
    })
    const run = it.runner.drain()
    await expect.poll(() => sends.length).toBe(1)
    it.state.row = jobAfter(it.state.row as PostJob, { type, fileId: FILE })
    it.runner.wake()
    await expect.poll(() => it.log[1]).toBe(next)
    expect(sends[0]?.signal.aborted).toBe(true)
    it.runner.halt()
    await run
    expect(discards.includes(FILE)).toBe(next === 'discard')
  },
)

test.each<Outcome<null>>([
  { is: 'lost' },
  { is: 'ok', value: null },
  { is: 'gone' },
  { is: 'refused', code: 'forbidden' },
  { is: 'digestDiffers', mediaIds: [FILE] },
  { is: 'uploadsDenied' },
])('a release is not aborted by a cancellation; answered with $is, the post is withdrawn', async (end) => {
  const answer = Promise.withResolvers<Outcome<null>>()
  const signals: AbortSignal[] = []
  const it = queue(post(withSentFile), {
    addPost: added,
    release: (_job, _postId, signal) => (signals.push(signal), answer.promise),
    withdraw: succeed,
    discard: succeed,
  })
  const run = it.runner.drain()
  await expect.poll(() => signals.length).toBe(1)
  const { row } = it.state
  if (row) it.state.row = jobAfter(row, { type: 'cancelled' })
  it.runner.wake()
  await turn()
  expect(signals[0]?.aborted).toBe(false)
  answer.resolve(end)
  await run
  expect(it.log).toEqual(['addPost', 'release', 'withdraw', 'discard', 'drop'])
})

test('a step whose person has signed out is aborted', async () => {
  const { send, sends } = lasting()
  const it = queue(post(), { send })
  const run = it.runner.drain()
  await expect.poll(() => sends.length).toBe(1)
  it.state.session = undefined
  it.runner.wake()
  await expect.poll(() => sends[0]?.signal.aborted).toBe(true)
  await run
  expect(it.notices, 'a sign-out shows no notice about a lost session').toEqual([])
})

test('a file that is being sent continues although its job has a wait of an earlier loss', async () => {
  const { send, sends } = lasting()
  const it = queue(post(), { send })
  void it.runner.drain()
  await expect.poll(() => sends.length).toBe(1)
  const { row } = it.state
  if (row) it.state.row = { ...row, wait: { until: 60_000, told: false } }
  it.runner.wake()
  await turn()
  expect(sends[0]?.signal.aborted).toBe(false)
  it.runner.halt()
})

test('a needed file that the server refuses to remove fails the job, so that wrong bytes are not posted', async () => {
  const wrong = post((job) => jobAfter(withSentFile(job), { type: 'digestDiffered', fileIds: [FILE] }))
  const it = queue(wrong, { discard: async () => ({ is: 'refused', code: 'forbidden' }) })
  await it.runner.drain()
  expect(it.state.row?.stage).toEqual({ is: 'failed', code: 'forbidden', post: null })
  expect(it.log[0]).toBe('discard')
  expect(it.state.row?.files[0]?.state).toEqual({ is: 'discarding', url: null, next: 'send' })
})
