// Early upload in the queue: files go up, nothing is posted, and submitted posts come first.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { earlyFacts, submittedFacts, withoutDraft, withoutFile } from '#device/jobs/facts.ts'
import type { Delivery, JobFacts } from '#device/database/schema.ts'
import { post, session } from '#sw/testing/one-job.ts'
import { makeRunner } from './drain.ts'
import { apply } from './machine.ts'
import { nextStep } from './next-step.ts'
import type { Outcome, Ports } from './ports.ts'
import { stillClock, storeWith } from '#sw/testing/transcript.ts'

const A = newId()
const B = newId()
const files = [A, B].map((id) => ({ id, size: 10, kind: 'image' as const }))
const arrived = (facts: JobFacts, mediaId: string) => apply(facts, { type: 'accepted', mediaId, offset: 10 })

test('of a draft that is being written the files are sent and no post is asked for', () => {
  let facts = earlyFacts(undefined, files)
  expect(nextStep(facts, 0)).toEqual({ do: 'send', mediaId: A })
  facts = arrived(facts, A)
  expect(nextStep(facts, 0)).toEqual({ do: 'send', mediaId: B })
  facts = arrived(facts, B)
  expect(nextStep(facts, 0)).toEqual({ do: 'wait', for: 'person' })
  expect(nextStep(submittedFacts(facts, files, 'tus'), 0)).toEqual({ do: 'addPost' })
})

test('a file that was taken out is removed from the server before anything else is sent', () => {
  let facts = withoutFile(arrived(earlyFacts(undefined, files), A), A)
  expect(nextStep(facts, 0)).toEqual({ do: 'discard', mediaId: A })
  facts = apply(facts, { type: 'discarded', mediaId: A })
  expect(facts.media.map((it) => it.id)).toEqual([B])
  expect(nextStep(facts, 0)).toEqual({ do: 'send', mediaId: B })
})

test('a discarded draft removes every file from the server, and then is gone', () => {
  let facts = withoutDraft(arrived(earlyFacts(undefined, files), A))
  for (const mediaId of [A, B]) {
    expect(nextStep(facts, 0)).toEqual({ do: 'discard', mediaId })
    facts = apply(facts, { type: 'discarded', mediaId })
  }
  expect(nextStep(facts, 0)).toEqual({ do: 'drop' })
})

/** A queue over rows in memory, whose sends end when the test says so. */
function queue(rows: Map<string, Delivery>) {
  const sends: { mediaId: string; end: (outcome: Outcome<null>) => void; signal: AbortSignal }[] = []
  const said: string[] = []
  const ok = (line: string) => {
    said.push(line)
    return Promise.resolve({ is: 'ok', value: null } as const)
  }
  const order = () => [...rows.values()].toSorted((a, b) => Number(a.form === null) - Number(b.form === null))
  const ports: Ports = {
    store: storeWith({
      session: async () => session('aoi'),
      deliveries: async () => order(),
      changeFacts: async (id, change) => {
        const row = rows.get(id)
        if (!row) return undefined
        const next = { ...row, facts: change(row.facts) }
        rows.set(id, next)
        return next
      },
      finish: async (job) => void rows.delete(job.id),
    }),
    api: {
      send: (_job, mediaId, _told, signal) =>
        new Promise((end) => {
          said.push(`send ${mediaId}`)
          sends.push({ mediaId, end, signal })
          signal.addEventListener('abort', () => end({ is: 'stopped' }), { once: true })
        }),
      discard: () => ok('discard'),
      addPost: async () => {
        said.push('add')
        return { is: 'ok', value: { postId: 'p', videoId: null } }
      },
      release: () => ok('release'),
      withdraw: () => ok('withdraw'),
      submitCheck: () => Promise.reject(new Error('no identity check is here')),
      act: () => Promise.reject(new Error('no act is here')),
    },
    clock: stillClock,
    lock: (work) => work(),
  }
  const hasSent = async (count: number): Promise<void> => {
    await expect.poll(() => sends.length).toBe(count)
  }
  return { runner: makeRunner(ports), sends, said, hasSent }
}

function early(mediaId: string): Delivery {
  const facts = earlyFacts(undefined, [{ id: mediaId, size: 10, kind: 'video' }])
  return { id: 'written', ownerId: 'aoi', protocol: 'tus', form: null, facts, createdAt: 0 }
}

const postOf = (mediaId: string) => post(undefined, mediaId)

test('what is sent early gives way to a post that is submitted, and goes on after it', async () => {
  const rows = new Map<string, Delivery>([['written', early(A)]])
  const { runner, sends, said, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  rows.set('posted', postOf(B))
  runner.wake()
  await hasSent(2)
  expect(sends[0]?.signal.aborted).toBe(true)
  const row = rows.get('posted')
  if (row) rows.set('posted', { ...row, facts: arrived(row.facts, B) })
  sends[1]?.end({ is: 'ok', value: null })
  await hasSent(3)
  expect(said).toEqual([`send ${A}`, `send ${B}`, 'add', 'release', `send ${A}`])
  runner.halt()
})

test('what is sent early gives way to no post that waits itself', async () => {
  const rows = new Map<string, Delivery>([['written', early(A)]])
  const { runner, sends, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  const waiting = post((facts) => ({ ...facts, wait: { until: 60_000, told: false } }), B)
  rows.set('posted', waiting)
  runner.wake()
  // Every promise of the look at the rows has ended by then.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(sends[0]?.signal.aborted).toBe(false)
  runner.halt()
})

test('a draft submitted in the middle of a file goes on with that file', async () => {
  const rows = new Map<string, Delivery>([['written', early(A)]])
  const { runner, sends, hasSent } = queue(rows)
  void runner.drain()
  await hasSent(1)
  const facts = submittedFacts(rows.get('written')?.facts, [{ id: A, size: 10, kind: 'image' }], 'tus')
  rows.set('written', { ...postOf(A), id: 'written', facts })
  runner.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(sends).toHaveLength(1)
  expect(sends[0]?.signal.aborted).toBe(false)
  runner.halt()
})
