// Decodes a HEIC without WebAssembly: by heic2any, in a sandboxed document that gets one file and is then removed.
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'
import { readHeicHead } from './heic-head.ts'

/** Longest decoding of one picture, ms: heic2any never finishes for some files. */
const PATIENCE_MS = 30_000
/** Larger files would take more memory than phones give to a page, bytes. */
const MAX_HEIC = 64 * 1024 * 1024
const MAX_PNG = 256 * 1024 * 1024

/**
 * A HEIC as PNG; undefined when heic2any cannot read it, gives no sane picture, or the document may not be embedded.
 * Its values are those of the HEIC, without a colour profile. Rejects with the signal's reason.
 */
export async function decodeInSandbox(
  file: Blob,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  if (file.size > MAX_HEIC) return undefined
  const heic = await file.arrayBuffer()
  const { is8Bit, hasAlpha, longest } = readHeicHead(new Uint8Array(heic))
  // heic2any makes noise of pictures with 10 bits, and drops transparency.
  if (!is8Bit || hasAlpha) return undefined
  const answer = await askFrame(heic, signal)
  if (!(answer instanceof ArrayBuffer) || answer.byteLength > MAX_PNG) return undefined
  return isSane(new Uint8Array(answer), longest) ? new Blob([answer], { type: 'image/png' }) : undefined
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Whether this is a PNG that is not larger than the HEIC says it is. */
function isSane(png: Uint8Array<ArrayBuffer>, longest: number): boolean {
  if (png.length < 24 || !PNG.every((it, at) => png[at] === it)) return false
  const head = new DataView(png.buffer)
  const [width, height] = [head.getUint32(16), head.getUint32(20)]
  return width > 0 && height > 0 && Math.max(width, height) <= longest
}

/** What the document answers; undefined when it does not, in its time. It is removed in any case. */
async function askFrame(heic: ArrayBuffer, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted()
  const frame = document.createElement('iframe')
  const { port1, port2 } = new MessageChannel()
  const over = new AbortController()
  const until = { signal: over.signal }
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
      over.signal.addEventListener('abort', () => clearTimeout(timer))
      signal?.addEventListener('abort', () => reject(signal.reason), until)
      // This page's policy allows no frame: it was loaded without the service worker.
      const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) =>
        effectiveDirective === 'frame-src' && resolve(undefined)
      document.addEventListener('securitypolicyviolation', refused, until)
      // The answer comes by this port, which only that document has: messages to the window are not listened to.
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data), until)
      port1.start()
      // Its origin is opaque, and no address names that.
      frame.addEventListener('load', () => frame.contentWindow?.postMessage(heic, '*', [heic, port2]), {
        ...until,
        once: true,
      })
      frame.sandbox.add('allow-scripts')
      frame.hidden = true
      frame.src = HEIC_SANDBOX_PATH
      document.body.append(frame)
    })
  } finally {
    over.abort()
    port1.close()
    frame.remove()
  }
}
