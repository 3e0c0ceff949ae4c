// Sends a media as numbered parts, two requests at a time (docs/decisions/154).
import * as v from 'valibot'
import { type HeaderOf, isOwnSuccess, type ReceivedResponse } from '#contract/response.ts'
import { PART_BYTES, PARTS_HEADER, partsIn, sizeOfPart, storedParts } from '#contract/uploads/parts.ts'
import type { Outcome } from '#sw/queue/ports.ts'
import { endOf, Ended, unanswered } from './outcome.ts'
import { type Caller, deadlineAfter, signed, STALL_MS } from './request.ts'
import { isPossible } from './tus-replies.ts'
import type { Transfer, TusDeps } from './transfer.ts'

/** A begun upload of more than one part. `stored`: bytes of each part by the server's replies, in the order of their numbers. */
interface Parts extends Transfer {
  readonly url: string
  readonly stored: number[]
}

/** The state of two lanes. */
interface Lanes extends Parts {
  readonly deps: TusDeps
  /** Aborts when the step is stopped, or one lane has failed: the other one then ends too. */
  readonly stop: AbortController
  /** Numbers of the parts that no lane has taken, in the order in which they are sent. */
  readonly left: number[]
  /** Whether the browser sends parts of this upload too, from the first on: then the last ones are sent first. */
  readonly isBeside: boolean
}

/** Whether an upload of this size goes on as numbered parts: a single part gains nothing. @param header of the server's reply */
export const goesInParts = (size: number, header: HeaderOf): boolean =>
  size > PART_BYTES && header(PARTS_HEADER) === String(PART_BYTES)

/** The browser has begun to carry the upload. */
interface Carried {
  readonly is: 'carried'
}

interface Begun {
  /** The upload's address. */
  readonly url: string
  /** Whether it has just been created: then the server has none of its bytes. */
  readonly isNew: boolean
  readonly isBeside: boolean
}

/**
 * Sends what the server lacks of an upload, whose server has announced parts. While one lane waits for a reply the other one sends, so
 * that the line is never idle. Each lane sends one part, in pieces, before it takes the next: no part has two requests.
 * @returns `carried` when the browser has begun to carry the upload, unless the queue is to send beside it
 */
export async function sendParts(
  deps: TusDeps,
  it: Transfer,
  { url, isNew, isBeside }: Begun,
): Promise<Outcome<null> | Carried> {
  const numbers = Array.from({ length: partsIn(it.media.size) }, (_, i) => i + 1)
  const stop = new AbortController()
  const abort = () => stop.abort()
  it.signal.addEventListener('abort', abort, { once: true })
  try {
    if (it.signal.aborted) return { is: 'stopped' }
    const stored = isNew ? numbers.map(() => 0) : await readStored(deps, { ...it, url })
    const missing = numbers.filter((no) => storedOf(stored, no) < sizeOfPart(it.media.size, no))
    const left = isBeside ? missing.toReversed() : missing
    const lanes: Lanes = { ...it, url, stored, deps, stop, left, isBeside }
    if (!isNew) await report(lanes)
    return await runLanes(lanes)
  } finally {
    it.signal.removeEventListener('abort', abort)
  }
}

/** How long each lane's first piece is. Lanes that began alike would also wait for their replies at the same time. */
const FIRST_PIECES = [1, 1 / 4]

/** Runs the lanes to their ends. Rejects with the failure of the lane that failed first. */
async function runLanes(lanes: Lanes): Promise<Outcome<null> | Carried> {
  let failure: { error: unknown } | undefined
  await Promise.all(
    FIRST_PIECES.map((share) =>
      runLane(lanes, share).catch((error: unknown) => {
        failure ??= { error }
        lanes.stop.abort()
      }),
    ),
  )
  if (lanes.signal.aborted) return { is: 'stopped' }
  if (failure) throw failure.error
  return lanes.left.length > 0 ? { is: 'carried' } : { is: 'ok', value: null }
}

async function runLane(lanes: Lanes, firstShare: number): Promise<void> {
  const { deps, media, left, isBeside } = lanes
  let share = firstShare
  while (left.length > 0) {
    if (!isBeside && (await deps.carrier?.isCarrying(media.id))) return
    // The other lane may have taken it meanwhile.
    const no = left.shift()
    if (no !== undefined) await sendPart(lanes, no, share)
    share = 1
  }
}

const storedOf = (stored: readonly number[], no: number): number => stored[no - 1] ?? 0

