// Prepares a picture for sending: converts HEIC and AVIF, scales photos, removes metadata.
import type { Recognised } from './kind.ts'
import {
  LONGEST_SENT,
  type HeicRequest,
  type MovingRequest,
  type PhotoRequest,
  type PictureReply,
} from './worker-messages.ts'
import { avifFacts } from '#contract/kinds/avif.ts'
import { Bytes } from '#contract/kinds/bytes.ts'
import { measure, overLimit, type OverLimit } from '#contract/kinds/measure.ts'
import { recognise } from '#contract/kinds/recognise.ts'
import { strip } from './strip.ts'
import { turnedWebp } from './strip-webp.ts'
import { WorkerClient, WorkerFailed } from './worker-client.ts'

export interface Picture {
  bytes: Blob
  format: string
  /** Whether it is the first frame of a moving picture whose other frames this device could not convert. */
  isStilled?: boolean
}

/** Longest work on one picture, ms. */
const TIMEOUT_MS = 30_000
/** Longest work on a moving picture at the limits, ms: a slow phone draws a million pixels in a second. */
const MOVING_TIMEOUT_MS = 180_000

const startPhotos = () => new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' })
const photos = new WorkerClient<PhotoRequest, PictureReply>(startPhotos, TIMEOUT_MS)
const moving = new WorkerClient<MovingRequest, PictureReply>(startPhotos, MOVING_TIMEOUT_MS)
const heics = new WorkerClient<HeicRequest, PictureReply>(
  () => new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' }),
  TIMEOUT_MS,
)

/** Object URLs of a picture on this device, until `release` is called. */
export interface PickedPreview {
  readonly src: string
  /** The first frame of a picture that moves; undefined for any other. */
  readonly still: string | undefined
  readonly release: () => void
}

/** Longest side of a first frame in a preview, px. */
const LONGEST_STILL = 1280

export interface PictureOptions {
  /** Whether a photo is sent in its original size. */
  keepSize: boolean
  /** Aborts a decoding that is no longer needed. */
  signal: AbortSignal | undefined
}

/**
 * The picture as it is sent; undefined when neither conversion nor stripping is possible. GIF and SVG stay as they
 * are. Rejects with the signal's reason.
 */
export async function preparePicture(
  file: Blob,
  { format, mime }: Pick<Recognised, 'format' | 'mime'>,
  { keepSize, signal }: PictureOptions,
): Promise<Picture | undefined> {
  const longest = keepSize ? null : LONGEST_SENT
  if (format === 'heic') return jpegOf(await fromHeic(file, longest, signal))
  if (format === 'avif') return fromAvif(file, longest, signal)
  if (format !== 'jpg' && format !== 'png' && format !== 'webp') return { bytes: file, format }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isStill = (measure(bytes, format)?.frames ?? 1) === 1
  const turned = format === 'webp' && isStill ? turnedWebp(bytes) : undefined
  if (turned) {
    const { orientation, stored } = turned
    const request = { file: new Blob(stored, { type: mime }), longest, type: mime, always: true, orientation }
    const upright = await draw(request, signal)
    if (upright) return pictureOf(upright)
  }
  if (!keepSize && isStill) {
    const drawn = await draw({ file, longest, type: mime, always: false }, signal)
    if (drawn) return pictureOf(drawn)
  }
  const parts = strip(bytes, format)
  if (parts) return { bytes: new Blob(parts, { type: mime }), format }
  // A picture with a broken structure may still be decodable; drawing removes its metadata.
  const redrawn = await draw({ file, longest, type: mime, always: true }, signal)
  return redrawn && pictureOf(redrawn)
}

/**
 * Whether a picked picture exceeds the limits of the server.
 * @param isScaled whether a photo of this format is made smaller before it is sent; a moving picture never is
 */
export async function limitProblem(
  file: Blob,
  format: string,
  isScaled: boolean,
): Promise<OverLimit | undefined> {
  const measured = measure(new Uint8Array(await file.arrayBuffer()), format)
  return measured && !(isScaled && measured.frames === 1) ? overLimit(measured) : undefined
}

/**
 * The first frame of a moving picture; undefined for a still one, and where no frame can be drawn.
 * @param longest longest side of the result, px; null for the original size
 */
export async function firstFrameOf(file: Blob, longest: number | null): Promise<Blob | undefined> {
  const { format = '' } = (await recognise(file)) ?? {}
  if (!canMove.has(format)) return undefined
  const measured = measure(new Uint8Array(await file.arrayBuffer()), format)
  if (!measured || measured.frames === 1) return undefined
  return draw({ file, longest, type: 'image/webp', always: true }, undefined)
}

