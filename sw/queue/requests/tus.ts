// Sends one media by the resumable protocol (tus 1.0.0, specification section 7), through tus-js-client.
import { DetailedError, Upload, type HttpRequest, type HttpResponse } from 'tus-js-client'
import { IDENTITY_PURPOSE } from '#contract/identity/identity.ts'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import type { Media } from '#device/database/schema.ts'
import { urlOf } from '#device/jobs/file-row.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { createHttpStack, wasRefused } from './http-stack.ts'
import { endOf, Ended } from './outcome.ts'
import type { Pace } from '#sw/queue/pace.ts'
import type { Clock, FileApi, OnProgress, Outcome, QueueStore } from '#sw/queue/ports.ts'
import { callDelete, tokenOf, type Caller } from './request.ts'
import { createSource } from './source.ts'
import { isUploadAddress } from './tus-replies.ts'

export interface TusDeps extends Caller {
  store: QueueStore
  pace: Pace
  /** Where uploads are created, absolute. */
  endpoint: string
}

/** Sending and removing uploads. */
export function createTusApi(deps: TusDeps): FileApi {
  return {
    async send(job, mediaId, onProgress, signal) {
      const media = await deps.store.media(mediaId)
      const file = job.files.find((it) => it.id === mediaId)
      if (!media || !file) return { is: 'refused', code: 'bytes_missing' }
      const url = addressOf(deps, job, mediaId)
      // HEAD before POST: the answer to an earlier creation may have been lost.
      const resumed = await transfer(deps, { job, media, url, onProgress, signal })
      if (resumed.is !== 'gone' || file.state.is !== 'waiting') return resumed
      const created = await transfer(deps, { job, media, url: null, onProgress, signal })
      return created.is === 'gone' ? { is: 'lost' } : created
    },
    async discard(job, mediaId, signal) {
      return callDelete(deps, job.ownerId, addressOf(deps, job, mediaId), signal)
    },
  }
}

/** An upload's id is the media id the device chose, unless the server named another address. */
function addressOf({ endpoint, server }: TusDeps, job: FileJob, mediaId: string): string {
  const file = job.files.find((it) => it.id === mediaId)
  const url = file && urlOf(file)
  // Earlier builds stored any address that an answer named.
  return url && isUploadAddress({ endpoint, server }, endpoint, url) ? url : `${endpoint}/${mediaId}`
}

interface Transfer {
  job: FileJob
  media: Media
  /** Resume there; null creates the upload. */
  url: string | null
  onProgress: OnProgress
  signal: AbortSignal
}

/** Metadata of an upload. Its purpose marks bytes of an identity check, which no post may use. */
function metadataOf({ job, media }: Transfer): Record<string, string> {
  const metadata = { id: media.id, filename: media.name, filetype: media.mime }
  return job.kind === 'identity' ? { ...metadata, purpose: IDENTITY_PURPOSE } : metadata
}

async function transfer(deps: TusDeps, it: Transfer): Promise<Outcome<null>> {
  const progress = createProgressWriter(it.onProgress, deps.clock)
  const over = new AbortController()
  try {
    return await send(deps, { ...it, onProgress: progress.write }, over)
  } finally {
    over.abort()
    await progress.flush()
  }
}

/**
 * Writes progress while the next request is sent, one write at a time. Offsets are written at most once per interval, and
 * the last one at the end: a lost offset can be requested again.
 */
function createProgressWriter(
  store: OnProgress,
  clock: Pick<Clock, 'now'>,
): { write: OnProgress; flush(): Promise<void> } {
  let writing = Promise.resolve()
  let writtenAt = -Infinity
  let latest: { offset: number } | undefined
  return {
    write: async (progress) => {
      if ('offset' in progress && clock.now() - writtenAt < PROGRESS_EVERY) {
        latest = progress
        return
      }
      await writing
      latest = undefined
      if ('offset' in progress) writtenAt = clock.now()
      writing = store(progress)
      // The rejection is thrown before the next write, or at the end.
      writing.catch(() => undefined)
    },
    async flush() {
      await writing
      if (latest) await store(latest)
    },
  }
}

