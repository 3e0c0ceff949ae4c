// Fixtures of /dev/media that are films.
import { readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'
import {
  makeColours,
  makeCorners,
  makeHdrOf,
  patchAperture,
  patchBox,
  patchMatrix,
  replaceDurations,
  replaceEdits,
  runFfmpeg,
  words,
} from '#server/testing/media/films.ts'
import { chart } from './charts.ts'
import type { MediaFixture } from './fixture.ts'

/** Makes a film whose bytes are those of the file that `make` writes. */
const film = (
  fixture: Omit<MediaFixture, 'make'>,
  make: (at: string, other: string) => unknown,
): MediaFixture => ({
  ...fixture,
  async make(folder) {
    const at = path.join(folder, fixture.file)
    await make(at, path.join(folder, 'other.mp4'))
    return readFileSync(at)
  },
})

const corners = '左上から赤、緑、青、白'
const noSound = ['-c:v', 'libx264', '-an']
const quietSound = ['-c:v', 'libx264', '-c:a', 'aac', '-b:a', '24k']

const edits: readonly MediaFixture[] = [
  film(
    {
      file: 'trimmed.mp4',
      row: 'edit list that hides the beginning',
      name: '先頭をトリミングした動画',
      expected: '緑と青だけ、4秒。隠した赤はどこにも出ない',
    },
    (at, whole) => {
      makeColours(whole, quietSound)
      runFfmpeg(['-ss', '2.2', '-i', whole, '-c', 'copy', at])
    },
  ),
  film(
    {
      file: 'timeless.mp4',
      row: 'last frame that begins where the edit ends and lasts no time',
      name: '最後のコマに長さがない動画',
      expected: '選んだファイルと同じ、6秒。変換せずに公開する',
    },
    (at) => {
      makeColours(at, noSound)
      replaceDurations(at, [
        [149, 512],
        [1, 0],
      ])
      replaceEdits(at, [[5960, 0]])
    },
  ),
  film(
    {
      file: 'end.mp4',
      row: 'edit list that hides the end',
      name: '末尾をトリミングした動画',
      expected: '赤と緑だけ、5秒。隠した青はどこにも出ない',
    },
    (at) => {
      makeColours(at, noSound)
      patchBox(at, 'elst', 8, words(5000))
    },
  ),
  film(
    {
      file: 'parts.mp4',
      row: 'edit list of several parts, or another speed',
      name: '順番を入れ替えた動画',
      expected: '青1秒、赤2秒の順で、3秒。選んだファイルと投稿画面は、ブラウザーによって違うことがある',
    },
    (at) => {
      makeColours(at, noSound)
      // 25 frames a second of 512 ticks.
      replaceEdits(at, [
        [1000, 5 * 12_800],
        [2000, 0],
      ])
    },
  ),
  film(
    {
      file: 'late-sound.mp4',
      row: 'late start of picture or sound',
      name: '音声が2秒遅れて始まる動画',
      expected: '無音の赤2秒のあと、緑から音が鳴る',
    },
    (at, whole) => {
      makeColours(whole, quietSound)
      const late = ['-i', whole, '-itsoffset', '2', '-i', whole, '-map', '0:v', '-map', '1:a', '-t', '6']
      runFfmpeg([...late, '-c', 'copy', at])
    },
  ),
]

const shapes: readonly MediaFixture[] = [
  film(
    {
      file: 'rotated.mp4',
      row: 'rotation by 90, 180 or 270°',
      name: '90°回転した動画',
      expected: '縦長。左上から青、赤、白、緑',
    },
    (at) => {
      makeCorners(at)
      patchMatrix(at, [0, 1, -1, 0])
    },
  ),
  film(
    {
      file: 'mirrored.mp4',
      row: 'mirror, other angle, scale in the matrix',
      name: '左右反転した動画',
      expected: '左上から緑、赤、白、青',
    },
    (at) => {
      makeCorners(at)
      patchMatrix(at, [-1, 0, 0, 1])
    },
  ),
  film(
    {
      file: 'wide-pixels.mp4',
      row: 'pixel aspect ratio (`pasp`, Matroska, the stream)',
      name: '正方形でないピクセル',
      expected: `横長（8:3）。${corners}`,
    },
    (at) => makeCorners(at, ['-vf', 'setsar=2', '-c:v', 'libx264']),
  ),
  film(
    {
      file: 'header-pixels.mp4',
      row: "pixel shape that only the track's header has",
      name: 'トラックのヘッダーだけにあるピクセルの形',
      expected: `横長（8:3）。${corners}`,
    },
    (at) => {
      makeCorners(at)
      patchBox(at, 'pasp', -4, Buffer.from('free'))
      patchBox(at, 'tkhd', 76, words(640 * 65_536, 240 * 65_536))
    },
  ),
  film(
    {
      file: 'aperture.mp4',
      row: 'clean aperture (`clap`)',
      name: '一部だけを見せる動画（clean aperture）',
      expected:
        '投稿後は左上の赤だけ。選んだファイルには余白も出ることがあるため、投稿画面は場面を表示しない',
    },
    (at) => {
      const tags = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']
      makeCorners(at, ['-c:v', 'libx264', ...tags])
      patchAperture(at, { width: 160, height: 120, right: -80, down: -60 })
    },
  ),
]

/** A film of one second of the chart in HDR. */
const hdr = (fixture: Omit<MediaFixture, 'make' | 'row' | 'expected'>, transfer: string): MediaFixture =>
  film(
    {
      ...fixture,
      row: 'HDR: HLG, PQ',
      expected: 'SDR の画像と同じ鮮やかさ。灰色がかったり、白飛びしたりしない',
    },
    async (at, other) => {
      const still = `${other}.png`
      await chart().png().toFile(still)
      makeHdrOf(still, at, { transfer })
    },
  )

const colours: readonly MediaFixture[] = [
  hdr({ file: 'hlg.mp4', name: 'HDR の動画（HLG、iPhone の標準）' }, 'arib-std-b67'),
  hdr({ file: 'pq.mp4', name: 'HDR の動画（PQ）' }, 'smpte2084'),
  film(
    {
      file: 'full-range.mp4',
      row: 'other primaries, transfer and range',
      name: 'フルレンジの動画',
      expected: `${corners}。黒つぶれや白飛びがない`,
    },
    (at) => makeCorners(at, ['-vf', 'scale=out_range=pc', '-color_range', 'pc', '-c:v', 'libx264']),
  ),
]

const streams: readonly MediaFixture[] = [
  film(
    {
      file: 'two-pictures.mp4',
      row: 'several tracks',
      name: '映像が2本ある動画',
      expected: `1本目だけ：${corners}`,
    },
    (at, first) => {
      makeCorners(first)
      const second = ['-f', 'lavfi', '-i', 'color=black:s=320x240:r=10:d=1']
      const maps = ['-map', '0:v', '-map', '1:v', '-disposition:v:0', 'default', '-disposition:v:1', '0']
      runFfmpeg([
        '-i',
        first,
        ...second,
        ...maps,
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p',
        at,
      ])
    },
  ),
  film(
    {
      file: 'cut.mp4',
      row: 'index that names more than there is',
      name: '途中で切れた動画（はじめの40%、索引は先頭）',
      expected: '投稿画面が両方の長さを知らせる。公開後の長さは実際の長さ',
    },
    (at) => {
      const cuttable = ['-movflags', '+faststart', '-x264-params', 'keyint=25']
      makeColours(at, ['-c:v', 'libx264', '-c:a', 'aac', ...cuttable])
      truncateSync(at, Math.round(readFileSync(at).length * 0.4))
    },
  ),
  film(
    {
      file: 'index.mp4',
      row: 'no picture',
      name: '索引だけの動画',
      expected: '投稿画面で理由を示して断る',
    },
    (at) => {
      makeColours(at, ['-c:v', 'libx264', '-an', '-movflags', '+faststart'])
      truncateSync(at, readFileSync(at).indexOf('mdat') + 4)
    },
  ),
  film(
    {
      file: 'sound.mp4',
      row: 'no picture',
      name: '音声だけの動画',
      expected: '投稿画面で理由を示して断る',
    },
    (at) => runFfmpeg(['-f', 'lavfi', '-i', 'sine=440:duration=1', '-c:a', 'aac', at]),
  ),
]

export const filmFixtures = [...edits, ...shapes, ...colours, ...streams]
