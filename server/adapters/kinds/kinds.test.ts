// Kinds are recognised by their structure, not only by their first bytes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sniff } from '#server/adapters/files/sniff.ts'
import { forgedFiles } from '#server/testing/media/forged.ts'
import { fuzzSeeds } from '#server/testing/media/fuzz-seeds.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-kinds-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function mimeOf(bytes: Buffer): Promise<string | undefined> {
  const file = path.join(folder, 'it')
  await writeFile(file, bytes)
  return (await sniff(file))?.mime
}

test('a valid file of every kind is recognised', async () => {
  for (const [mime, bytes] of await fuzzSeeds()) expect([mime, await mimeOf(bytes)]).toEqual([mime, mime])
})

test('the first 12 bytes of a kind followed by text have no kind', async () => {
  const text = Buffer.from('<MPD><Period><BaseURL>x</BaseURL></Period></MPD>\n'.repeat(200))
  for (const [mime, bytes] of await fuzzSeeds()) {
    if (mime === 'image/svg+xml') continue
    const forged = Buffer.concat([bytes.subarray(0, 12), text])
    expect([mime, await mimeOf(forged)]).toEqual([mime, undefined])
  }
})

describe('a transport stream', () => {
  const packets = fixture('h264.mpegts')
  test('after a text is refused', async () => {
    expect(await mimeOf(Buffer.concat([Buffer.from('<!--'), packets]))).toBeUndefined()
  })
  test('with one missing sync byte is refused', async () => {
    const bytes = Buffer.from(packets)
    bytes[188 * 20] = 0x48
    expect(await mimeOf(bytes)).toBeUndefined()
  })
  test.each([
    [192, Buffer.alloc(4), Buffer.alloc(0)],
    [204, Buffer.alloc(0), Buffer.alloc(16)],
  ])('may have packets of %s bytes', async (_, before, behind) => {
    const parts = Array.from({ length: 200 }, (__, i) => packets.subarray(i * 188, i * 188 + 188))
    expect(await mimeOf(Buffer.concat(parts.flatMap((it) => [before, it, behind])))).toBe('video/mp2t')
  })
})

describe('an ISO base media video', () => {
  const place = { relative: '../media/x/play.mp4', absolute: '/data/media/x/play.mp4' }
  const foreign = (name: string) =>
    forgedFiles(place).find((it) => it.name === name)?.bytes ?? Buffer.alloc(0)

  test.each(['alias.mov', 'url.mp4'])('whose data is in another file is refused: %s', async (name) => {
    const bytes = foreign(name)
    expect(await mimeOf(bytes)).toBeUndefined()
    // The same file is accepted when its references have the flag of self-contained data.
    for (let at = bytes.indexOf('dref'); at >= 0; at = bytes.indexOf('dref', at + 4)) bytes[at + 23] = 1
    expect(await mimeOf(bytes)).toBe('video/mp4')
  })

  test('whose header is compressed, or refers to other videos, is refused', async () => {
    for (const type of ['cmov', 'rmra']) {
      const bytes = fixture('h264-moovend.mp4')
      bytes.write(type, bytes.indexOf('mvhd'), 'latin1')
      expect([type, await mimeOf(bytes)]).toEqual([type, undefined])
    }
  })

  test('with a box larger than its container is refused', async () => {
    const bytes = fixture('h264-moovend.mp4')
    bytes.writeUInt32BE(0x7fffffff, bytes.indexOf('trak') - 4)
    expect(await mimeOf(bytes)).toBeUndefined()
  })

  test('that was cut off inside its data, or has bytes appended by a tool, is accepted', async () => {
    const bytes = fixture('h264.mp4')
    expect(await mimeOf(bytes.subarray(0, bytes.length - 5000))).toBe('video/mp4')
    expect(await mimeOf(Buffer.concat([bytes, Buffer.alloc(5000, 0xff)]))).toBe('video/mp4')
  })
})

test('pictures without pixels, and animated PNG, are refused', async () => {
  const png = await sharp(await jpeg())
    .png()
    .toBuffer()
  expect(await mimeOf(png.subarray(0, 33))).toBeUndefined()
  const animated = Buffer.concat([
    png.subarray(0, 33),
    Buffer.from('\0\0\0\x08acTL12345678CRC.'),
    png.subarray(33),
  ])
  expect(await mimeOf(animated)).toBeUndefined()
  expect(await mimeOf((await jpeg()).subarray(0, 100))).toBeUndefined()
  expect(await mimeOf(Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(10)]))).toBeUndefined()
})

test('a file with more boxes than recognition reads is refused', async () => {
  const box = Buffer.from('\0\0\0\x08free', 'latin1')
  const many = Buffer.concat([
    fixture('h264.mp4').subarray(0, 32),
    Buffer.concat(Array(200_000).fill(box) as Buffer[]),
  ])
  expect(await mimeOf(many)).toBeUndefined()
})
