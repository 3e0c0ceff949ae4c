// Every video format and its result, with ffmpeg (a sample) and without.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixturePath, type VideoFixture } from '#server/testing/pictures.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { sniff } from '#server/adapters/files/sniff.ts'
import { openMediaMaker, type MediaMaker } from './maker.ts'

type Outcome = 'copied' | 'encoded' | 'needs_converter'
type Codec = 'avc' | 'av1' | 'vp9'

/** File, codec of the result, outcome with ffmpeg, outcome without ffmpeg. */
const table: readonly (readonly [VideoFixture, Codec, Outcome, Outcome])[] = [
  ['h264.mp4', 'avc', 'copied', 'copied'],
  ['h264.mov', 'avc', 'copied', 'copied'],
  ['h264.m4v', 'avc', 'copied', 'copied'],
  ['h264.mkv', 'avc', 'copied', 'copied'],
  ['h264.mpegts', 'avc', 'copied', 'copied'],
  ['h264-frag.mp4', 'avc', 'copied', 'copied'],
  ['h264-moovend.mp4', 'avc', 'copied', 'copied'],
  ['h264-rot90.mov', 'avc', 'copied', 'copied'],
  ['h264-gps.mov', 'avc', 'copied', 'copied'],
  ['av1.mp4', 'av1', 'copied', 'copied'],
  ['vp9.webm', 'vp9', 'copied', 'copied'],
  ['h264.avi', 'avc', 'encoded', 'needs_converter'],
  ['h264.flv', 'avc', 'encoded', 'needs_converter'],
  ['h263.3gp', 'avc', 'encoded', 'needs_converter'],
  ['hevc.mov', 'avc', 'encoded', 'needs_converter'],
  ['hevc.mkv', 'avc', 'encoded', 'needs_converter'],
  ['hevc10.mov', 'avc', 'encoded', 'needs_converter'],
  ['hevc-gps.mov', 'avc', 'encoded', 'needs_converter'],
  ['raw.hevc', 'avc', 'encoded', 'needs_converter'],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-formats-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function make(maker: MediaMaker, name: VideoFixture, output: string) {
  const input = fixturePath(name)
  const found = await sniff(input)
  expect([name, found?.kind]).toEqual([name, 'video'])
  await mkdir(output, { recursive: true })
  return maker.make({ kind: 'video', mime: found?.mime ?? '', input, output, thumbnail: undefined })
}

/** The file for browsers: its codec, whether its index is first, and whether it has a location. */
async function described(file: string) {
  const bytes = await readFile(file)
  using input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS })
  const video = await input.getPrimaryVideoTrack()
  return {
    codec: await video?.getCodec(),
    startsAtOnce: bytes.indexOf('moov') < bytes.indexOf('mdat'),
    place: bytes.includes('+35.') || bytes.includes('com.apple.quicktime'),
  }
}

async function outcomeOf(maker: MediaMaker, name: VideoFixture, output: string) {
  const answer = await make(maker, name, output)
  if (answer.is === 'refused') return answer.failure
  const { width, height, duration } = answer.media
  return { ...(await described(path.join(output, 'play.mp4'))), width, height, duration }
}

function expected(name: VideoFixture, codec: Codec, outcome: Outcome) {
  if (outcome === 'needs_converter') return outcome
  const [width, height] =
    name === 'h264-rot90.mov' ? [360, 640] : name === 'h263.3gp' ? [512, 288] : [640, 360]
  return { codec, startsAtOnce: true, place: false, width, height, duration: name === 'av1.mp4' ? 3 : 5 }
}

describe.runIf(isInstalled('ffmpeg'))('with ffmpeg', () => {
  const maker = openMediaMaker()
  afterAll(() => maker.close())
  test.each(sampleOf(table, 3))('%s becomes %s: %s', async (name, codec, outcome) => {
    expect(await outcomeOf(maker, name, path.join(folder, 'with', name))).toEqual(
      expected(name, codec, outcome),
    )
  })
})

describe('without ffmpeg', () => {
  const maker = openMediaMaker({ path: '/nowhere' })
  afterAll(() => maker.close())
  test.each(sampleOf(table, 3, 1))(
    '%s becomes %s, or is refused with a reason',
    async (name, codec, _, outcome) => {
      expect(await outcomeOf(maker, name, path.join(folder, 'without', name))).toEqual(
        expected(name, codec, outcome),
      )
    },
  )
})
