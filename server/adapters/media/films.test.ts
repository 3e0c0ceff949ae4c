// A published film shows what the picked file shows, and nothing else of its packets.
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sniff } from '#server/adapters/files/sniff.ts'
import {
  makeColours,
  makeCorners,
  makeHdrOf,
  meanColour,
  patchAperture,
  patchBox,
  patchMatrix,
  probeFilm,
  replaceDurations,
  replaceEdits,
  runFfmpeg,
  seenIn,
  startOf,
  words,
} from '#server/testing/media/films.ts'
import { isInstalled, programPath } from '#server/testing/programs.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { openMediaMaker } from './maker.ts'

const maker = openMediaMaker()
const withoutFfmpeg = openMediaMaker({ path: '/nowhere' })
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-films-'))
})
afterAll(async () => {
  for (const it of [maker, withoutFfmpeg]) it.close()
  await rm(folder, { recursive: true })
})

const at = (name: string) => path.join(folder, name)
const outputOf = (name: string) => at(`${name}.out`)
const played = (name: string) => path.join(outputOf(name), 'play.mp4')

/** Its poster, read whole: sharp keeps files by their names. */
const posterOf = async (name: string) => sharp(await readFile(path.join(outputOf(name), 'poster.webp')))

/** Publishes a file of the folder. @returns its length and size, or why it was refused */
async function publish(name: string, by = maker) {
  await rm(outputOf(name), { recursive: true, force: true })
  await mkdir(outputOf(name))
  const mime = (await sniff(at(name)))?.mime ?? ''
  const task = { kind: 'video', mime, input: at(name), output: outputOf(name), thumbnail: undefined } as const
  const answer = await by.make(task)
  if (answer.is === 'refused') return answer.failure
  const { width, height, duration, made } = answer.media
  return { width, height, duration, poster: made.poster }
}

const film = { width: 320, height: 240, poster: true }
const whole = ['red', 'green', 'blue']

/** Green and blue alone: an edit list hides the red part, back to the only key frame. */
function makeTrimmed(name: string, codecs?: readonly string[]): void {
  makeColours(at(`full-${name}`), codecs)
  runFfmpeg(['-ss', '2.2', '-i', at(`full-${name}`), '-c', 'copy', at(name)])
}

