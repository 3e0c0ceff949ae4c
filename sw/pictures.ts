// Serves pictures to pages: from the server, or stored ones while it is unavailable.
import { readRefusal } from '#contract/response.ts'
import { pictureName, type PictureName } from '#device/cache/picture-names.ts'
import { MAX_PICTURE } from '#device/cache/pictures.ts'
import type { Picture } from '#device/cache/picture-row.ts'

/** A stored picture is served when the server has not replied for this long, ms. */
const REPLY_TIMEOUT_MS = 3000

export interface PicturePorts {
  readonly fetch: (request: Request) => Promise<Response>
  /** The id of the person who is signed in on this device. */
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

/** The name of the requested picture; undefined for other resources, and for a part of a picture. */
export function requestedPicture(
  { headers, destination }: Request,
  { pathname }: URL,
): PictureName | undefined {
  const isShown = destination === 'image' || destination === ''
  return isShown && !headers.has('range') ? pictureName(pathname) : undefined
}

/**
 * Answers the request of a page for a picture.
 * @param hold keeps the worker alive for writes after the answer
 */
export async function servePicture(
  ports: PicturePorts,
  request: Request,
  name: PictureName,
  hold: (work: Promise<unknown>) => void,
): Promise<Response> {
  // The session may change while the request is sent: the picture belongs to the person who requested it.
  const person = ports.person().catch(() => undefined)
  const reply = ports.fetch(request)
  const first = await Promise.race([reply.catch(() => undefined), timeout(REPLY_TIMEOUT_MS)])
  if (first === undefined || first === 'timeout' || isUnavailable(first)) {
    const stored = await readStored(ports, await person, name)
    if (stored) return stored
  }
  const response = await reply
  const copy = response.clone()
  const update = person.then((ownerId) =>
    ownerId === undefined ? undefined : updateStored(ports, ownerId, name, copy),
  )
  // A copy that was not read would stay in memory.
  hold(update.catch(() => undefined).then(() => (copy.bodyUsed ? undefined : copy.body?.cancel())))
  return response
}

const timeout = (ms: number) => new Promise<'timeout'>((done) => setTimeout(done, ms, 'timeout'))

/** Whether the server cannot answer now, or a page was sent instead of the picture, as captive portals do. */
const isUnavailable = ({ status, headers }: Response): boolean =>
  status >= 500 ||
  status === 408 ||
  status === 429 ||
  /^text\/html\b/i.test(headers.get('content-type') ?? '')

async function readStored(
  ports: PicturePorts,
  ownerId: string | undefined,
  { ref }: PictureName,
): Promise<Response | undefined> {
  if (ownerId === undefined) return undefined
  const stored = await ports.read(ownerId, ref, ports.now()).catch(() => undefined)
  return stored && new Response(stored.bytes, { headers: { 'content-type': stored.type } })
}

/** Stores a picture that the server sent, or removes one that it refused. */
async function updateStored(
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