/** Formats whose pictures may have several frames. */
const canMove: ReadonlySet<string> = new Set(['avif', 'gif', 'png', 'webp'])

/** The preview of a picture; never rejects. */
export async function previewOf(picture: Blob): Promise<PickedPreview> {
  const frame = await firstFrameOf(picture, LONGEST_STILL).catch(() => undefined)
  const src = URL.createObjectURL(picture)
  const still = frame && URL.createObjectURL(frame)
  const release = () => [src, still].forEach((url) => url !== undefined && URL.revokeObjectURL(url))
  return { src, still, release }
}

function jpegOf(picture: Blob | undefined): Picture | undefined {
  return picture && { bytes: picture, format: 'jpg' }
}

/** The picture with the format that was written: a browser without WebP writes PNG. */
function pictureOf(picture: Blob): Picture {
  return {
    bytes: picture,
    format: picture.type === 'image/jpeg' ? 'jpg' : picture.type.replace('image/', ''),
  }
}

/** The drawn picture; undefined when it is small enough or cannot be decoded. */
async function draw(request: PhotoRequest, signal: AbortSignal | undefined): Promise<Blob | undefined> {
  return drawnBy(photos, request, signal)
}

async function drawnBy<Request>(
  client: WorkerClient<Request, PictureReply>,
  request: Request,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  const reply = await client.request(request, signal).catch(() => undefined)
  signal?.throwIfAborted()
  return reply?.is === 'drawn' ? reply.picture : undefined
}

/** The form of an AVIF that is sent: a JPEG, or a WebP where it moves or has transparency. */
export async function avifForm(file: Blob): Promise<{ type: 'image/jpeg' | 'image/webp'; moves: boolean }> {
  const { frames, hasAlpha } = avifFacts(new Bytes(new Uint8Array(await file.arrayBuffer())))
  return { type: frames > 1 || hasAlpha ? 'image/webp' : 'image/jpeg', moves: frames > 1 }
}

/** Drawn by the browser, since only its decoder knows every depth, colour space and rotation of AVIF. */
async function fromAvif(
  file: Blob,
  longest: number | null,
  signal: AbortSignal | undefined,
): Promise<Picture | undefined> {
  const { type, moves } = await avifForm(file)
  const animated = moves ? await drawnBy(moving, { moving: file }, signal) : undefined
  if (animated) return pictureOf(animated)
  const still = await draw({ file, longest, type, always: true }, signal)
  return still && { ...pictureOf(still), ...(moves && { isStilled: true }) }
}

/**
 * Decodes by the browser, else by libheif in a worker, else by libheif on the page. Without WebAssembly, heic2any
 * replaces libheif.
 */
async function fromHeic(
  file: Blob,
  longest: number | null,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  const native = await draw({ file, longest, type: 'image/jpeg', always: true }, signal)
  if (native) return native
  if (!('WebAssembly' in globalThis)) return decodeInFrame({ file, longest }, signal)
  try {
    const answer = await heics.request({ file, longest }, signal)
    if (answer.is === 'drawn') return answer.picture
    if (answer.is !== 'unstarted') return undefined
  } catch (error) {
    signal?.throwIfAborted()
    // After a timeout of the worker, decoding would block the page for even longer.
    if (!(error instanceof WorkerFailed)) return undefined
  }
  return decodeOnPage({ file, longest })
}

/** Decodes on the page, which it blocks: 1 s for 12 megapixels. The spinner is painted first. */
async function decodeOnPage(order: HeicRequest): Promise<Blob | undefined> {
  const { heicToJpeg } = await import('./libheif.ts')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const answer = await heicToJpeg(order)
  return answer.is === 'drawn' ? answer.picture : undefined
}

/** The result of heic2any, decoded again by the browser, so that only pixels are used. */
async function decodeInFrame(
  { file, longest }: HeicRequest,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  const [{ decodeInSandbox }, { isDisplayP3 }] = await Promise.all([
    import('./heic-sandbox.ts'),
    import('./display-p3.ts'),
  ])
  const png = await decodeInSandbox(file, signal)
  if (!png) return undefined
  const isP3 = isDisplayP3(new Uint8Array(await file.arrayBuffer()))
  return draw({ file: png, longest, type: 'image/jpeg', always: true, isDisplayP3: isP3 }, signal)
}
