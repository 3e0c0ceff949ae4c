// Sends one media by the resumable protocol (tus 1.0.0, specification section 7), through tus-js-client.
import { DetailedError, Upload, type HttpRequest, type HttpResponse } from 'tus-js-client'
import { IDENTITY_PURPOSE } from '#contract/identity/identity.ts'
import { PROGRESS_EVERY } from '#contract/limits.ts'
import { CHUNK_BYTES } from '#device/files/chunks.ts'
import type { Delivery, Media } from '#device/database/schema.ts'
import { makeHttpStack, wasRefused } from './http-stack.ts'
import { endOf, Ended } from './outcome.ts'
import type { Pace } from '#sw/queue/pace.ts'
import type { Clock, Outcome, PublishApi, QueueStore, Told } from '#sw/queue/ports.ts'
import { callBare, tokenOf, type Caller } from './request.ts'
import { makeSource } from './source.ts'
import { isUploadAddress } from './tus-replies.ts'

export interface TusDeps extends Caller {
  store: QueueStore
  pace: Pace
  /** Where uploads are created, absolute. */
  endpoint: string
}

/** Sending and removing uploads. */
export function makeTus(deps: TusDeps): Pick<PublishApi, 'send' | 'discard'> {
  return {
    async send(job, mediaId, told, signal) {
      const media = await deps.store.media(mediaId)
      const facts = job.facts.media.find((it) => it.id === mediaId)
      if (!media || !facts) return { is: 'refused', code: 'bytes_missing' }
      const url = urlOf(deps, job, mediaId)
      // Ask before creating: the answer to an earlier creation may have been lost.
      const resumed = await transfer(deps, { job, media, url, told, signal })
      if (resumed.is !== 'gone' || facts.begun) return resumed
      const created = await transfer(deps, { job, media, url: null, told, signal })
      return created.is === 'gone' ? { is: 'lost' } : created
    },
    async discard(job, mediaId, signal) {
      const init = { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } }
      return callBare(deps, job.ownerId, { url: urlOf(deps, job, mediaId), init }, signal)
    },
  }
}

/** An upload's id is the media id the device chose, unless the server named another address. */
function urlOf({ endpoint, server }: TusDeps, job: Delivery, mediaId: string): string {
  const url = job.facts.media.find((it) => it.id === mediaId)?.url
  // Earlier builds noted whatever address an answer named.
  return url && isUploadAddress({ endpoint, server }, endpoint, url) ? url : `${endpoint}/${mediaId}`
}

interface Transfer {
  job: Delivery
  media: Media
  /** Resume there; null creates the upload. */
  url: string | null
  told: Told
  signal: AbortSignal
}

/** What is sent for an identity check says so: the server lets no post have it. */
function metadataOf({ job, media }: Transfer): Record<string, string> {
  const metadata = { id: media.id, filename: media.name, filetype: media.mime }
  return job.facts.kind === 'identity' ? { ...metadata, purpose: IDENTITY_PURPOSE } : metadata
}

async function transfer(deps: TusDeps, it: Transfer): Promise<Outcome<null>> {
  const notes = notesBeside(it.told, deps.clock)
  const over = new AbortController()
  try {
    return await send(deps, { ...it, told: notes.told }, over)
  } finally {
    over.abort()
    await notes.written()
  }
}

/**
 * Notes are written beside the next request, one at a time. Offsets are written as often as they are looked at, and
 * the last one before the end: where an upload stands can be asked for again.
 */
function notesBeside(told: Told, clock: Pick<Clock, 'now'>): { told: Told; written(): Promise<void> } {
  let writing = Promise.resolve()
  let writtenAt = -Infinity
  let held: { offset: number } | undefined
  return {
    told: async (said) => {
      if ('offset' in said && clock.now() - writtenAt < PROGRESS_EVERY) {
        held = said
        return
      }
      await writing
      held = undefined
      if ('offset' in said) writtenAt = clock.now()
      writing = told(said)
      // Met before the next note, or at the end.
      writing.catch(() => undefined)
    },
    async written() {
      await writing
      if (held) await told(held)
    },
  }
}

function send(deps: TusDeps, it: Transfer, over: AbortController): Promise<Outcome<null>> {
  let token = ''
  let sentAt = 0
  const { endpoint, server } = deps
  const stack = makeHttpStack(
    deps,
    { endpoint, server, size: it.media.size },
    it.signal,
    it.job.facts.attempts,
  )
  return new Promise((resolve, reject) => {
    // The source below is all it reads.
    const upload = new Upload(new Blob(), {
      endpoint: it.url ? null : deps.endpoint,
      uploadUrl: it.url,
      uploadSize: it.media.size,
      chunkSize: CHUNK_BYTES,
      // Retrying is the queue's business: it knows what survives this worker.
      retryDelays: null,
      storeFingerprintForResuming: false,
      fingerprint: () => Promise.resolve(it.media.id),
      metadata: metadataOf(it),
      fileReader: {
        openFile: () => Promise.resolve(makeSource(deps.store, it.media, deps.pace, over.signal)),
      },
      httpStack: stack,
      onBeforeRequest: async (request) => {
        token = await tokenOf(deps, it.job.ownerId)
        request.setHeader('Authorization', `Bearer ${token}`)
        sentAt = deps.clock.now()
      },
      onAfterResponse: (request, response) => hear(deps, it.told, request, response, sentAt, token),
      onUploadUrlAvailable: null,
      onSuccess: () => resolve({ is: 'ok', value: null }),
      onError: (error) => {
        const end = endOfError(deps, error)
        // What the device's database threw is not the protocol's: callers know it by its own name.
        if (!end) return reject((error instanceof DetailedError && error.causingError) || error)
        if (end.is !== 'signedOut' || !end.closed) return resolve(end)
        void deps.store.refused(token, end.closed).then(() => resolve(end), reject)
      },
    })
    it.signal.addEventListener(
      'abort',
      () => {
        over.abort()
        void upload.abort()
        // The step ends when its last request has: the lock must not be free before.
        void stack.quiet().then(() => resolve({ is: 'stopped' }))
      },
      { once: true },
    )
    if (it.signal.aborted) resolve({ is: 'stopped' })
    else upload.start()
  })
}

/** Passes on what an answer says, before tus-js-client sends the next piece. */
async function hear(
  deps: TusDeps,
  told: Told,
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
    await told({ url: new URL(location, request.getURL()).href })
    await told({ offset: 0 })
  }
  const offset = Number.parseInt(response.getHeader('Upload-Offset') ?? '', 10)
  if (method === 'POST' || Number.isNaN(offset)) return
  if (method === 'PATCH') {
    const from = Number(request.getHeader('Upload-Offset'))
    if (wasRefused(response)) deps.pace.broke()
    else deps.pace.went(offset - from, deps.clock.now() - sentAt)
  }
  await told({ offset })
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