/** Sends what the server lacks of one part. @param share of the first piece's length */
async function sendPart(lanes: Lanes, no: number, share: number): Promise<void> {
  const { deps, media, stored, stop } = lanes
  const bytes = await deps.store.chunk(media.id, no - 1, stop.signal)
  if (bytes?.size !== sizeOfPart(media.size, no)) throw new Ended({ is: 'refused', code: 'bytes_missing' })
  let length = Math.ceil(deps.pace.piece() * share)
  let isMismatched = false
  for (let from = storedOf(stored, no); from < bytes.size; from = storedOf(stored, no)) {
    const sent = await sendPiece(lanes, { no, from, body: bytes.slice(from, from + length) })
    // Chromium repeats a request by itself when its connection was reset. The second refusal in a row is no such repetition.
    if (sent.isMismatched && isMismatched) throw new Ended({ is: 'lost' })
    isMismatched = sent.isMismatched
    stored[no - 1] = sent.offset
    await report(lanes)
    length = deps.pace.piece()
  }
}

interface Piece {
  readonly no: number
  /** Where in the part it begins. */
  readonly from: number
  readonly body: Blob
}

/** Sends one piece of a part. @returns how many bytes of the part the server has; `isMismatched` when the piece began elsewhere */
async function sendPiece(
  { deps, job, url, media, stop }: Lanes,
  { no, from, body }: Piece,
): Promise<{ offset: number; isMismatched: boolean }> {
  const request = { url: `${url}/parts/${no}`, method: 'PUT', body }
  const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(from) }
  const part = { endpoint: deps.endpoint, size: sizeOfPart(media.size, no), server: deps.server }
  const sentAt = deps.clock.now()
  const end = await signed(
    deps,
    job.ownerId,
    (token) => ({ ...request, headers: { ...headers, Authorization: `Bearer ${token}` } }),
    { signal: stop.signal, deadline: STALL_MS },
    (response): Outcome<{ offset: number; isMismatched: boolean }> => {
      if (!isPossible(part, { ...request, from, bytes: body.size }, response)) return unanswered
      const named = response.header('Upload-Offset')
      const offset = named ? Number(named) : from
      if (isOwnSuccess(response, deps.server)) return { is: 'ok', value: { offset, isMismatched: false } }
      if (response.status === 409 && offset !== from)
        return { is: 'ok', value: { offset, isMismatched: true } }
      return refusalOf(deps, response)
    },
  )
  if (end.is === 'ok' && !end.value.isMismatched)
    deps.pace.went(end.value.offset - from, deps.clock.now() - sentAt)
  else if (end.is !== 'stopped' && end.is !== 'signedOut') deps.pace.broke()
  if (end.is !== 'ok') throw new Ended(end)
  return end.value
}

/** Reads which bytes the server has of each part. */
export async function readStored(
  deps: Caller,
  it: Pick<Transfer, 'job' | 'media' | 'signal'> & { readonly url: string },
): Promise<number[]> {
  const end = await signed(
    deps,
    it.job.ownerId,
    (token) => ({ url: `${it.url}/parts`, method: 'GET', headers: { Authorization: `Bearer ${token}` } }),
    { signal: it.signal, deadline: deadlineAfter(it.job.attempts) },
    (response): Outcome<number[]> => {
      if (!isOwnSuccess(response, deps.server)) return refusalOf(deps, response)
      const stored = storedIn(response.body, it.media.size)
      return stored ? { is: 'ok', value: stored } : unanswered
    },
  )
  if (end.is !== 'ok') throw new Ended(end)
  return end.value
}

function storedIn(text: string, size: number): number[] | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), storedParts), text)
  if (!parsed.success) return undefined
  const { length, stored } = parsed.output
  const isPossiblePart = (bytes: number, i: number) =>
    Number.isInteger(bytes) && bytes >= 0 && bytes <= sizeOfPart(size, i + 1)
  const fits = length === size && stored.length === partsIn(size) && stored.every(isPossiblePart)
  return fits ? stored : undefined
}

/**
 * The outcome of a refusal about a part. A part that is not found does not show that its upload is missing, since a server from before
 * parts has no such address: the next try asks for the upload itself.
 */
function refusalOf({ clock, server }: Caller, { status, body, header }: ReceivedResponse): Outcome<never> {
  const end = endOf(status, body, header, clock.now(), server)
  return end.is === 'gone' ? { is: 'lost' } : end
}

/** Reports the bytes of all parts that the server has. */
const report = ({ stored, onProgress }: Parts): Promise<void> => onProgress({ offset: sumOf(stored) })

/** Bytes of all parts. @param stored bytes of each */
export const sumOf = (stored: readonly number[]): number => stored.reduce((sum, it) => sum + it, 0)
