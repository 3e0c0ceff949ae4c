// Preuploads in the queue: files are sent, nothing is posted, and submitted posts come first.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { FileJob, Preupload } from '#device/jobs/job-rows.ts'
import { submittedFiles, withoutDraft, withoutFile } from '#device/jobs/new-files.ts'
import { fileKinds } from '#sw/queue/kinds.ts'
import { nextStep as nextPostStep } from '#sw/queue/machines/post.ts'
import { apply, nextStep } from '#sw/queue/machines/preupload.ts'
import { applyPersonEvent } from '#sw/queue/machines/machines.ts'
import type { Clock, OnProgress, Outcome, Ports } from '#sw/queue/ports.ts'
import { createRunner } from '#sw/queue/runner.ts'
import { postJob, preuploadJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { apiWith, post, session } from '#sw/testing/one-job.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'

const A = newId()
const B = newId()
const files = [A, B].map((id) => ({ id, size: 10 }))
const arrived = (job: Preupload, fileId: string) => apply(job, { type: 'accepted', fileId, offset: 10 })

test('the files of a draft that is being written are sent, and no post is added', () => {
  let job = preuploadJob(files)
  expect(nextStep(job, 0)).toEqual({ do: 'send', fileId: A })
  job = arrived(job, A)
  expect(nextStep(job, 0)).toEqual({ do: 'send', fileId: B })
  job = arrived(job, B)
  expect(nextStep(job, 0)).toEqual({ do: 'wait', for: 'person' })
  expect(nextPostStep(postJob(files, submittedFiles(job, files, 'tus')), 0)).toEqual({ do: 'addPost' })
})

test('a file that was removed from the draft is removed from the server before another is sent', () => {
  let job = withoutFile(arrived(preuploadJob(files), A), A)
  expect(nextStep(job, 0)).toEqual({ do: 'discard', fileId: A })
  job = apply(job, { type: 'discarded', fileId: A })
  expect(job.files.map((it) => it.id)).toEqual([B])
  expect(nextStep(job, 0)).toEqual({ do: 'send', fileId: B })
})

test('a discarded draft removes every file from the server, then its preupload ends', () => {
  let job = withoutDraft(arrived(preuploadJob(files), A))
  for (const fileId of [A, B]) {
    expect(nextStep(job, 0)).toEqual({ do: 'discard', fileId })
    job = apply(job, { type: 'discarded', fileId })
  }
  expect(nextStep(job, 0)).toEqual({ do: 'drop' })
})

test('files that the server lost are sent again three times, then wait for the submission', () => {
  let job = preuploadJob(files)
  for (let i = 0; i < 3; i++) job = apply(arrived(job, A), { type: 'gone', fileId: A })
  expect(nextStep(job, 0)).toEqual({ do: 'send', fileId: A })
  job = apply(arrived(job, A), { type: 'gone', fileId: A })
  expect(job.stage).toEqual({ is: 'failed', code: 'gone' })
  expect(nextStep(job, 0)).toEqual({ do: 'wait', for: 'person' })
})

test('a reply that only a post can have fails the preupload: its step is not repeated without a wait', () => {
  for (const event of [
    { type: 'refused', code: 'forbidden' },
    { type: 'uploadsDenied' },
    { type: 'digestDiffered', fileIds: [A] },
  ] as const) {
    let job = preuploadJob([{ id: A, size: 10 }])
    for (let i = 0; i < 5; i++) job = apply(job, event)
    expect(nextStep(job, 0).do).not.toBe('send')
  }
})

test('actions of the person on a job change only the pauses and waits of a preupload', () => {
  const job = preuploadJob(files)
  for (const event of [
    { type: 'cancelled' },
    { type: 'retried' },
    { type: 'fileCancelled', fileId: A },
  ] as const)
    expect(applyPersonEvent(job, event)).toBe(job)
  expect(nextStep(apply(job, { type: 'paused' }), 0)).toEqual({ do: 'wait', for: 'person' })
})

/** A clock that the test advances; `sleeps` are the times that are waited for. */
function manualClock() {
  const sleeps = new Map<symbol, { until: number; wake: () => void }>()
  let now = 0
  const clock: Clock = {
    now: () => now,
    random: () => 0,
    sleep: (until, signal) =>
      new Promise((resolve) => {
        const key = Symbol(String(until))
        const wake = () => {
          sleeps.delete(key)
          resolve()
        }
        sleeps.set(key, { until, wake })
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
  const advanceTo = (time: number) => {
    now = time
    for (const { until, wake } of sleeps.values()) if (until <= now) wake()
  }
  return { clock, advanceTo, sleeps: () => [...sleeps.values()].map((it) => it.until) }
}

/** A queue over rows in memory, whose sends end when the test ends them. */
function queue(rows: Map<string, FileJob>, clock: Clock = stillClock) {
  const sends: {
    fileId: string
    end: (outcome: Outcome<null>) => void
    progress: OnProgress
    signal: AbortSignal
  }[] = []
  const calls: string[] = []
  const ok = async (line: string) => {
    calls.push(line)
    return { is: 'ok', value: null } as const
  }
  const isPreupload = ({ kind }: FileJob) => Number(kind === 'preupload')
  const ports: Ports = {
    store: storeWith({
      session: async () => session('aoi'),
      deliveries: async () => [...rows.values()].toSorted((a, b) => isPreupload(a) - isPreupload(b)),
      change: async (id, change) => {
        const row = rows.get(id)
        if (!row) return undefined
        const next = change(row)
        rows.set(id, next)
        return next
      },
      finish: async (job) => void rows.delete(job.id),
    }),
    clock,
    lock: (work) => work(),
  }
  const api = apiWith(
    {
      send: (_job, fileId, progress, signal) =>
        new Promise((end) => {
          calls.push(`send ${fileId}`)
          sends.push({ fileId, end, progress, signal })
          signal.addEventListener('abort', () => end({ is: 'stopped' }), { once: true })
        }),
      discard: () => ok('discard'),
      addPost: async () => {
        calls.push('add')
        return { is: 'ok', value: { postId: 'p', videoId: null } }
      },
      release: () => ok('release'),
      withdraw: () => ok('withdraw'),
    },
    async () => undefined,
  )
  const hasSent = async (count: number): Promise<void> => {
    await expect.poll(() => sends.length).toBe(count)
  }
  return { runner: createRunner(ports, fileKinds(api)), sends, calls, hasSent }
}

const preupload = (fileId: string) => preuploadJob([{ id: fileId, size: 10 }])
const postOf = (fileId: string) => post(undefined, fileId)

test('a preupload stops for a post that is submitted, and continues after it', async () => {
  const rows = new Map<string, FileJob>([['written', preupload(A)]])
  const { runner, sends, calls, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  rows.set('posted', postOf(B))
  runner.wake()
  await hasSent(2)
  expect(sends[0]?.signal.aborted).toBe(true)
  const row = rows.get('posted')
  if (row?.kind === 'post') rows.set('posted', jobAfter(row, { type: 'accepted', fileId: B, offset: 10 }))
  sends[1]?.end({ is: 'ok', value: null })
  await hasSent(3)
  expect(calls).toEqual([`send ${A}`, `send ${B}`, 'add', 'release', `send ${A}`])
  runner.halt()
})

test('a preupload does not stop for a post that waits', async () => {
  const rows = new Map<string, FileJob>([['written', preupload(A)]])
  const { runner, sends, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  const waiting = post((job) => ({ ...job, wait: { until: 60_000, told: false } }), B)
  rows.set('posted', waiting)
  runner.wake()
  // Every promise of the read of the rows has ended by then.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(sends[0]?.signal.aborted).toBe(false)
  runner.halt()
})

test('a draft submitted in the middle of a file continues with that file, and its progress is recorded', async () => {
  const rows = new Map<string, FileJob>([['written', preupload(A)]])
  const { runner, sends, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  const row = rows.get('written')
  const sent = row?.kind === 'preupload' ? submittedFiles(row, [{ id: A, size: 10 }], 'tus') : {}
  rows.set('written', { ...postOf(A), id: 'written', ...sent })
  runner.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(sends).toHaveLength(1)
  expect(sends[0]?.signal.aborted).toBe(false)
  await sends[0]?.progress({ offset: 7 })
  expect(rows.get('written')).toMatchObject({
    kind: 'post',
    files: [{ state: { is: 'sending', upload: { acked: 7 } } }],
  })
  runner.halt()
})

const waiting = (fileId: string, until: number) =>
  post((job) => ({ ...job, wait: { until, told: false } }), fileId)

test('a preupload stops for a post whose wait ends, and continues while no post can run', async () => {
  const { clock, advanceTo, sleeps } = manualClock()
  const rows = new Map<string, FileJob>([
    ['written', preupload(A)],
    ['posted', waiting(B, 5000)],
  ])
  const { runner, sends, hasSent } = queue(rows, clock)
  void runner.drain()
  await hasSent(1)
  expect([sends[0]?.fileId, sleeps()]).toEqual([A, [5000]])
  advanceTo(5000)
  await hasSent(2)
  expect([sends[0]?.signal.aborted, sends[1]?.fileId, sleeps()]).toEqual([true, B, []])
  runner.halt()
})

test('the wait that a step watched ends with the step: no timer is left behind', async () => {
  const { clock, sleeps } = manualClock()
  const rows = new Map<string, FileJob>([
    ['written', preupload(A)],
    ['posted', waiting(B, 5000)],
  ])
  const { runner, sends, hasSent } = queue(rows, clock)
  const run = runner.drain()
  await hasSent(1)
  const row = rows.get('written')
  if (row?.kind === 'preupload') rows.set('written', arrived(row, A))
  sends[0]?.end({ is: 'ok', value: null })
  await expect.poll(() => sends[0]?.signal.aborted, { message: 'the step is over' }).toBe(true)
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(sleeps(), 'of the run itself').toEqual([5000])
  runner.halt()
  await run
})

test('a preupload stops for a post behind a job of a kind that this build does not know', async () => {
  const rows = new Map<string, FileJob>([
    ['unknown', { ...postOf(A), kind: 'video-call' } as unknown as FileJob],
    ['written', preupload(A)],
  ])
  const { runner, sends, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  rows.set('posted', postOf(B))
  runner.wake()
  await hasSent(2)
  expect(sends[1]?.fileId).toBe(B)
  runner.halt()
})
