// Decodes a HEIC without WebAssembly, by heic2any in a sandboxed iframe for one file.
import { HEIC_SANDBOX_PATH } from '#contract/paths.ts'
import { readHeicHead } from './heic-head.ts'

/** Longest decoding of one picture, ms: heic2any never finishes for some files. */
const TIMEOUT_MS = 30_000
/** Larger files would take more memory than phones give to a page, bytes. */
const MAX_HEIC = 64 * 1024 * 1024
const MAX_PNG = 256 * 1024 * 1024

/**
 * Decodes a HEIC to PNG; undefined when heic2any fails or the iframe is not permitted. The PNG has the values of the
 * HEIC without a colour profile. Rejects with the signal's reason.
 */
export async function decodeInSandbox(
  file: Blob,
  signal: AbortSignal | undefined,
): Promise<Blob | undefined> {
  if (file.size > MAX_HEIC) return undefined
  const heic = await file.arrayBuffer()
  const { is8Bit, hasAlpha, longest } = readHeicHead(new Uint8Array(heic))
  // heic2any decodes 10 bits to noise and drops transparency.
  if (!is8Bit || hasAlpha) return undefined
  const reply = await requestFrame(heic, signal)
  if (!(reply instanceof ArrayBuffer) || reply.byteLength > MAX_PNG) return undefined
  return isPlausible(new Uint8Array(reply), longest) ? new Blob([reply], { type: 'image/png' }) : undefined
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** Whether the bytes are a PNG that is not larger than the HEIC's boxes state. */
function isPlausible(png: Uint8Array<ArrayBuffer>, longest: number): boolean {
  if (png.length < 24 || !PNG.every((it, at) => png[at] === it)) return false
  const head = new DataView(png.buffer)
  const [width, height] = [head.getUint32(16), head.getUint32(20)]
  return width > 0 && height > 0 && Math.max(width, height) <= longest
}

/** The iframe's reply; undefined after the timeout. The iframe is removed in any case. */
async function requestFrame(heic: ArrayBuffer, signal: AbortSignal | undefined): Promise<unknown> {
  signal?.throwIfAborted()
  const frame = document.createElement('iframe')
  const { port1, port2 } = new MessageChannel()
  const end = new AbortController()
  const withEnd = { signal: end.signal }
  try {
    return await new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
      end.signal.addEventListener('abort', () => clearTimeout(timer))
      signal?.addEventListener('abort', () => reject(signal.reason), withEnd)
      // A page that was loaded without the service worker has a policy that permits no iframe.
      const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) =>
        effectiveDirective === 'frame-src' && resolve(undefined)
      document.addEventListener('securitypolicyviolation', refused, withEnd)
      // Only the iframe has the other port; messages to the window are ignored.
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data), withEnd)
      port1.start()
      // The iframe's origin is opaque, so the target origin has to be `*`.
      frame.addEventListener('load', () => frame.contentWindow?.postMessage(heic, '*', [heic, port2]), {
        ...withEnd,
        once: true,
      })
      frame.sandbox.add('allow-scripts')
      frame.hidden = true
      frame.src = HEIC_SANDBOX_PATH
      document.body.append(frame)
    })
  } finally {
    end.abort()
    port1.close()
    frame.remove()
  }
}
