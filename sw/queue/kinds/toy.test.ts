// A new kind of job needs one definition and one entry in a list.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { noFailures } from '#device/jobs/new-files.ts'
import { createPostKind } from './post.ts'
import { type AnyJob, bindKind, type BoundKind, type Kind } from '#sw/queue/kind.ts'
import { createRunner } from '#sw/queue/runner.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import type { Outcome, Ports } from '#sw/queue/ports.ts'
import { applyRetry, isWaiting } from '#sw/queue/waits.ts'
import { postJob } from '#device/testing/jobs.ts'
import { apiWith, succeed, withSentFile, session } from '#sw/testing/one-job.ts'
import { FILE } from '#sw/testing/job-after.ts'
import { stillClock, storeWith } from '#sw/testing/scripted-server.ts'

/** A greeting that one request delivers. */
interface Greeting extends AnyJob {
  readonly kind: 'greeting'
  readonly text: string
  readonly stage: { is: 'open' } | { is: 'greeted' } | { is: 'failed'; code: string }
}
type GreetingStep =
  | { do: 'greet' }
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** The definition of the kind: the whole content of its file. */
const createGreetingKind = (
  greet: (text: string) => Promise<Outcome<null>>,
): Kind<Greeting, GreetingStep, { type: 'greeted' }> => ({
  is: (job): job is Greeting => job.kind === 'greeting',
  nextStep(job, now) {
    if (job.stage.is === 'greeted') return { do: 'drop' }
    if (job.stage.is === 'failed') return { do: 'wait', for: 'person' }
    return isWaiting(job, now) ? { do: 'wait', for: 'time', until: job.wait.until } : { do: 'greet' }
  },
  apply(job, event) {
    if (event.type === 'greeted') return { ...job, stage: { is: 'greeted' } }
    if (event.type === 'refused') return { ...job, stage: { is: 'failed', code: event.code } }
    return isRetry(event) ? applyRetry(job, event) : job
  },
  async perform(job, step, { services, record, conclude }) {
    if (step.do === 'drop') return services.store.drop(job.id)
    const end = await greet(job.text)
    if (end.is === 'ok') await record({ type: 'greeted' })
    else await conclude(end)
  },
})

type RetryEvent = Parameters<typeof applyRetry>[1]
const isRetry = (event: CommonEvent): event is RetryEvent =>
  ['lost', 'tokenRefused', 'nudged', 'hurried'].includes(event.type)

const greeting = (text: string): Greeting => ({
  kind: 'greeting',
  id: newId(),
  ownerId: 'aoi',
  text,
  stage: { is: 'open' },
  ...noFailures,
})

/** Runs these jobs by the kinds of posts and the greeting, and returns every call. */
async function run(
  rows: (FileJob | Greeting)[],
  greet: (text: string) => Promise<Outcome<null>>,
): Promise<{ calls: string[]; rows: (FileJob | Greeting)[] }> {
  const calls: string[] = []
  const api = apiWith(
    { addPost: async () => ({ is: 'ok', value: { postId: 'p', videoId: null } }), release: succeed },
    async (name) => void calls.push(name),
  )
  const remove = async (id: string) =>
    void rows.splice(
      rows.findIndex((it) => it.id === id),
      1,
    )
  const ports: Ports<FileJob | Greeting> = {
    store: storeWith<FileJob | Greeting>({
      session: async () => session('aoi'),
      deliveries: async () => [...rows],
      change: async (id, change) => {
        const index = rows.findIndex((it) => it.id === id)
        const row = rows[index]
        if (!row) return undefined
        rows[index] = change(row)
        return rows[index]
      },
      finish: (job) => remove(job.id),
      drop: remove,
    }),
    clock: stillClock,
    lock: (work) => work(),
  }
  const kind = createGreetingKind((text) => (calls.push(`greet ${text}`), greet(text)))
  // The list of kinds: this line is what the queue needs beside the definition above.
  const kinds: BoundKind<FileJob | Greeting>[] = [bindKind(createPostKind(api)), bindKind(kind)]
  await createRunner(ports, kinds).drain()
  return { calls, rows }
}

test('jobs of the new kind are delivered in order, between jobs of other kinds', async () => {
  const post = withSentFile(postJob([{ id: FILE, size: 10 }]))
  const { calls, rows } = await run([greeting('おはよう'), post, greeting('おやすみ')], succeed)
  expect(calls).toEqual(['greet おはよう', 'addPost', 'release', 'greet おやすみ'])
  expect(rows).toEqual([])
})

test('the runner retries jobs of the new kind and logs their failures with the code', async () => {
  const answers: Outcome<null>[] = [{ is: 'lost' }, { is: 'refused', code: 'forbidden' }]
  const { calls, rows } = await run([greeting('おはよう')], async () => answers.shift() ?? { is: 'stopped' })
  expect(calls).toEqual(['greet おはよう', 'greet おはよう'])
  expect(rows).toMatchObject([{ stage: { is: 'failed', code: 'forbidden' } }])
})

test('a job of a kind that the queue does not know is left alone', async () => {
  const unknown = { ...greeting('?'), kind: 'video-call' } as unknown as Greeting
  const { calls, rows } = await run([unknown, greeting('おはよう')], succeed)
  expect(calls).toEqual(['greet おはよう'])
  expect(rows).toEqual([unknown])
})
