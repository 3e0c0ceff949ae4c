// Measures the connection to the server with an upload that is removed again.
import { newId } from '#contract/ids.ts'
import { RETRY_DELAYS, TUS_CHUNK } from '#contract/limits.ts'
import { type Media } from '#device/database/schema.ts'
import { ackedOf, type JobFile } from '#device/jobs/file-row.ts'
import type { Preupload } from '#device/jobs/job-rows.ts'
import { newFile, noFailures } from '#device/jobs/new-files.ts'
import { bindKind, type Kind, type StepContext } from './kind.ts'
import { apply, nextStep, type PreuploadEvent, type PreuploadStep } from './machines/preupload.ts'
import { createPace } from './pace.ts'
import type { Fetch, Outcome, Ports, QueueStore } from './ports.ts'
import type { Caller } from './requests/request.ts'
import { createTusApi } from './requests/tus.ts'
import { createRunner } from './runner.ts'

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
 * Sends `bytes` as the queue sends a file, and removes them from the server in every case.
 * Gives up after as many failures in a row as the specification has retry delays (section 9).
 */
export async function measure(
  deps: MeasureDeps,
  bytes: Blob,
  onProgress: (progress: MeasureProgress) => void,
  signal: AbortSignal,
): Promise<MeasureEnd> {
  const started = deps.clock.now()
  const upload = createTrial(deps, bytes, () => onProgress(figures()))
  const figures = () => ({ ms: deps.clock.now() - started, ...upload.counts() })
  const runner = createRunner(upload.ports, [
    bindKind<Preupload, Preupload, PreuploadStep, PreuploadEvent>(upload.kind),
  ])
  const stop = () => runner.halt()
  signal.addEventListener('abort', stop, { once: true })
  if (!signal.aborted) await runner.drain()
  signal.removeEventListener('abort', stop)
  const is = signal.aborted ? 'stopped' : await upload.end()
  return { is, ...figures(), removed: await upload.remove() }
}

/** One upload that has its bytes in memory and leaves nothing on the device. */
function createTrial(deps: MeasureDeps, bytes: Blob, changed: () => void) {
  const media = mediaOf(deps.ownerId, bytes.size, deps.clock.now())
  let job = jobOf(media)
  let end: MeasureEnd['is'] | undefined
  const counting = countingRetries(deps.fetch)
  const store = storeOf(deps, media, bytes, {
    job: () => job,
    change: (next) => (job = next),
  })
  const tus = createTusApi({ ...deps, fetch: counting.fetch, store, pace: createPace() })

  /** Records an outcome; one that no further try would change ends the measurement. */
  async function conclude(
    outcome: Outcome<null>,
    { record }: StepContext<Preupload, PreuploadEvent>,
  ): Promise<void> {
    if (outcome.is === 'ok' || outcome.is === 'stopped') return
    const isOver = outcome.is !== 'lost' && outcome.is !== 'gone'
    if (isOver) end = outcome.is === 'signedOut' ? 'signedOut' : 'failed'
    else {
      counting.failed()
      if (outcome.is === 'gone') await record({ type: 'gone', fileId: media.id })
      const retryAfter = outcome.is === 'lost' ? outcome.retryAfter : undefined
      const at = { at: deps.clock.now(), jitter: deps.clock.random() }
      await record({ type: 'lost', ...at, ...(retryAfter !== undefined && { retryAfter }) })
    }
    if (isOver || job.attempts > RETRY_DELAYS.length) await record({ type: 'refused', code: 'internal' })
    changed()
  }

  const kind: Kind<Preupload, PreuploadStep, PreuploadEvent> = {
    is: (it): it is Preupload => it.kind === 'preupload',
    nextStep,
    apply,
    async perform(current, _step, context) {
      const onTusProgress = async (progress: { offset: number } | { url: string }) => {
        const fileId = media.id
        if ('url' in progress) await context.recordFile({ type: 'created', fileId, url: progress.url })
        else await context.recordFile({ type: 'accepted', fileId, offset: progress.offset })
        changed()
      }
      await conclude(await tus.send(current, media.id, onTusProgress, context.signal), context)
    },
  }
  const ports: Ports<Preupload> = { store, clock: deps.clock, lock: (work) => work() }
  const file = (): JobFile => job.files[0] ?? newFile(media)
  return {
    kind,
    ports,
    counts: () => ({ sent: ackedOf(file()), retries: counting.retries() }),
    end: async () => end ?? (await endOf(deps, file())),
    async remove(): Promise<boolean> {
      const removed = await tus.discard(job, media.id, new AbortController().signal)
      return removed.is === 'ok' || removed.is === 'gone'
    },
  }
}

/** How a measurement ended when its runner had nothing left to do, also because its owner signed out. */
async function endOf({ store, ownerId }: MeasureDeps, { state }: JobFile): Promise<MeasureEnd['is']> {
  if (state.is === 'sent') return 'done'
  const session = await store.session()
  return session?.user.id === ownerId ? 'failed' : 'signedOut'
}

/**
 * Counts repeated requests. After a lost connection a browser may repeat a request by itself, which only the server's
 * refusal of the old offset (409) shows.
 */
function countingRetries(fetch: Fetch) {
  let retries = 0
  let isCounted = false
  return {
    retries: () => retries,
    /** A request failed, unless its refusal was counted. */
    failed() {
      if (!isCounted) retries++
    },
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      isCounted = false
      const response = await fetch(url, init)
      isCounted = response.status === 409
      if (isCounted) retries++
      return response
    },
  }
}

/** A store in memory of one job and its bytes. */
function storeOf(
  deps: MeasureDeps,
  media: Media,
  bytes: Blob,
  row: { job(): Preupload; change(job: Preupload): void },
): QueueStore<Preupload> & QueueStore {
  const never = () => Promise.reject(new Error('a measurement has no such call'))
  return {
    session: () => deps.store.session(),
    refused: (token) => deps.store.refused(token),
    deliveries: async (ownerId) => (ownerId === deps.ownerId ? [row.job()] : []),
    change: async (_id: string, change: (job: Preupload) => Preupload) => {
      row.change(change(row.job()))
      return row.job()
    },
    media: async () => media,
    chunk: async (_id, index) => bytes.slice(index * TUS_CHUNK, (index + 1) * TUS_CHUNK),
    range: never,
    digest: never,
    finish: never,
    drop: never,
  }
}

function jobOf({ id, size, ownerId, createdAt }: Media): Preupload {
  const files = [newFile({ id, size })]
  return { kind: 'preupload', id: newId(), ownerId, files, stage: { is: 'open' }, ...noFailures, createdAt }
}

function mediaOf(ownerId: string, size: number, now: number): Media {
  return {
    id: newId(),
    draftId: newId(),
    ownerId,
    role: 'media',
    kind: 'image',
    name: 'test.bin',
    mime: 'application/octet-stream',
    size,
    duration: null,
    alt: '',
    bytes: { is: 'stored', digest: '' },
    conversion: { is: 'ready' },
    createdAt: now,
  }
}
