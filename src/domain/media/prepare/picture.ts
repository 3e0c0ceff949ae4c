// Prepares a picture for its way: HEIC becomes JPEG, large photos become smaller, and none says where it was taken.
import type { Recognised } from './kind.ts'
import { LONGEST_SENT, type HeicRequest, type PhotoRequest, type PictureReply } from './worker-messages.ts'
import { isAnimatedPng } from './strip-png.ts'
import { isAnimatedWebp } from './strip-webp.ts'
import { strip, type Strippable } from './strip.ts'
import { WorkerClient, WorkerFailed } from './worker-client.ts'

export interface Picture {
  bytes: Blob
  format: string
}

/** One picture may take this long, ms. */
const PATIENCE_MS = 30_000

const photos = new WorkerClient<PhotoRequest, PictureReply>(
  () => new Worker(new URL('./photo-worker.ts', import.meta.url), { type: 'module' }),
  PATIENCE_MS,
)
const heics = new WorkerClient<HeicRequest, PictureReply>(
  () => new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' }),
  PATIENCE_MS,
)

export interface Wanted {
  /** The photo keeps the size it was taken in. */
  keepSize: boolean
  /** Stops a decoding that is no longer wanted. */
  signal: AbortSignal | undefined
}

/**
 * The picture as it is sent; undefined when it can neither be converted nor be freed of its metadata.
 * GIF and SVG stay as they are. Rejects with the signal's reason.
 */
export async function preparePicture(
  file: Blob,
  { format, mime }: Pick<Recognised, 'format' | 'mime'>,
  { keepSize, signal }: Wanted,
): Promise<Picture | undefined> {
  const longest = keepSize ? null : LONGEST_SENT
  if (format === 'heic') return jpegOf(await fromHeic(file, longest, signal))
  if (format !== 'jpg' && format !== 'png' && format !== 'webp') return { bytes: file, format }
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!keepSize && !isAnimated(bytes, format)) {
    const drawn = await draw({ file, longest, type: mime, always: false }, signal)
    if (drawn) return named(drawn)
  }
  const parts = strip(bytes, format)
  if (parts) return { bytes: new Blob(parts, { type: mime }), format }
  // Its structure is broken but it may still be decodable: drawing it removes the metadata.
  const anew = await draw({ file, longest, type: mime, always: true }, signal)
  return anew && named(anew)
}

function isAnimated(bytes: Uint8Array<ArrayBuffer>, format: Strippable): boolean {
  return format === 'png' ? isAnimatedPng(bytes) : format === 'webp' && isAnimatedWebp(bytes)
}

function jpegOf(picture: Blob | undefined): Picture | undefined {
  return picture && { bytes: picture, format: 'jpg' }
}

/** By what was really written: a browser that cannot write WebP writes PNG. */
function named(picture: Blob): Picture {
  return {
    bytes: picture,
    format: picture.type === 'image/jpeg' ? 'jpg' : picture.type.replace('image/', ''),
  }
}

/** Undefined when it is small enough, or when the browser cannot read or draw it. */
async function draw(order: PhotoRequest, signal: AbortSignal | undefined): Promise<Blob | undefined> {
  const answer = await photos.request(order, signal).catch(() => undefined)
  signal?.throwIfAborted()
  return answer?.is === 'drawn' ? answer.picture : undefined
}

/**
 * The browser itself, then libheif in our worker, then libheif on the page where that worker cannot start. Without
 * WebAssembly there is no libheif: heic2any takes its place.
 */
async function fromHeic(
  file: Blob,
  longest: number | null,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  const native = await draw({ file, longest, type: 'image/jpeg', always: true }, signal)
  if (native) return native
  if (!('WebAssembly' in globalThis)) return inSandbox({ file, longest }, signal)
  try {
    const answer = await heics.request({ file, longest }, signal)
    if (answer.is === 'drawn') return answer.picture
    if (answer.is !== 'unstarted') return undefined
  } catch (error) {
    signal?.throwIfAborted()
    // Silent in its time: the page would be stopped for even longer.
    if (!(error instanceof WorkerFailed)) return undefined
  }
  return onThePage({ file, longest })
}

/** Decoding blocks the page, 1 s for 12 megapixels: the spinner is painted first. */
async function onThePage(order: HeicRequest): Promise<Blob | undefined> {
  const { heicToJpeg } = await import('./libheif.ts')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const answer = await heicToJpeg(order)
  return answer.is === 'drawn' ? answer.picture : undefined
}

/** What heic2any makes is read again by the browser: only a picture is taken. */
async function inSandbox(
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
