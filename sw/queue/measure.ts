// Measures the way to the server: bytes that are no post go through the queue's own protocol client and are removed again.
import * as v from 'valibot'
import { newId } from '#contract/ids.ts'
import { RETRY_DELAYS, TUS_CHUNK } from '#contract/limits.ts'
import { earlyFacts } from '#device/jobs/facts.ts'
import { earlyRow, mediaRow, type JobFacts } from '#device/database/schema.ts'
import { apply, type QueueEvent } from './machine.ts'
import { nextStep } from './next-step.ts'
import { makePace } from './pace.ts'
import type { Fetch, Outcome, QueueStore, Told } from './ports.ts'
import type { Caller } from './requests/request.ts'
import { makeTus } from './requests/tus.ts'

export interface MeasureEnd {
  is: 'done' | 'stopped' | 'signedOut' | 'failed'
  /** From the first request to the last byte acknowledged, or to the end, ms. */
  ms: number
  /** Bytes the server acknowledged. */
  sent: number
  /** Requests that had to be tried again. */
  retries: number
  /** The server has removed the bytes, or never had any. */
  removed: boolean
}

export type MeasureProgress = Pick<MeasureEnd, 'ms' | 'sent' | 'retries'>

export interface MeasureDeps extends Caller {
  /** Where uploads are created, absolute. */
  endpoint: string
  ownerId: string
}

/**
 * Sends `bytes` as the queue would send a file, and removes them from the server whatever happened.
 * Gives up after as many failures in a row as the specification has retry delays (section 9).
 */
export async function measure(
  deps: MeasureDeps,
  bytes: Blob,
  onProgress: (progress: MeasureProgress) => void,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const { clock } = deps
  const started = clock.now()
  let retries = 0
  let counted = false
  // After a cut a browser may repeat a request by itself: only the server's refusal of the old offset tells of it.
  const fetch: Fetch = async (url, init) => {
    counted = false
    const response = await deps.fetch(url, init)
    counted = response.status === 409
    if (counted) retries++
    return response
  }
  const run = trial({ ...deps, fetch }, bytes)
  const progress = () => ({ ms: clock.now() - started, sent: run.sent(), retries })
  const told: Told = async (said) => {
    run.hear(said)
    onProgress(progress())
  }
  let is: MeasureEnd['is'] | undefined
  while (!is) {
    const step = nextStep(run.facts(), clock.now())
    if (signal.aborted) is = 'stopped'
    else if (step.do === 'send') {
      const end = await run.send(told, signal)
      is = meaningOf(end)
      if (is || end.is === 'ok') continue
      if (!counted) retries++
      counted = false
      run.lost(clock.now(), clock.random(), end)
      if (run.facts().attempts > RETRY_DELAYS.length) is = 'failed'
      onProgress(progress())
    } else if (step.do === 'wait' && step.for === 'time') await clock.sleep(step.until, signal)
    // Of a delivery without a post nothing is left to do once all bytes are there.
    else is = run.facts().media.every((it) => it.done) ? 'done' : 'failed'
  }
  const figures = progress()
  return { is, ...figures, removed: await run.remove() }
}

/** Ends that no further try would change. */
function meaningOf(end: Outcome<null>): MeasureEnd['is'] | undefined {
  if (end.is === 'stopped' || end.is === 'signedOut') return end.is
  return end.is === 'ok' || end.is === 'lost' || end.is === 'gone' ? undefined : 'failed'
}

/** One upload that has its bytes in memory and leaves nothing on the device. */
function trial(deps: MeasureDeps, bytes: Blob) {
  const { job, media } = rowsFor(deps.ownerId, bytes.size, deps.clock.now())
  let { facts } = job
  const hear = (event: QueueEvent) => (facts = apply(facts, event))
  const store: Pick<QueueStore, 'session' | 'refused' | 'media' | 'chunk'> = {
    session: () => deps.store.session(),
    refused: (token) => deps.store.refused(token),
    media: async () => media,
    chunk: async (_id, index) => bytes.slice(index * TUS_CHUNK, (index + 1) * TUS_CHUNK),
  }
  const tus = makeTus({ ...deps, store: store as QueueStore, pace: makePace() })
  return {
    facts: (): JobFacts => facts,
    sent: () => facts.media[0]?.acked ?? 0,
    hear: (said: Parameters<Told>[0]) =>
      hear(
        'url' in said
          ? { type: 'created', mediaId: media.id, url: said.url }
          : { type: 'accepted', mediaId: media.id, offset: said.offset },
      ),
    lost: (at: number, jitter: number, end: Outcome<null>) => {
      if (end.is === 'gone') hear({ type: 'gone', mediaId: media.id })
      const told = end.is === 'lost' && end.retryAfter !== undefined ? { retryAfter: end.retryAfter } : {}
      hear({ type: 'lost', at, jitter, ...told })
    },
    send: (told: Told, signal: AbortSignal) => tus.send({ ...job, facts }, media.id, told, signal),
    async remove(): Promise<boolean> {
      const end = await tus.discard({ ...job, facts }, media.id, new AbortController().signal)
      return end.is === 'ok' || end.is === 'gone'
    },
  }
}

/** Rows as the device would have them for a picked file; parsed, so that they are what the queue expects. */
function rowsFor(ownerId: string, size: number, now: number) {
  const id = newId()
  const job = v.parse(earlyRow, {
    id: newId(),
    ownerId,
    protocol: 'tus',
    form: null,
    facts: earlyFacts(undefined, [{ id, size, kind: 'image' }]),
    createdAt: now,
  })
  const media = v.parse(mediaRow, {
    id,
    draftId: job.id,
    ownerId,
    role: 'media',
    kind: 'image',
    name: 'test.bin',
    mime: 'application/octet-stream',
    size,
    duration: null,
    bytes: { is: 'stored', digest: '' },
    createdAt: now,
  })
  return { job, media }
}
