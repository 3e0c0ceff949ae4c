// Transcripts of every event on each stage of a job and state of a file.
import { expect, test } from 'vitest'
import type { FileState } from '#device/jobs/file-row.ts'
import type { PostJob, Queued, RequestJob } from '#device/jobs/job-rows.ts'
import { identityJob, likeJob, messageJob, postJob, preuploadJob } from '#device/testing/jobs.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { describeFile, describeJob } from '#sw/testing/job-words.ts'
import { A, B } from '#sw/testing/post-events.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import { applyPersonEvent, canCancel, canContinue } from './machines.ts'
import * as mutation from './mutation.ts'
import * as post from './post.ts'
import * as preupload from './preupload.ts'
import * as request from './request-with-files.ts'

const AT_A = 'https://todoke.test/upload-chunking-2/a'
const AT_B = 'https://todoke.test/upload-chunking-2/b'
const upload = { acked: 4, url: AT_A }
const common: readonly CommonEvent[] = [
  { type: 'created', fileId: A, url: AT_B },
  { type: 'accepted', fileId: A, offset: 10 },
  { type: 'gone', fileId: A },
  { type: 'discarded', fileId: A },
  { type: 'fileRefused', fileId: A, code: 'too_large' },
  { type: 'lost', at: 1000, jitter: 0 },
  { type: 'tokenRefused', at: 1000, jitter: 0 },
  { type: 'refused', code: 'forbidden' },
  { type: 'digestDiffered', fileIds: [A] },
  { type: 'uploadsDenied' },
  { type: 'nudged' },
  { type: 'hurried' },
  { type: 'paused' },
  { type: 'resumed' },
  { type: 'retried' },
  { type: 'retried', fileId: A },
  { type: 'fileCancelled', fileId: A },
  { type: 'cancelled' },
]
const requested = { type: 'requested' } as const
const delivered = { type: 'delivered', id: 'm1', at: 7 } as const
const ofPosts: readonly post.PostEvent[] = [
  ...common,
  { type: 'cancelled', keep: true },
  requested,
  { type: 'postAdded', postId: 'p2', videoId: 'v2' },
  { type: 'released', at: 7 },
  { type: 'postGone' },
  { type: 'withdrawn' },
  { type: 'withdrawDenied', at: 7 },
  { type: 'withdrawRefused' },
]

/** An event by its name, and by the values that distinguish it from others of this name. */
const eventWords = (event: { type: string }) =>
  `${event.type}${'fileId' in event ? ' of A' : ''}${'keep' in event ? ' (files stay)' : ''}`

/** A step by its name and its values. */
const stepWords = (step: object) => Object.values(step).join(' ').replaceAll(A, 'A').replaceAll(B, 'B')

/** The job in words with its next step, then the result of each event; events that change nothing are listed by name. */
function transcript<J extends Queued, E extends { type: string }>(
  job: J,
  { apply, nextStep }: { apply(job: J, event: E): J; nextStep(job: J, now: number): object },
  events: readonly E[],
): string {
  const line = (it: J) => `${describeJob(it)} → ${stepWords(nextStep(it, 500))}`
  const [changes, same] = [[] as string[], [] as string[]]
  for (const event of events) {
    const next = apply(job, event)
    if (next === job) same.push(eventWords(event))
    else changes.push(`  ${eventWords(event)}: ${line(next)}`)
  }
  return [line(job), ...changes, `  unchanged by ${same.join(', ') || 'none'}`, ''].join('\n')
}

