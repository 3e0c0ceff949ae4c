// The result of each reply: for withdrawals, files, jobs of one request, and lost sessions.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { Outcome } from '#sw/queue/ports.ts'
import { identityJob, likeJob, postJob, preuploadJob } from '#device/testing/jobs.ts'
import { withoutDraft } from '#device/jobs/new-files.ts'
import { jobAfter, FILE } from '#sw/testing/job-after.ts'
import { succeed, mutationQueue, post, queue, withSentFile } from '#sw/testing/one-job.ts'

const added = async () => ({ is: 'ok', value: { postId: 'p', videoId: null } }) as const
afterEach(() => vi.restoreAllMocks())

const ends = async (outcome: Outcome<never>) => outcome
const refusals: Outcome<never>[] = [
  { is: 'refused', code: 'forbidden' },
  { is: 'digestDiffers', mediaIds: [FILE] },
  { is: 'uploadsDenied' },
]

describe('a post that is withdrawn', () => {
  const taken = () =>
    post((job) =>
      jobAfter(withSentFile(job), { type: 'postAdded', postId: 'p', videoId: null }, { type: 'cancelled' }),
    )

  test.each([{ is: 'ok', value: null }, { is: 'gone' }] as const)(
    'and answered with $is leaves no file on the server, then the job is dropped',
    async (outcome) => {
      const it = queue(taken(), { withdraw: async () => outcome, discard: succeed })
      await it.runner.drain()
      expect(it.log).toEqual(['withdraw', 'discard', 'drop'])
    },
  )

  test('after it was released ends as published', async () => {
    const it = queue(taken(), { withdraw: () => ends({ is: 'refused', code: 'conflict' }) })
    await it.runner.drain()
    expect(it.log).toEqual(['withdraw', 'finish', 'published'])
  })

  test.each(refusals)('and whose withdrawal ends as $is is a draft again', async (refusal) => {
    const it = queue(taken(), { withdraw: () => ends(refusal) })
    await it.runner.drain()
    expect(it.log).toEqual(['withdraw', 'drop'])
  })

  test('without an answer is requested again', async () => {
    const answers: Outcome<null>[] = [{ is: 'lost' }, { is: 'ok', value: null }]
    const it = queue(taken(), { withdraw: async () => answers.shift() ?? { is: 'lost' }, discard: succeed })
    await it.runner.drain()
    expect(it.log).toEqual(['withdraw', 'withdraw', 'discard', 'drop'])
  })
})

describe('a file', () => {
  test('that the server lost is counted and sent again', async () => {
    let sends = 0
    const resends: (number | undefined)[] = []
    const it = queue(post(), {
      send: async (_job, _fileId, onProgress) => {
        sends += 1
        if (sends === 1) return { is: 'gone' }
        await onProgress({ offset: 10 })
        return { is: 'ok', value: null }
      },
      addPost: async () => {
        resends.push(it.state.row?.files[0]?.resends.gone)
        return added()
      },
      release: succeed,
    })
    await it.runner.drain()
    expect(resends).toEqual([1])
    expect(it.log).toEqual(['send', 'send', 'addPost', 'release', 'finish', 'published'])
  })

  const other = newId()
  const dropped = () =>
    jobAfter(
      postJob([FILE, other].map((id) => ({ id, size: 10 }))),
      { type: 'accepted', fileId: FILE, offset: 10 },
      { type: 'accepted', fileId: other, offset: 10 },
      { type: 'fileCancelled', fileId: other },
    )

  test.each<Outcome<null>>([{ is: 'ok', value: null }, { is: 'gone' }, ...refusals])(
    'that was removed from the post does not delay it when its removal is answered with $is',
    async (outcome) => {
      const named: (readonly string[])[] = []
      const it = queue(dropped(), {
        discard: async () => outcome,
        addPost: async (job) => {
          named.push(job.files.map((file) => file.id))
          return added()
        },
        release: succeed,
      })
      await it.runner.drain()
      expect(it.log).toEqual(['discard', 'addPost', 'release', 'finish', 'published'])
      expect(named).toEqual([[FILE]])
    },
  )
})

