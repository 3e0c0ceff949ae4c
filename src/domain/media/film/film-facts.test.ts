// What a device knows of a film before it is sent.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { expect, test } from 'vitest'
import { factsOf } from './film-facts.ts'
import { isMuchShorter } from './moment.ts'

const folder = path.join(import.meta.dirname, '../../../../e2e/fixtures')
const blobOf = (name: string) => new Blob([readFileSync(path.join(folder, name))])
const film = blobOf('h264.mp4')

/** The sound of the film alone. */
async function soundOf(file: Blob): Promise<Blob> {
  const input = new Input({ formats: [MP4], source: new BlobSource(file) })
  const track = await input.getPrimaryAudioTrack()
  const [codec, decoderConfig] = [await track?.getCodec(), await track?.getDecoderConfig()]
  if (!track || !codec || !decoderConfig) throw new Error('the film has no sound')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets())
    await source.add(packet.clone({ timestamp: Math.max(0, packet.timestamp) }), { decoderConfig })
  await output.finalize()
  return new Blob([target.buffer ?? new ArrayBuffer(0)])
}

/** The film with a clean aperture of 64×64 pixels in its first track; its index is before its packets. */
function withAperture(bytes: Buffer): Blob {
  const aperture = Buffer.alloc(40)
  aperture.writeUInt32BE(aperture.length)
  aperture.write('clap', 4)
  for (const [i, it] of [64, 1, 64, 1, 0, 1, 0, 1].entries()) aperture.writeInt32BE(it, 8 + 4 * i)
  const larger = Buffer.from(bytes)
  for (const it of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
    const size = bytes.indexOf(it, bytes.indexOf('moov')) - 4
    larger.writeUInt32BE(bytes.readUInt32BE(size) + aperture.length, size)
  }
  for (let at = bytes.indexOf('stco'); at >= 0; at = bytes.indexOf('stco', at + 4))
    for (let i = 0; i < bytes.readUInt32BE(at + 8); i++) {
      const offset = at + 12 + 4 * i
      larger.writeUInt32BE(bytes.readUInt32BE(offset) + aperture.length, offset)
    }
  const entry = bytes.indexOf('avc1', bytes.indexOf('moov')) - 4
  const end = entry + bytes.readUInt32BE(entry)
  return new Blob([larger.subarray(0, end), aperture, larger.subarray(end)].map((it) => new Uint8Array(it)))
}

test('a complete film has a picture and its length', async () => {
  expect(await factsOf(film)).toEqual({ problem: null, cut: null, isCropped: false })
  expect(await factsOf(blobOf('live.mkv'))).toEqual({ problem: null, cut: null, isCropped: false })
})

test('one whose index names more than there is, is cut where its packets end', async () => {
  const { cut, problem } = await factsOf(film.slice(0, Math.round(film.size * 0.4)))
  expect({ problem, indexed: cut?.indexed }).toEqual({ problem: null, indexed: 5 })
  expect(cut?.seconds).toBeGreaterThanOrEqual(1)
  expect(cut?.seconds).toBeLessThan(3)
})

test('one of which only the index is there has no data', async () => {
  const bytes = Buffer.from(await film.arrayBuffer())
  // The index is at the beginning; the length of `mdat` is before its name.
  const index = film.slice(0, bytes.indexOf('mdat') + 4)
  expect(await factsOf(index)).toEqual({ problem: 'no_data', cut: null, isCropped: false })
})

test('one with a clean aperture is cropped', async () => {
  expect((await factsOf(withAperture(Buffer.from(await film.arrayBuffer())))).isCropped).toBe(true)
})

test('sound alone has no picture; what this device cannot read may have one', async () => {
  expect(await factsOf(await soundOf(film))).toEqual({ problem: 'no_picture', cut: null, isCropped: false })
  expect(await factsOf(new Blob(['RIFF....AVI LIST']))).toEqual({
    problem: null,
    cut: null,
    isCropped: false,
  })
})

test('a film is much shorter from a tenth and two seconds on', () => {
  expect([
    isMuchShorter(8, 20),
    isMuchShorter(18.1, 20),
    isMuchShorter(3, 4),
    isMuchShorter(85, 100),
  ]).toEqual([true, false, false, true])
})
