// Sends one media by the resumable protocol (tus 1.0.0, specification section 7), through tus-js-client.
import { DetailedError, Upload, type HttpRequest, type HttpResponse } from 'tus-js-client'
import { IDENTITY_PURPOSE } from '#contract/identity/identity.ts'
import { readRefusal } from '#contract/response.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import { urlOf } from '#device/jobs/file-row.ts'
import type { FileJob } from '#device/jobs/job-rows.ts'
import { followCarried } from './carried.ts'
import { createHttpStack, wasRefused } from './http-stack.ts'
import { endOf, Ended } from './outcome.ts'
import type { FileApi, OnProgress, Outcome } from '#sw/queue/ports.ts'
import { goesInParts, sendParts } from './parts.ts'
import { callDelete, tokenOf } from './request.ts'
import { createSource } from './source.ts'
import { createProgressWriter, type Transfer, type TusDeps } from './transfer.ts'
import { isUploadAddress } from './tus-replies.ts'

/** Sending and removing uploads. */
export function createTusApi(deps: TusDeps): FileApi {
  return {
    async send(job, mediaId, onProgress, signal) {
      const media = await deps.store.media(mediaId)
      const file = job.files.find((it) => it.id === mediaId)
      if (!media || !file) return { is: 'refused', code: 'bytes_missing' }
      const url = addressOf(deps, job, mediaId)
      for (;;) {
        const followed = await followCarried(deps, { job, media, url, onProgress, signal })
        if (typeof followed === 'object') return followed
        const isBeside = followed === 'stalled'
        const sendTo = (address: string | null) =>
          transfer(deps, { job, media, url: address, onProgress, signal }, isBeside)
        const end = await (file.state.is === 'waiting'
          ? begin(deps, (isNew) => sendTo(isNew ? null : url))
          : sendTo(url))
        if (end.is === 'carried') continue
        const isUnknown = end.is === 'exists' || (end.is === 'gone' && file.state.is === 'waiting')
        // An upload that is neither there nor created is tried again.
        return isUnknown ? { is: 'lost' } : end
      }
    },
    async discard(job, mediaId, signal) {
      return callDelete(deps, job.ownerId, addressOf(deps, job, mediaId), signal)
    },
  }
}

/** An outcome, or that the server already has the upload that was to be created, or that the browser has begun to carry it. */
type Begun = Outcome<null> | { is: 'exists' } | { is: 'carried' }

/**
 * Begins an upload of which the server has nothing by its replies so far; the reply to an earlier creation may have been lost.
 * Our server says that the upload exists. Another one may create a second upload at each POST, and is asked first.
 */
async function begin({ server }: TusDeps, sendAs: (isNew: boolean) => Promise<Begun>): Promise<Begun> {
  const isAskedFirst = server === 'specification'
  const first = await sendAs(!isAskedFirst)
  return first.is === (isAskedFirst ? 'gone' : 'exists') ? sendAs(isAskedFirst) : first
}

/** An upload's id is the media id the device chose, unless the server named another address. */
function addressOf({ endpoint, server }: TusDeps, job: FileJob, mediaId: string): string {
  const file = job.files.find((it) => it.id === mediaId)
  const url = file && urlOf(file)
  // Earlier builds stored any address that an answer named.
  return url && isUploadAddress({ endpoint, server }, endpoint, url) ? url : `${endpoint}/${mediaId}`
}

/** Metadata of an upload. Its purpose marks bytes of an identity check, which no post may use. */
function metadataOf({ job, media }: Transfer): Record<string, string> {
  const metadata = { id: media.id, filename: media.name, filetype: media.mime }
  return job.kind === 'identity' ? { ...metadata, purpose: IDENTITY_PURPOSE } : metadata
}