describe.runIf(isInstalled('ffmpeg'))('of a film with an edit list', () => {
  test('what was cut off at its beginning is neither in the video nor in the poster, and its length is the rest', async () => {
    makeTrimmed('trimmed.mp4')
    expect(probeFilm(at('trimmed.mp4')).hidden).toBeGreaterThan(40)
    expect(await publish('trimmed.mp4')).toEqual({ ...film, duration: 4 })
    expect(seenIn(played('trimmed.mp4'))).toEqual(['green', 'blue'])
    const { duration, frames, hidden } = probeFilm(played('trimmed.mp4'))
    expect({ hidden, length: Math.abs(duration - 3.8) < 0.05, frames }).toEqual({
      hidden: 0,
      length: true,
      frames: 95,
    })
  })

  test('the same is true where only its sound must be converted', async () => {
    makeTrimmed('trimmed.mov', ['-c:v', 'libx264', '-c:a', 'ac3'])
    expect(await publish('trimmed.mov')).toEqual({ ...film, duration: 4 })
    expect(seenIn(played('trimmed.mov'))).toEqual(['green', 'blue'])
  })

  test('what was cut off at its end is in neither', async () => {
    makeColours(at('end.mp4'))
    // The first list is that of the picture: five seconds, in thousandths.
    patchBox(at('end.mp4'), 'elst', 8, words(5000))
    await publish('end.mp4')
    expect(seenIn(played('end.mp4'))).toEqual(['red', 'green'])
    expect(probeFilm(played('end.mp4')).frames).toBe(125)
  })

  test('parts are published in the order of the list', async () => {
    makeColours(at('parts.mp4'))
    // 25 frames a second of 512 ticks: blue, then red.
    replaceEdits(at('parts.mp4'), [
      [1000, 5 * 12_800],
      [2000, 0],
    ])
    await publish('parts.mp4')
    expect(seenIn(played('parts.mp4'))).toEqual(['blue', 'red'])
    expect(await publish('parts.mp4', withoutFfmpeg)).toBe('needs_converter')
  })

  test('packets are copied but for the last, which begins where the edit ends and lasts no time', async () => {
    makeColours(at('timeless.mp4'))
    replaceDurations(at('timeless.mp4'), [
      [149, 512],
      [1, 0],
    ])
    replaceEdits(at('timeless.mp4'), [[5960, 0]])
    expect(await publish('timeless.mp4', withoutFfmpeg)).toEqual({ ...film, duration: 6, poster: false })
    const { frames, hidden } = probeFilm(played('timeless.mp4'))
    expect({ frames, hidden }).toEqual({ frames: 149, hidden: 0 })
    // A frame that would last is hidden by the same edit.
    makeColours(at('hidden.mp4'))
    replaceEdits(at('hidden.mp4'), [[5960, 0]])
    expect(await publish('hidden.mp4', withoutFfmpeg)).toBe('needs_converter')
  })

  test('without ffmpeg it is refused, since its packets are not what it shows', async () => {
    makeTrimmed('refused.mp4')
    expect(await publish('refused.mp4', withoutFfmpeg)).toBe('needs_converter')
  })

  test('packets are copied where only the priming of the sound is hidden, which is left out', async () => {
    makeColours(at('plain.mp4'))
    expect(await publish('plain.mp4', withoutFfmpeg)).toEqual({ ...film, duration: 6, poster: false })
    expect(seenIn(played('plain.mp4'))).toEqual(whole)
    const starts = ['v:0', 'a:0'].map((track) => startOf(played('plain.mp4'), track))
    expect(starts).toEqual([0, 0])
  })
})

