// Kinds are recognised by their structure, not only by their first bytes.
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { measure } from '#contract/kinds/measure.ts'
import { recognise } from '#contract/kinds/recognise.ts'
import { defined } from '#contract/testing/defined.ts'
import { animatedPng } from '#server/testing/media/animated-png.ts'
import { forgedFiles } from '#server/testing/media/forged.ts'
import { fuzzSeeds } from '#server/testing/media/fuzz-seeds.ts'
import { mutated } from '#server/testing/media/fuzz.ts'
import { fixture, heic, jpeg } from '#server/testing/pictures.ts'
import { sniff } from './sniff.ts'

/** Changed files whose kinds are compared. */
const CHANGED = 2000

let folder: string
let seeds: Awaited<ReturnType<typeof fuzzSeeds>>
beforeAll(async () => {
  seeds = await fuzzSeeds()
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-kinds-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function mimeOf(bytes: Buffer): Promise<string | undefined> {
  const file = path.join(folder, 'it')
  await writeFile(file, bytes)
  return (await sniff(file))?.mime
}

test('a valid file of every kind is recognised', async () => {
  for (const [mime, bytes] of seeds) expect([mime, await mimeOf(bytes)]).toEqual([mime, mime])
})

test('the first 12 bytes of a kind followed by text have no kind', async () => {
  const text = Buffer.from('<MPD><Period><BaseURL>x</BaseURL></Period></MPD>\n'.repeat(200))
  for (const [mime, bytes] of seeds) {
    if (mime === 'image/svg+xml') continue
    const forged = Buffer.concat([bytes.subarray(0, 12), text])
    expect([mime, await mimeOf(forged)]).toEqual([mime, undefined])
  }
})

/** Recorded files of the tests. */
async function recorded(): Promise<[string, Buffer][]> {
  const folders = ['server/testing/fixtures', 'e2e/fixtures', 'e2e/fixtures/heic', 'e2e/fixtures/odd']
  const files = await Promise.all(
    folders.map(async (it) => (await readdir(it, { withFileTypes: true })).filter((entry) => entry.isFile())),
  )
  return Promise.all(
    files
      .flat()
      .map(async ({ parentPath, name }) => [name, await readFile(path.join(parentPath, name))] as const),
  ) as Promise<[string, Buffer][]>
}

describe('the editor, by parts of a picked file, and the server, by the file on its disk, recognise the same', () => {
  const both = async (bytes: Buffer) => {
    const server = await mimeOf(bytes)
    const editor = await recognise(new Blob([new Uint8Array(bytes)]))
    return { server, editor: editor?.mime }
  }

  test('of every recorded file', async () => {
    const frame = { width: 8, height: 8, colour: [255, 0, 0, 255], delay: 40 } as const
    const files = [...(await recorded()), ...seeds, ['animated.png', animatedPng([frame, frame])] as const]
    expect(files.length).toBeGreaterThan(40)
    for (const [name, bytes] of files) {
      const { server, editor } = await both(bytes)
      expect([name, editor]).toEqual([name, server])
    }
  })

  test('of changed files of every kind', async () => {
    const all = [...seeds]
    let known = 0
    for (let number = 1; number <= CHANGED; number++) {
      const [mime, seed] = defined(all[number % all.length])
      const { server, editor } = await both(mutated(seed, number, ['other.mp4']))
      expect([number, mime, editor]).toEqual([number, mime, server])
      if (server !== undefined) known += 1
    }
    // Both answers are frequent among them.
    expect(known / CHANGED).toBeGreaterThan(0.2)
    expect(known / CHANGED).toBeLessThan(0.9)
  })

  test('and the editor offers all of them but WebM, which section 5 does not list', async () => {
    const refused: string[] = []
    for (const [mime, bytes] of seeds)
      if ((await recognise(new Blob([new Uint8Array(bytes)])))?.kind === undefined) refused.push(mime)
    expect(refused).toEqual(['video/webm'])
  })
})

describe('an AVIF, still or moving, is no kind of the server: the editor converts it', () => {
  const moving = readFileSync('e2e/fixtures/avif/moving.avif')
  const avifs = async () => [
    await sharp(await jpeg())
      .avif()
      .toBuffer(),
    moving,
    readFileSync('e2e/fixtures/avif/turned.avif'),
    // A brand of pictures of any codec, beside that of the codec.
    branded(moving, 'mif1'),
    branded(moving, 'msf1'),
  ]
  const branded = (bytes: Buffer, brand: string) => {
    const other = Buffer.from(bytes)
    other.write(brand, 8, 'latin1')
    return other
  }
  const editorOf = (bytes: Buffer) => recognise(new Blob([new Uint8Array(bytes)]))

  test('which recognises it by brands and boxes', async () => {
    for (const bytes of await avifs()) {
      expect(await mimeOf(bytes)).toBeUndefined()
      expect(await editorOf(bytes)).toEqual({ format: 'avif', mime: 'image/avif', kind: 'image' })
    }
    expect((await editorOf(heic('syn-marker.heic')))?.format).toBe('heic')
    expect((await editorOf(branded(heic('syn-marker.heic'), 'mif1')))?.format).toBe('heic')
    const text = Buffer.concat([moving.subarray(0, 44), Buffer.from('text '.repeat(99))])
    expect(await editorOf(text)).toBeUndefined()
  })

  test('and measures it without decoding, also when it was changed', async () => {
    const [still, animated, turned] = await avifs()
    expect(measure(defined(still), 'avif')).toMatchObject({ width: 64, height: 48, frames: 1 })
    expect(measure(defined(animated), 'avif')).toEqual({ width: 48, height: 32, frames: 3, hasAlpha: true })
    expect(measure(defined(turned), 'avif')).toMatchObject({ width: 48, height: 32, frames: 1 })
    // Browsers show the picture and not the track.
    expect(measure(branded(moving, 'avif'), 'avif')).toMatchObject({ frames: 1 })
    let known = 0
    for (let number = 1; number <= CHANGED / 4; number++) {
      const bytes = mutated(moving, number, ['other.mp4'])
      const [server, editor] = [await mimeOf(bytes), await editorOf(bytes)]
      // A changed brand may be that of a film.
      expect([number, server]).toEqual([number, editor?.format === 'avif' ? undefined : editor?.mime])
      if (editor?.format === 'avif') known += 1
      expect(measure(bytes, 'avif')?.width ?? 1).toBeGreaterThan(0)
    }
    expect(known / CHANGED).toBeGreaterThan(0.05)
  })
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

test('pictures without pixels are refused', async () => {
  const png = await sharp(await jpeg())
    .png()
    .toBuffer()
  expect(await mimeOf(png.subarray(0, 33))).toBeUndefined()
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