test('a removed file whose removal has no answer is removed again before the post is added', async () => {
  const answers: Outcome<null>[] = [{ is: 'lost' }, { is: 'ok', value: null }]
  const other = newId()
  const job = jobAfter(
    postJob([FILE, other].map((id) => ({ id, size: 10 }))),
    { type: 'accepted', fileId: FILE, offset: 10 },
    { type: 'accepted', fileId: other, offset: 10 },
    { type: 'fileCancelled', fileId: other },
  )
  const it = queue(job, {
    discard: async () => answers.shift() ?? { is: 'lost' },
    addPost: added,
    release: succeed,
  })
  await it.runner.drain()
  expect(it.log.slice(0, 3)).toEqual(['discard', 'discard', 'addPost'])
})

test('the preupload of a discarded draft is deleted after its files, and nothing else is removed', async () => {
  const it = queue(withoutDraft(preuploadJob([{ id: FILE, size: 10 }])), { discard: succeed })
  await it.runner.drain()
  expect(it.log).toEqual(['discard', 'drop'])
})

test('a release without an answer is requested again, and the post is not added again', async () => {
  const answers: Outcome<null>[] = [{ is: 'lost' }, { is: 'ok', value: null }]
  const it = queue(post(withSentFile), {
    addPost: added,
    release: async () => answers.shift() ?? { is: 'lost' },
  })
  await it.runner.drain()
  expect(it.log).toEqual(['addPost', 'release', 'release', 'finish', 'published'])
})

describe('a notice outside the app', () => {
  const titled = (content: string) =>
    post((job) => ({ ...withSentFile(job), form: { ...job.form, content } }))
  const refuse = () => ends({ is: 'refused', code: 'forbidden' })

  test('of a published post has its first line and its id on the server', async () => {
    const it = queue(titled('\n 朝の海\n二行目'), { addPost: added, release: succeed })
    await it.runner.drain()
    expect(it.shown).toEqual([{ is: 'published', jobId: 'posted', title: '朝の海', postId: 'p' }])
  })

  test('of a failed post has its first line', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const it = queue(titled('朝の海'), { addPost: refuse })
    await it.runner.drain()
    expect(it.shown).toEqual([{ is: 'failed', jobId: 'posted', title: '朝の海' }])
  })

  test('of a failed or a delivered identity check names the check', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const check = identityJob()
    const failed = queue(check, { submitCheck: refuse })
    await failed.runner.drain()
    const delivered = queue(check, { submitCheck: async () => ({ is: 'ok', value: { id: 'c1' } }) })
    await delivered.runner.drain()
    expect([failed.shown, delivered.shown]).toEqual([
      [{ is: 'identityFailed', jobId: check.id }],
      [{ is: 'identitySent', jobId: check.id }],
    ])
  })

  test('that cannot be shown does not stop the delivery', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const blocked = new Error('notifications are blocked')
    const it = queue(
      post(withSentFile),
      { addPost: added, release: succeed },
      { notify: () => Promise.reject(blocked) },
    )
    await it.runner.drain()
    expect([it.log, warned.mock.calls]).toEqual([['addPost', 'release', 'finish'], [['no notice', blocked]]])
  })

  test('of a session that the server refused names the job that waits for it', async () => {
    const it = queue(post(withSentFile), {
      addPost: async () => {
        it.state.session = undefined
        return { is: 'signedOut', refused: true }
      },
    })
    await it.runner.drain()
    expect(it.shown).toEqual([{ is: 'signedOut', jobId: 'posted' }])
  })

  test('does not exist for preuploads and mutations: neither their failure nor their lost session shows one', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const preupload = preuploadJob([{ id: FILE, size: 10 }])
    const end = { current: refuse }
    const jobs = () => [
      queue(preupload, { send: () => end.current() }),
      mutationQueue(likeJob(), { mutate: () => end.current() }),
    ]
    for (const it of jobs()) {
      await it.runner.drain()
      expect([it.state.row?.stage.is, it.shown]).toEqual(['failed', []])
    }
    for (const it of jobs()) {
      end.current = () => {
        it.state.session = undefined
        return ends({ is: 'signedOut', refused: true })
      }
      await it.runner.drain()
      expect([it.state.row?.stage.is === 'failed', it.shown]).toEqual([false, []])
    }
  })
})