describe.runIf(isInstalled('ffmpeg'))('of a film with a display matrix, an aperture or other pixels', () => {
  const matrices = [
    ['mirrored', [-1, 0, 0, 1], 'green red white blue'],
    ['upside down in a mirror', [1, 0, 0, -1], 'blue white red green'],
    ['rotated in a mirror', [0, 1, 1, 0], 'red blue green white'],
    ['rotated', [0, 1, -1, 0], 'blue red white green'],
  ] as const
  test.each(sampleOf(matrices, 2))('one that is %s is shown as it is', async (_, linear, seen) => {
    makeCorners(at('corners.mp4'))
    patchMatrix(at('corners.mp4'), linear)
    await publish('corners.mp4')
    expect(seenIn(played('corners.mp4'))).toEqual([seen])
    const { data, info } = await (
      await posterOf('corners.mp4')
    )
      .resize(2, 2, { kernel: 'nearest', fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isRed = [0, 1, 2, 3].map((i) => {
      const [r = 0, g = 0] = data.subarray(i * info.channels)
      return r > 180 && g < 80
    })
    expect(isRed).toEqual(seen.split(' ').map((it) => it === 'red'))
  })

  test('without ffmpeg only the rotated one is copied', async () => {
    makeCorners(at('turned.mp4'))
    patchMatrix(at('turned.mp4'), [0, 1, -1, 0])
    expect(await publish('turned.mp4', withoutFfmpeg)).toMatchObject({ width: 240, height: 320 })
    patchMatrix(at('turned.mp4'), [-1, 0, 0, 1])
    expect(await publish('turned.mp4', withoutFfmpeg)).toBe('needs_converter')
  })

  test('only the clean aperture is published', async () => {
    const tags = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']
    makeCorners(at('aperture.mp4'), ['-c:v', 'libx264', ...tags])
    // The upper left quarter, which is red.
    patchAperture(at('aperture.mp4'), { width: 160, height: 120, right: -80, down: -60 })
    expect(await publish('aperture.mp4')).toEqual({ ...film, width: 160, height: 120, duration: 1 })
    expect(seenIn(played('aperture.mp4'))).toEqual(['red'])
  })

  test('pixels that are not square are kept in a copy, and the poster has its shape', async () => {
    makeCorners(at('wide.mp4'), ['-vf', 'setsar=2', '-c:v', 'libx264'])
    expect(await publish('wide.mp4')).toEqual({ ...film, width: 640, height: 240, duration: 1 })
    expect(probeFilm(played('wide.mp4'))).toMatchObject({ width: 320, height: 240, pixels: '2:1' })
    const { width, height } = await (await posterOf('wide.mp4')).metadata()
    expect({ width, height }).toEqual({ width: 640, height: 240 })
  })

  test('pixels whose shape only the header of the track says are those of the published film', async () => {
    makeCorners(at('header.mp4'))
    patchBox(at('header.mp4'), 'pasp', -4, Buffer.from('free'))
    patchBox(at('header.mp4'), 'tkhd', 76, words(640 * 65_536, 240 * 65_536))
    expect(await publish('header.mp4')).toMatchObject({ width: 640, height: 240 })
    expect(probeFilm(played('header.mp4'))).toMatchObject({ pixels: '2:1' })
  })
})

/** One second of a colour in HDR: brick red by default. */
async function makeHdr(name: string, transfer: string, codec?: readonly string[], background = '#c04030') {
  await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toFile(at('still.png'))
  makeHdrOf(at('still.png'), at(name), { transfer, ...(codec && { codec }) })
}
const vp9 = ['-c:v', 'libvpx-vp9', '-profile:v', '2', '-cpu-used', '8', '-deadline', 'realtime']

describe.runIf(isInstalled('ffmpeg'))('of an HDR film', () => {
  test.each(sampleOf(['arib-std-b67', 'smpte2084'], 2))(
    'film and poster are Rec. 709 (%s)',
    async (transfer) => {
      await makeHdr('hdr.mp4', transfer)
      expect(await publish('hdr.mp4')).toEqual({ ...film, duration: 1 })
      expect(probeFilm(played('hdr.mp4')).colours).toBe('bt709 bt709 bt709')
      const { channels } = await (await posterOf('hdr.mp4')).stats()
      for (const shown of [meanColour(played('hdr.mp4')), channels.slice(0, 3).map((it) => it.mean)])
        for (const [i, part] of [0xc0, 0x40, 0x30].entries())
          expect(Math.abs((shown[i] ?? 0) - part)).toBeLessThan(24)
    },
  )

  test('reference white stays almost white, with room for what is brighter', async () => {
    await makeHdr('white.mp4', 'arib-std-b67', undefined, '#ffffff')
    await publish('white.mp4')
    for (const part of meanColour(played('white.mp4'))) {
      expect(part).toBeGreaterThan(238)
      expect(part).toBeLessThan(250)
    }
  })

  test('one whose container says nothing about its colours is Rec. 709 too', async () => {
    await makeHdr('stream.hevc', 'arib-std-b67')
    expect(await publish('stream.hevc')).toMatchObject(film)
    expect(probeFilm(played('stream.hevc')).colours).toBe('bt709 bt709 bt709')
  })

  test('packets that browsers play are copied with their tags without ffmpeg, and not refused for being HDR', async () => {
    await makeHdr('hdr.webm', 'smpte2084', vp9)
    expect(await publish('hdr.webm', withoutFfmpeg)).toEqual({ ...film, duration: 1, poster: false })
    expect(probeFilm(played('hdr.webm')).colours).toBe('bt2020nc smpte2084 bt2020')
    expect(await publish('hdr.webm')).toEqual({ ...film, duration: 1 })
    expect(probeFilm(played('hdr.webm')).colours).toBe('bt709 bt709 bt709')
  })
})

/** Runs ffmpeg unless it is to convert HDR. */
const limited = `#!/bin/sh
case "$*" in *zscale*) exit 1;; esac
exec ${programPath('ffmpeg')} "$@"
`

describe.runIf(isInstalled('ffmpeg'))('of an HDR film, where ffmpeg lacks the filters for it', () => {
  test('one that must be encoded is refused, and a playable one has no poster of wrong colours', async () => {
    await mkdir(at('programs'))
    await writeFile(at('programs/ffmpeg'), limited, { mode: 0o755 })
    const withoutFilters = openMediaMaker({ path: at('programs') })
    await makeHdr('hevc.mp4', 'arib-std-b67')
    expect(await publish('hevc.mp4', withoutFilters)).toBe('needs_converter')
    await makeHdr('vp9.webm', 'smpte2084', vp9)
    expect(await publish('vp9.webm', withoutFilters)).toMatchObject({ duration: 1, poster: false })
    expect(probeFilm(played('vp9.webm')).colours).toBe('bt2020nc smpte2084 bt2020')
    withoutFilters.close()
  })
})

describe.runIf(isInstalled('ffmpeg'))('of a film with several or late tracks', () => {
  test('a picture that begins after the sound does so in the copy too', async () => {
    makeColours(at('both.mp4'))
    const late = ['-itsoffset', '2', '-i', at('both.mp4'), '-i', at('both.mp4')]
    runFfmpeg([...late, '-map', '0:v', '-map', '1:a', '-c', 'copy', at('late.mp4')])
    expect(await publish('late.mp4', withoutFfmpeg)).toMatchObject({ duration: 8 })
    expect(probeFilm(played('late.mp4')).duration).toBeCloseTo(8, 1)
  })

  test('the first sound is published, whatever a later one has', async () => {
    const sound = [
      '-f',
      'lavfi',
      '-i',
      'sine=440:duration=1',
      '-f',
      'lavfi',
      '-i',
      'anullsrc=channel_layout=5.1:d=1',
    ]
    makeCorners(at('two.avi'))
    const maps = ['-map', '0', '-map', '1', '-map', '2', '-t', '1']
    runFfmpeg(['-i', at('two.avi'), ...sound, ...maps, '-c:v', 'copy', '-c:a', 'ac3', at('two.mp4')])
    expect(await publish('two.mp4')).toMatchObject(film)
    const heard = runFfmpeg(['-i', played('two.mp4'), '-map', '0:a', '-f', 's16le', '-ac', '1', '-'])
    expect(heard.some((it) => it > 8 && it < 248)).toBe(true)
  })
})

test.runIf(isInstalled('ffmpeg'))('a file that was cut off has the length of what is there', async () => {
  makeColours(at('indexed.mp4'), [
    '-c:v',
    'libx264',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    '-x264-params',
    'keyint=25',
  ])
  const { size } = await stat(at('indexed.mp4'))
  await copyFile(at('indexed.mp4'), at('cut.mp4'))
  await truncate(at('cut.mp4'), Math.round(size * 0.6))
  const answer = await publish('cut.mp4', withoutFfmpeg)
  const { duration } = probeFilm(played('cut.mp4'))
  expect(duration).toBeLessThan(5)
  expect(answer).toMatchObject({ duration: Math.round(duration) })
})

test.runIf(isInstalled('ffmpeg'))('segments of a trimmed film begin where it begins', async () => {
  const source = [
    '-f',
    'lavfi',
    '-i',
    'color=red:s=64x48:r=5:d=2[a];color=green:s=64x48:r=5:d=62[b];[a][b]concat=n=2:v=1',
  ]
  runFfmpeg([...source, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '400', at('long.mp4')])
  runFfmpeg(['-ss', '2.2', '-i', at('long.mp4'), '-c', 'copy', at('trimmed-long.mp4')])
  expect(await publish('trimmed-long.mp4')).toMatchObject({ duration: 62 })
  const hls = path.join(outputOf('trimmed-long.mp4'), 'hls')
  expect(seenIn(path.join(hls, 'video.m3u8'))).toEqual(['green'])
  const lengths = (await readFile(path.join(hls, 'video.m3u8'), 'utf8')).matchAll(/#EXTINF:([\d.]+)/g)
  const sum = [...lengths].reduce((all, [, length]) => all + Number(length), 0)
  expect(sum).toBeCloseTo(61.8, 0)
})