function send(deps: TusDeps, it: Transfer, over: AbortController): Promise<Outcome<null>> {
  let token = ''
  let sentAt = 0
  const { endpoint, server } = deps
  const stack = createHttpStack(deps, { endpoint, server, size: it.media.size }, it.signal, it.job.attempts)
  return new Promise((resolve, reject) => {
    // tus-js-client reads only the source below, not this blob.
    const upload = new Upload(new Blob(), {
      endpoint: it.url ? null : deps.endpoint,
      uploadUrl: it.url,
      uploadSize: it.media.size,
      chunkSize: CHUNK_BYTES,
      // The queue retries by itself: its state outlives this worker.
      retryDelays: null,
      storeFingerprintForResuming: false,
      fingerprint: () => Promise.resolve(it.media.id),
      metadata: metadataOf(it),
      fileReader: {
        openFile: () => Promise.resolve(createSource(deps.store, it.media, deps.pace, over.signal)),
      },
      httpStack: stack,
      onBeforeRequest: async (request) => {
        token = await tokenOf(deps, it.job.ownerId)
        request.setHeader('Authorization', `Bearer ${token}`)
        sentAt = deps.clock.now()
      },
      onAfterResponse: (request, response) =>
        recordAnswer(deps, it.onProgress, request, response, sentAt, token),
      onUploadUrlAvailable: null,
      onSuccess: () => resolve({ is: 'ok', value: null }),
      onError: (error) => {
        const end = endOfError(deps, error)
        // An error of the device's database is passed on as it is.
        if (!end) return reject((error instanceof DetailedError && error.causingError) || error)
        if (end.is !== 'signedOut' || !end.closed) return resolve(end)
        void deps.store.refused(token, end.closed).then(() => resolve(end), reject)
      },
    })
    it.signal.addEventListener(
      'abort',
      () => {
        void upload.abort()
        // The step ends with its last request: the lock must not be free before.
        void stack.quiet().then(() => resolve({ is: 'stopped' }))
      },
      { once: true },
    )
    if (it.signal.aborted) resolve({ is: 'stopped' })
    else upload.start()
  })
}

/** Reports address and offset of a reply, before tus-js-client sends the next piece. */
async function recordAnswer(
  deps: TusDeps,
  onProgress: OnProgress,
  request: HttpRequest,
  response: HttpResponse,
  sentAt: number,
  token: string,
): Promise<void> {
  const status = response.getStatus()
  if (status === 401) await deps.store.refused(token)
  if (status < 200 || status > 299) return
  const method = request.getMethod()
  const location = response.getHeader('Location')
  if (method === 'POST' && location) {
    await onProgress({ url: new URL(location, request.getURL()).href })
    await onProgress({ offset: 0 })
  }
  const offset = Number.parseInt(response.getHeader('Upload-Offset') ?? '', 10)
  if (method === 'POST' || Number.isNaN(offset)) return
  if (method === 'PATCH') {
    const from = Number(request.getHeader('Upload-Offset'))
    if (wasRefused(response)) deps.pace.broke()
    else deps.pace.went(offset - from, deps.clock.now() - sentAt)
  }
  await onProgress({ offset })
}

function endOfError(deps: TusDeps, error: Error): Outcome<never> | undefined {
  if (!(error instanceof DetailedError)) return error instanceof Ended ? error.end : undefined
  const response = error.originalResponse
  if (response) {
    const status = response.getStatus()
    if (error.originalRequest?.getMethod() === 'PATCH' && status !== 401) deps.pace.broke()
    return endOf(
      status,
      response.getBody(),
      (name) => response.getHeader(name),
      deps.clock.now(),
      deps.server,
    )
  }
  const cause = error.causingError
  if (!(cause instanceof Ended)) return undefined
  if (cause.end.is === 'lost') deps.pace.broke()
  return cause.end
}