async function transfer(deps: TusDeps, it: Transfer, isBeside: boolean): Promise<Begun> {
  const progress = createProgressWriter(it.onProgress, deps.clock)
  const over = new AbortController()
  try {
    const written = { ...it, onProgress: progress.write }
    const end = await send(deps, written, over)
    return end.is === 'inParts' ? await sendParts(deps, written, { ...end, isBeside }) : end
  } catch (error) {
    if (error instanceof Ended) return error.end
    throw error
  } finally {
    over.abort()
    await progress.flush()
  }
}

/** The reply that named the upload announced parts: the rest is sent as such. */
interface InParts {
  readonly is: 'inParts'
  /** The upload's address. */
  readonly url: string
  /** Whether it was created by this reply, so that the server has none of its bytes. */
  readonly isNew: boolean
}

/** A reply that announces parts, as an error: tus-js-client would go on with PATCH. */
class PartsAnnounced extends Error {
  readonly parts: InParts
  constructor(parts: InParts) {
    super(parts.is)
    this.parts = parts
  }
}

function send(deps: TusDeps, it: Transfer, over: AbortController): Promise<Begun | InParts> {
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
      onAfterResponse: async (request, response) => {
        const parts = partsAnnounced(it.media.size, request, response)
        await recordAnswer(deps, it.onProgress, { request, response, sentAt, token, parts })
        if (parts) throw new PartsAnnounced(parts)
      },
      onUploadUrlAvailable: null,
      onSuccess: () => resolve({ is: 'ok', value: null }),
      onError: (error) => {
        const cause = error instanceof DetailedError ? error.causingError : undefined
        if (cause instanceof PartsAnnounced) return resolve(cause.parts)
        const end = endOfError(deps, error)
        // An error of the device's database is passed on as it is.
        if (!end) return reject(cause ?? error)
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

/** The upload of a reply to POST or HEAD that announces parts, unless it has every byte. */
function partsAnnounced(size: number, request: HttpRequest, response: HttpResponse): InParts | undefined {
  const method = request.getMethod()
  const status = response.getStatus()
  if (status > 299 || !goesInParts(size, (name) => response.getHeader(name))) return undefined
  if (method === 'HEAD' && response.getHeader('Upload-Offset') !== String(size))
    return { is: 'inParts', url: request.getURL(), isNew: false }
  const location = method === 'POST' && response.getHeader('Location')
  return location ? { is: 'inParts', url: new URL(location, request.getURL()).href, isNew: true } : undefined
}

interface Answer {
  readonly request: HttpRequest
  readonly response: HttpResponse
  /** Milliseconds since 1970. */
  readonly sentAt: number
  readonly token: string
  readonly parts: InParts | undefined
}

/** Reports address and offset of a reply, before tus-js-client sends the next piece. */
async function recordAnswer(
  deps: TusDeps,
  onProgress: OnProgress,
  { request, response, sentAt, token, parts }: Answer,
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
  // Of an upload in parts, the offset is where the first gap begins: the server has more.
  if (method === 'POST' || Number.isNaN(offset) || parts) return
  if (method === 'PATCH') {
    const from = Number(request.getHeader('Upload-Offset'))
    if (wasRefused(response)) deps.pace.broke()
    else deps.pace.went(offset - from, deps.clock.now() - sentAt)
  }
  await onProgress({ offset })
}

function endOfError(deps: TusDeps, error: Error): Outcome<never> | { is: 'exists' } | undefined {
  if (!(error instanceof DetailedError)) return error instanceof Ended ? error.end : undefined
  const response = error.originalResponse
  if (response) {
    const answer = {
      status: response.getStatus(),
      body: response.getBody(),
      header: (name: string) => response.getHeader(name),
    }
    const method = error.originalRequest?.getMethod()
    if (method === 'PATCH' && answer.status !== 401) deps.pace.broke()
    if (method === 'POST' && readRefusal(answer, deps.server)?.code === 'upload_exists')
      return { is: 'exists' }
    return endOf(answer.status, answer.body, answer.header, deps.clock.now(), deps.server)
  }
  const cause = error.causingError
  if (!(cause instanceof Ended)) return undefined
  if (cause.end.is === 'lost') deps.pace.broke()
  return cause.end
}
