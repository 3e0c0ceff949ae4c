// Script of the sandboxed document: converts one HEIC to PNG by heic2any, without WebAssembly.
// It has no imports: the build strips its types and appends it to heic2any (see plugin.ts).

declare const heic2any: (options: { blob: Blob; toType: string }) => Promise<Blob | Blob[]>

let hasRequest = false

addEventListener('message', ({ source, data, ports }: MessageEvent<unknown>) => {
  const [port] = ports
  // Accepts one file, from the embedding page: after a broken file the promise of heic2any may stay pending.
  if (hasRequest || source !== parent || !port || !(data instanceof ArrayBuffer)) return
  hasRequest = true
  void png(data).then(
    (bytes) => port.postMessage(bytes, [bytes]),
    () => port.postMessage(null),
  )
})

/** Converts to PNG, which preserves transparency. The page converts it to JPEG. */
async function png(heic: ArrayBuffer): Promise<ArrayBuffer> {
  const converted = await heic2any({ blob: new Blob([heic]), toType: 'image/png' })
  const picture = Array.isArray(converted) ? converted[0] : converted
  if (!picture) throw new Error('the file contains no picture')
  return picture.arrayBuffer()
}
