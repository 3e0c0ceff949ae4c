// A small valid file of every recognised kind, for fuzzing: recorded, or made by ffmpeg.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import type { Mime } from '#contract/kinds/kind.ts'
import { fixture, heic, jpeg, svg, type VideoFixture } from '#server/testing/pictures.ts'

/** ffmpeg arguments for each kind that it can make, and the recorded file that is used without it. */
const videos: readonly (readonly [Mime, string, readonly string[], VideoFixture?])[] = [
  ['video/mp4', 'a.mp4', ['-c:v', 'libx264', '-c:a', 'aac'], 'h264.mp4'],
  ['video/x-m4v', 'a.m4v', ['-c:v', 'libx264', '-c:a', 'aac', '-brand', 'M4V '], 'h264.m4v'],
  ['video/quicktime', 'a.mov', ['-c:v', 'libx264', '-c:a', 'aac'], 'h264.mov'],
  ['video/3gpp', 'a.3gp', ['-c:v', 'libx264', '-c:a', 'aac'], 'h263.3gp'],
  ['video/matroska', 'a.mkv', ['-c:v', 'libx264', '-c:a', 'aac'], 'h264.mkv'],
  ['video/webm', 'a.webm', ['-c:v', 'libvpx', '-an'], 'vp9.webm'],
  ['video/mp2t', 'a.ts', ['-c:v', 'libx264', '-c:a', 'aac'], 'h264.mpegts'],
  ['video/mpeg', 'a.m2v', ['-c:v', 'mpeg2video', '-an', '-f', 'mpeg2video']],
  ['video/MP1S', 'a1.mpg', ['-c:v', 'mpeg1video', '-c:a', 'mp2', '-f', 'mpeg']],
  ['video/MP2P', 'a2.mpg', ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'vob']],
  ['video/x-flv', 'a.flv', ['-c:v', 'flv1', '-ar', '22050', '-c:a', 'aac'], 'h264.flv'],
  ['video/vnd.avi', 'a.avi', ['-c:v', 'mpeg4', '-c:a', 'pcm_s16le'], 'h264.avi'],
  ['video/x-ms-asf', 'a.wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']],
  ['video/hevc', 'a.hevc', ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-an'], 'raw.hevc'],
]

const source = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25:d=0.4', '-f', 'lavfi', '-i', 'sine=d=0.4']

function makeVideo(folder: string, name: string, args: readonly string[]): Buffer | undefined {
  const file = path.join(folder, name)
  const quiet = ['-hide_banner', '-loglevel', 'error', '-y', ...source, '-shortest', '-pix_fmt', 'yuv420p']
  try {
    execFileSync('ffmpeg', [...quiet, ...args, file], { stdio: 'ignore' })
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** A HEIC file with another major brand. */
function branded(brand: string): Buffer {
  const bytes = Buffer.from(heic('syn-marker.heic'))
  bytes.write(brand, 8, 'latin1')
  return bytes
}

/** Makes the seeds; without ffmpeg, kinds without a recorded file are omitted. */
export async function fuzzSeeds(): Promise<Map<Mime, Buffer>> {
  const picture = sharp(await jpeg())
  const seeds = new Map<Mime, Buffer>([
    ['image/jpeg', await jpeg()],
    ['image/png', await picture.clone().png().toBuffer()],
    ['image/gif', fixture('anim.gif')],
    ['image/webp', await picture.clone().webp().toBuffer()],
    ['image/heic', heic('syn-marker.heic')],
    ['image/heif', branded('mif1')],
    ['image/heic-sequence', branded('hevc')],
    ['image/heif-sequence', branded('msf1')],
    ['image/svg+xml', svg],
  ])
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-seeds-'))
  for (const [mime, name, args, recorded] of videos) {
    const bytes = makeVideo(folder, name, args) ?? (recorded && fixture(recorded))
    if (bytes) seeds.set(mime, bytes)
  }
  rmSync(folder, { recursive: true })
  return seeds
}
