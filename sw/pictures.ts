// Pictures requested by a page: replies are stored beside the responses that name them, and shown
// when the server does not reply.
import { readRefusal } from '#contract/answer.ts'
import { pictureName, type PictureName } from '#device/cache/picture-names.ts'
import { MAX_PICTURE } from '#device/cache/pictures.ts'
import type { Picture } from '#device/cache/picture-row.ts'

/** A stored picture is shown when the server has not replied for this long, ms. */
const PATIENCE_MS = 3000

export interface PicturePorts {
  readonly fetch: (request: Request) => Promise<Response>
  /** Who is signed in on this device. */
  readonly person: () => Promise<string | undefined>
  readonly wants: (ownerId: string, name: PictureName, now: number) => Promise<boolean>
  readonly save: (picture: Omit<Picture, 'size'>) => Promise<boolean>
  readonly read: (
    ownerId: string,
    ref: string,
    now: number,
  ) => Promise<Pick<Picture, 'type' | 'bytes'> | undefined>
  readonly drop: (ownerId: string, ref: string) => Promise<void>
  readonly now: () => number
}

/** The picture a page asks for; undefined for what is none, and for a part of one. */
export function requestedPicture(
  { headers, destination }: Request,
  { pathname }: URL,
): PictureName | undefined {
  const isShown = destination === 'image' || destination === ''
  return isShown && !headers.has('range') ? pictureName(pathname) : undefined
}

/**
 * Answers a page that asks for a picture.
 * @param hold the worker stays for what is written after the answer
 */
export async function servePicture(
  ports: PicturePorts,
  request: Request,
  name: PictureName,
  hold: (work: Promise<unknown>) => void,
): Promise<Response> {
  // The person signed in at the time of the request.
  const person = ports.person().catch(() => undefined)
  const reply = ports.fetch(request)
  const first = await Promise.race([reply.catch(() => undefined), late(PATIENCE_MS)])
  if (first === undefined || first === 'late' || isAway(first)) {
    const kept = await recall(ports, await person, name)
    if (kept) return kept
  }
  const response = await reply
  const copy = response.clone()
  const noted = person.then((ownerId) =>
    ownerId === undefined ? undefined : note(ports, ownerId, name, copy),
  )
  // What is not wanted is not held in memory either.
  hold(noted.catch(() => undefined).then(() => (copy.bodyUsed ? undefined : copy.body?.cancel())))
  return response
}

const late = (ms: number) => new Promise<'late'>((done) => setTimeout(done, ms, 'late'))

/** The server cannot answer at the moment, or a page came in its picture's place: a captive portal's. */
const isAway = ({ status, headers }: Response): boolean =>
  status >= 500 ||
  status === 408 ||
  status === 429 ||
  /^text\/html\b/i.test(headers.get('content-type') ?? '')

async function recall(
  ports: PicturePorts,
  ownerId: string | undefined,
  { ref }: PictureName,
): Promise<Response | undefined> {
  if (ownerId === undefined) return undefined
  const kept = await ports.read(ownerId, ref, ports.now()).catch(() => undefined)
  return kept && new Response(kept.bytes, { headers: { 'content-type': kept.type } })
}

/** What the server said of a picture is so from now on. */
async function note(
  ports: PicturePorts,
  ownerId: string,
  name: PictureName,
  response: Response,
): Promise<void> {
  if ([403, 404, 410].includes(response.status)) {
    const header = (it: string) => response.headers.get(it)
    const refusal = readRefusal({ status: response.status, header, body: await response.text() })
    return refusal && ports.drop(ownerId, name.ref)
  }
  const type = response.headers.get('content-type') ?? ''
  const size = Number(response.headers.get('content-length') ?? 0)
  if (response.status !== 200 || !type.startsWith('image/') || size > MAX_PICTURE) return
  const at = ports.now()
  if (!(await ports.wants(ownerId, name, at))) return
  await ports.save({ ownerId, ...name, type, bytes: await response.arrayBuffer(), at })
}