const inState = (state: FileState, size = 10) => ({ ...newFile({ id: A, size }), state })
const sent = inState({ is: 'sent', url: AT_A })
const sending = inState({ is: 'sending', upload })
const refused = inState({ is: 'failed', code: 'too_large', upload })
const discarding = (next: 'send' | 'pause' | 'remove') => inState({ is: 'discarding', url: AT_A, next })
const states = [
  inState({ is: 'waiting' }),
  sending,
  inState({ is: 'sending', upload: { acked: 4, url: null } }),
  inState({ is: 'sending', upload: { acked: 10, url: AT_A } }),
  sent,
  inState({ is: 'sent', url: null }),
  inState({ is: 'paused', upload: null }),
  inState({ is: 'paused', upload }),
  inState({ is: 'failed', code: 'too_large', upload: null }),
  refused,
  discarding('send'),
  discarding('pause'),
  discarding('remove'),
]
const other = newFile({ id: B, size: 20 })
/** A file that was sent again as often as the queue does by itself. */
const resent = { ...sent, resends: { digest: 1, gone: 3 } }
const failing = { attempts: 3, wait: { until: 900, told: false } }

test('the transcript of files has the result of each event for a file in each state', async () => {
  const events: CommonEvent[] = [
    ...common.filter((it) => 'fileId' in it || ['digestDiffered', 'paused', 'resumed'].includes(it.type)),
    { type: 'created', fileId: A, url: AT_A },
    { type: 'paused', fileId: A },
    { type: 'resumed', fileId: A },
    ...[0, 3, 4, 5].map((offset) => ({ type: 'accepted', fileId: A, offset }) as const),
  ]
  const blocks = events.map((event) => {
    const lines = states.map((file) => {
      const job = preuploadJob([], { files: [file, other], ...failing })
      const next = preupload.apply(job, event)
      if (next === job) return `  ${describeFile(file.state)}: as it was`
      const [first, second = first] = next.files
      if (event.type !== 'paused' || event.fileId) expect(second, 'the other file').toEqual(other)
      const now = next.files.length === 2 ? describeFile(first?.state) : describeFile(undefined)
      return `  ${describeFile(file.state)}: ${now}${next.attempts === 0 ? ', progress' : ''}`
    })
    return [JSON.stringify(event).replaceAll(A, 'A'), ...lines, ''].join('\n')
  })
  await expect(blocks.join('\n')).toMatchFileSnapshot('files.transcript.txt')
})

const p1 = { id: 'p1', videoId: null }
const v1 = { id: 'p1', videoId: 'v1' }
const { form } = postJob()
const video = { protocol: 'chunked', form: { ...form, kind: 'video' } } as const
const inside = { protocol: 'chunked', form: { ...form, kind: 'images' } } as const
const posts: Partial<PostJob>[] = [
  { stage: { is: 'open' } },
  { files: [other], stage: { is: 'open' } },
  { files: [inState({ is: 'waiting' }), other], stage: { is: 'open' } },
  { files: [refused, other], stage: { is: 'open' } },
  { files: [discarding('send'), other], stage: { is: 'open' } },
  { files: [sending, other], stage: { is: 'open' }, ...failing },
  { files: [sending], stage: { is: 'open' }, attempts: 5 },
  { files: [sending, other], stage: { is: 'open' }, wait: { until: 900, told: true } },
  { files: [sending, other], stage: { is: 'open' }, wait: { until: 900, told: false, foreign: true } },
  { files: [sending], stage: { is: 'open' } },
  { files: [sent], stage: { is: 'open' } },
  { files: [inState({ is: 'paused', upload })], stage: { is: 'open' } },
  { files: [sent, { ...refused, id: B }], stage: { is: 'failed', code: 'too_large', post: null } },
  { files: [discarding('remove'), { ...sent, id: B }], stage: { is: 'open' } },
  { files: [sent], stage: { is: 'requested' } },
  { files: [resent], stage: { is: 'requested' } },
  { files: [sent], stage: { is: 'added', post: p1 } },
  { files: [sent], stage: { is: 'added', post: p1 }, readds: 2 },
  { files: [sent], stage: { is: 'released', post: p1, at: 7 } },
  { files: [sent], stage: { is: 'failed', code: 'forbidden', post: null }, ...failing, readds: 1 },
  { files: [sent], stage: { is: 'failed', code: 'forbidden', post: p1 } },
  { files: [resent], stage: { is: 'failed', code: 'forbidden', post: null } },
  { files: [discarding('remove')], stage: { is: 'cancelled', post: null } },
  { files: [discarding('remove'), other], stage: { is: 'cancelled', post: null } },
  {
    files: [discarding('remove'), { ...discarding('remove'), id: B }],
    stage: { is: 'cancelled', post: null },
  },
  { files: [discarding('remove')], stage: { is: 'cancelled', post: null }, ...failing, attempts: 4 },
  { files: [discarding('remove')], stage: { is: 'cancelled', post: null }, ...failing, attempts: 5 },
  { files: [discarding('remove')], stage: { is: 'cancelled', post: p1 }, ...failing, attempts: 5 },
  { files: [discarding('remove')], stage: { is: 'cancelled', post: p1 } },
  { ...video, files: [inState({ is: 'waiting' })], stage: { is: 'open' } },
  { ...video, files: [inState({ is: 'paused', upload: null })], stage: { is: 'open' } },
  { ...video, files: [sending], stage: { is: 'added', post: v1 } },
  { ...video, files: [sent], stage: { is: 'added', post: v1 } },
  { ...video, files: [sending], stage: { is: 'failed', code: 'forbidden', post: v1 } },
  { ...video, files: [sent], stage: { is: 'failed', code: 'forbidden', post: v1 } },
  { ...video, files: [discarding('pause')], stage: { is: 'added', post: v1 } },
  { ...video, files: [sending, { ...discarding('remove'), id: B }], stage: { is: 'added', post: v1 } },
  { ...video, files: [sending, { ...sending, id: B }], stage: { is: 'requested' } },
  { ...inside, files: [inState({ is: 'waiting' }), { ...refused, id: B }], stage: { is: 'open' } },
  { ...inside, files: [inState({ is: 'waiting' })], stage: { is: 'requested' } },
  { ...inside, files: [inState({ is: 'sent', url: null })], stage: { is: 'added', post: p1 } },
]