test('a post whose key the server has deleted fails with that code and is not added again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const it = queue(post(withSentFile), { addPost: () => ends({ is: 'gone' }) })
  await it.runner.drain()
  expect(it.state.row?.stage).toEqual({ is: 'failed', code: 'gone', post: null })
  expect(it.log).toEqual(['addPost', 'failed'])
})

describe('a refused session', () => {
  const refused = { addPost: async (): Promise<Outcome<never>> => ({ is: 'signedOut' }) }

  test('shows a notice outside the app when no person is signed in any more', async () => {
    const it = queue(post(withSentFile), {
      addPost: async () => {
        it.state.session = undefined
        return refused.addPost()
      },
    })
    await it.runner.drain()
    expect(it.notices).toEqual(['signedOut'])
  })

  test('shows no notice while another person is signed in', async () => {
    const it = queue(post(withSentFile), {
      addPost: async () => {
        it.state.session = it.state.session && {
          ...it.state.session,
          user: { ...it.state.session.user, id: 'ren' },
        }
        return refused.addPost()
      },
    })
    await it.runner.drain()
    expect([it.log, it.notices]).toEqual([['addPost'], []])
  })
})

describe('a job of one request', () => {
  test('that is an identity check shows a notice when it was delivered', async () => {
    const it = queue(identityJob(), { submitCheck: async () => ({ is: 'ok', value: { id: 'c1' } }) })
    await it.runner.drain()
    expect([it.log, it.notices]).toEqual([['submitCheck', 'finish', 'identitySent'], ['identitySent']])
  })

  test('that is a mutation shows no notice', async () => {
    const it = mutationQueue(likeJob(), { mutate: succeed })
    await it.runner.drain()
    expect([it.log, it.notices]).toEqual([['mutate', 'finish'], []])
  })

  test('without an answer is requested again, and stays stored until then', async () => {
    const answers: Outcome<null>[] = [{ is: 'lost' }, { is: 'ok', value: null }]
    const it = mutationQueue(likeJob(), { mutate: async () => answers.shift() ?? { is: 'lost' } })
    await it.runner.drain()
    expect(it.log).toEqual(['mutate', 'mutate', 'finish'])
  })

  test('is neither marked as requested nor sent while the device reports that it is offline', async () => {
    let offline = true
    const it = mutationQueue(likeJob(), { mutate: succeed }, { offline: () => offline })
    const run = it.runner.drain()
    await expect.poll(() => it.state.row?.attempts).toBe(2)
    expect([it.log, it.state.row?.stage]).toEqual([[], { is: 'open' }])
    offline = false
    await it.runner.nudge()
    await run
    expect(it.log).toEqual(['mutate', 'finish'])
  })

  test('is sent after four waits though the device still reports that it is offline', async () => {
    const waited = mutationQueue(likeJob({ attempts: 3 }), { mutate: succeed }, { offline: () => true })
    void waited.runner.drain()
    await expect.poll(() => waited.state.row?.attempts).toBe(4)
    waited.runner.halt()
    expect(waited.log).toEqual([])
    const it = mutationQueue(likeJob({ attempts: 4 }), { mutate: succeed }, { offline: () => true })
    await it.runner.drain()
    expect(it.log).toEqual(['mutate', 'finish'])
  })
})
