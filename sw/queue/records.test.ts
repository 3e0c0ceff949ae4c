// Writes of the loop around each request: their order, durability, and steps that end early.
import { afterEach, expect, test, vi } from 'vitest'
import { likeJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { succeed, mutationQueue, post, queue, withSentFile, session } from '#sw/testing/one-job.ts'

afterEach(() => vi.restoreAllMocks())

test('a post is stored as requested before the request is sent', async () => {
  const stored: boolean[] = []
  const it = queue(post(withSentFile), {
    addPost: async () => {
      stored.push(it.state.row?.stage.is === 'requested')
      return { is: 'ok', value: { postId: 'p', videoId: null } }
    },
    release: succeed,
  })
  await it.runner.drain()
  expect(stored).toEqual([true])
  expect(it.log).toEqual(['addPost', 'release', 'finish', 'published'])
})

test('a mutation is stored as requested before the request is sent', async () => {
  const stored: boolean[] = []
  const it = mutationQueue(likeJob(), {
    mutate: async () => {
      stored.push(it.state.row?.stage.is === 'requested')
      return { is: 'ok', value: null }
    },
  })
  await it.runner.drain()
  expect(stored).toEqual([true])
})

test('a job that is cancelled just before the request adds no post', async () => {
  const it = queue(post(withSentFile), { discard: succeed })
  // Between the choice of the step and its first write.
  it.state.chosen = () => {
    const { row } = it.state
    if (row) it.state.row = jobAfter(row, { type: 'cancelled' })
  }
  await it.runner.drain()
  expect(it.log).toEqual(['discard', 'drop'])
})

test('a post is not added again when another runner added it between the choice of the step and its first write', async () => {
  const it = queue(post(withSentFile), { release: succeed })
  it.state.chosen = () => {
    const { row } = it.state
    if (row?.stage.is === 'open')
      it.state.row = jobAfter(row, { type: 'requested' }, { type: 'postAdded', postId: 'p', videoId: null })
  }
  await it.runner.drain()
  expect(it.log).toEqual(['release', 'finish', 'published'])
})

test('a job that is deleted before its request is stored sends none', async () => {
  const adding = queue(post(withSentFile), {})
  const mutating = mutationQueue(likeJob(), {})
  for (const it of [adding, mutating]) {
    it.state.chosen = () => void (it.state.row = undefined)
    await it.runner.drain()
    expect(it.log).toEqual([])
  }
})

test('a refusal of a deleted job is neither logged nor shown', async () => {
  const logged = vi.spyOn(console, 'error')
  const it = queue(post(withSentFile), {
    addPost: async () => {
      it.state.row = undefined
      return { is: 'refused', code: 'forbidden' }
    },
  })
  await it.runner.drain()
  expect([logged.mock.calls, it.log]).toEqual([[], ['addPost']])
})

test('offsets, which can be requested again, are written with relaxed durability, other changes strictly', async () => {
  const it = queue(post(), {
    send: async (_job, fileId, onProgress) => {
      await onProgress({ url: `https://todoke.test/upload-chunking-2/${fileId}` })
      await onProgress({ offset: 4 })
      await onProgress({ offset: 10 })
      return { is: 'ok', value: null }
    },
    addPost: async () => ({ is: 'ok', value: { postId: 'p', videoId: null } }),
    release: succeed,
  })
  await it.runner.drain()
  // Created, 4 bytes, 10 bytes; requested, added, released.
  expect(it.durabilities).toEqual(['strict', 'relaxed', 'relaxed', 'strict', 'strict', 'strict'])
})

test('a sign-out aborts the current step, which continues with the next sign-in', async () => {
  const signals: AbortSignal[] = []
  const it = queue(post(), {
    send: (_job, _fileId, onProgress, signal) =>
      new Promise((end) => {
        signals.push(signal)
        signal.addEventListener('abort', () => end({ is: 'stopped' }), { once: true })
        if (signals.length === 2) void onProgress({ offset: 10 }).then(() => end({ is: 'ok', value: null }))
      }),
    addPost: async () => ({ is: 'ok', value: { postId: 'p', videoId: null } }),
    release: succeed,
  })
  const run = it.runner.drain()
  await expect.poll(() => signals.length).toBe(1)
  it.state.session = session('ren')
  it.runner.wake()
  await expect.poll(() => signals[0]?.aborted).toBe(true)
  await run
  expect(it.log).toEqual(['send'])
  it.state.session = session('aoi')
  await it.runner.drain()
  expect(it.log).toEqual(['send', 'send', 'addPost', 'release', 'finish', 'published'])
})

test('a failed job is logged and shown once, however often the network comes back', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const it = queue(post(withSentFile), { addPost: async () => ({ is: 'refused', code: 'forbidden' }) })
  await it.runner.drain()
  for (let i = 0; i < 3; i++) {
    await it.runner.nudge()
    await it.runner.drain()
  }
  expect([it.notices.length, logged.mock.calls.length]).toEqual([1, 1])
  expect(it.log.filter((line) => line === 'addPost')).toHaveLength(1)
})