test('the transcript of posts has the result of each event for a post in each stage', async () => {
  const jobs = posts.map((more) => postJob([], more))
  const blocks = jobs.map((job) => {
    const cancel = canCancel(job) ? 'can be cancelled' : 'cannot be cancelled'
    return `${job.protocol}, ${job.form.kind}, ${cancel}\n${transcript(job, post, ofPosts)}`
  })
  await expect(blocks.join('\n')).toMatchFileSnapshot('post.transcript.txt')
})

const requestStages = [
  { files: [sending, other], stage: { is: 'open' }, ...failing },
  { files: [sent, { ...refused, id: B }], stage: { is: 'open' } },
  { files: [sent], stage: { is: 'open' } },
  { files: [inState({ is: 'paused', upload })], stage: { is: 'open' } },
  { files: [sending], stage: { is: 'open' }, attempts: 5 },
  { files: [refused, other], stage: { is: 'open' } },
  { files: [sent], stage: { is: 'requested' } },
  { files: [discarding('send')], stage: { is: 'requested' } },
  { files: [resent], stage: { is: 'requested' } },
  { files: [resent], stage: { is: 'failed', code: 'forbidden' } },
  { files: [discarding('remove'), other], stage: { is: 'cancelled' } },
  { files: [sent], stage: { is: 'failed', code: 'forbidden' }, ...failing },
  { files: [sent], stage: { is: 'delivered', id: 'c1', at: 3 } },
  { files: [discarding('remove')], stage: { is: 'cancelled' } },
  { files: [discarding('remove')], stage: { is: 'cancelled' }, ...failing, attempts: 4 },
  { files: [discarding('remove')], stage: { is: 'cancelled' }, ...failing, attempts: 5 },
  { files: [], stage: { is: 'cancelled' } },
] as const

test.each([
  ['identity checks', 'identity', identityJob],
  ['messages with files', 'message', messageJob],
] as const)('the transcript of %s has the result of each event in each stage', async (_of, name, jobOf) => {
  const events: request.RequestEvent[] = [...common, requested, delivered]
  const blocks = requestStages.map(({ files, ...more }) => {
    const job: RequestJob = jobOf([], { files: [...files], ...more })
    return `${canCancel(job) ? 'can be cancelled' : 'cannot be cancelled'}\n${transcript(job, request, events)}`
  })
  await expect(blocks.join('\n')).toMatchFileSnapshot(`${name}.transcript.txt`)
})

