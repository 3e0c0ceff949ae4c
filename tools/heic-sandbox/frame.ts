// Script of the sandboxed document: one HEIC in, one PNG out, by heic2any, which needs no WebAssembly.
// It has no imports: the build strips its types and puts it into the document behind heic2any (see plugin.ts).

declare const heic2any: (order: { blob: Blob; toType: string }) => Promise<Blob | Blob[]>

let isTaken = false

addEventListener('message', ({ source, data, ports }: MessageEvent<unknown>) => {
  const [port] = ports
  // Only the page that embeds this document, and one file: heic2any may never settle after a file it cannot read.
  if (isTaken || source !== parent || !port || !(data instanceof ArrayBuffer)) return
  isTaken = true
  void png(data).then(
    (bytes) => port.postMessage(bytes, [bytes]),
    () => port.postMessage(null),
  )
})

/** PNG keeps transparency; the page draws it as a JPEG. */
async function png(heic: ArrayBuffer): Promise<ArrayBuffer> {
  const made = await heic2any({ blob: new Blob([heic]), toType: 'image/png' })
  const picture = Array.isArray(made) ? made[0] : made
  if (!picture) throw new Error('there is no picture in it')
  return picture.arrayBuffer()
}
