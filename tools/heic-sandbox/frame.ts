// Script of the sandboxed document: converts one HEIC to PNG by heic2any, without WebAssembly.
// It has no imports: the build strips its types and appends it to heic2any (see plugin.ts).

declare const heic2any: (order: { blob: Blob; toType: string }) => Promise<Blob | Blob[]>

let isTaken = false

addEventListener('message', ({ source, data, ports }: MessageEvent<unknown>) => {
  const [port] = ports
  // One file, from the embedding page: after a broken file the promise of heic2any may stay pending.
  if (isTaken || source !== parent || !port || !(data instanceof ArrayBuffer)) return
  isTaken = true
  void png(data).then(
    (bytes) => port.postMessage(bytes, [bytes]),
    () => port.postMessage(null),
  )
})

/** Converts to PNG, which keeps transparency. The page draws it as a JPEG. */
async function png(heic: ArrayBuffer): Promise<ArrayBuffer> {
  const made = await heic2any({ blob: new Blob([heic]), toType: 'image/png' })
  const picture = Array.isArray(made) ? made[0] : made
  if (!picture) throw new Error('there is no picture in it')
  return picture.arrayBuffer()
}