test('the transcript of preuploads has the result of each event for a preupload in each stage', async () => {
  const stages = [
    { files: [sending, other], stage: { is: 'open' }, ...failing },
    { files: [sent], stage: { is: 'open' } },
    { files: [sending], stage: { is: 'open' }, attempts: 5 },
    { files: [resent], stage: { is: 'open' } },
    { files: [discarding('remove'), other], stage: { is: 'cancelled' } },
    { files: [sent, { ...refused, id: B }], stage: { is: 'open' } },
    { files: [sent], stage: { is: 'failed', code: 'forbidden' } },
    { files: [discarding('remove')], stage: { is: 'cancelled' } },
    { files: [discarding('remove')], stage: { is: 'cancelled' }, ...failing, attempts: 4 },
    { files: [discarding('remove')], stage: { is: 'cancelled' }, ...failing, attempts: 5 },
  ] as const
  const blocks = stages.map(({ files, ...more }) =>
    transcript(preuploadJob([], { files: [...files], ...more }), preupload, common),
  )
  await expect(blocks.join('\n')).toMatchFileSnapshot('preupload.transcript.txt')
})

test('the transcript of mutations has the result of each event for a mutation in each stage', async () => {
  const events: mutation.MutationEvent[] = [...common, requested, delivered]
  const stages = [
    { stage: { is: 'open' } },
    { stage: { is: 'open' }, ...failing },
    { stage: { is: 'requested' }, ...failing },
    { stage: { is: 'delivered', id: 'm0', at: 3 } },
    { stage: { is: 'failed', code: 'forbidden' }, ...failing },
  ] as const
  const blocks = stages.map((more) => transcript(likeJob(more), mutation, events))
  await expect(blocks.join('\n')).toMatchFileSnapshot('mutation.transcript.txt')
})

test('a person’s event changes a job by the machine of its kind', () => {
  const files = [{ id: A, size: 10 }]
  const jobs = [postJob(files), identityJob(files), messageJob(files), preuploadJob(files)] as const
  const cancelled = jobs.map((job) => applyPersonEvent(job, { type: 'cancelled' }))
  expect(cancelled.map(({ kind, stage }) => [kind, stage])).toEqual([
    ['post', { is: 'cancelled', post: null }],
    ['identity', { is: 'cancelled' }],
    ['message', { is: 'cancelled' }],
    ['preupload', { is: 'open' }],
  ])
  const paused = applyPersonEvent(preuploadJob(files), { type: 'paused' })
  expect(paused.files[0]?.state.is).toBe('paused')
})

test('a job can continue by itself while a step or a wait for a time is next, not while it waits for the person', () => {
  const files = [{ id: A, size: 10 }]
  const failed = { stage: { is: 'failed', code: 'forbidden' } } as const
  const paused = [inState({ is: 'paused', upload })]
  const able = [
    postJob(files),
    // A cancelled post that the server has released: its paused file does not delay the job.
    postJob([], { files: paused, stage: { is: 'released', post: p1, at: 7 } }),
    identityJob(files),
    identityJob([], { files: [sent] }),
    messageJob(files),
    messageJob([], { files: [sent] }),
    preuploadJob(files),
    likeJob(),
    likeJob(failing),
  ]
  const unable = [
    postJob(files, { stage: { ...failed.stage, post: null } }),
    identityJob(files, failed),
    messageJob(files, failed),
    preuploadJob(files, failed),
    preuploadJob([], { files: [sent] }),
    likeJob(failed),
  ]
  expect(able.map((it) => canContinue(it, 500))).toEqual(able.map(() => true))
  expect(unable.map((it) => canContinue(it, 500))).toEqual(unable.map(() => false))
})
