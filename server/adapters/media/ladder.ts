// Makes smaller renditions of a longer video, so that slow connections can play it.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { FilePathSource, Input, MP4 } from 'mediabunny'
import { ownMp4 } from './demuxer.ts'
import { ffmpegCalmly, hasFfmpeg } from './ffmpeg.ts'
import { cut, SEGMENT } from './hls.ts'
import type { LadderTask, MediaMade } from './task.ts'

interface Step {
  /** Pixels of the shorter side. */
  readonly height: number
  /** Largest bit rate of its pictures, in ffmpeg's notation. */
  readonly rate: string
}

/** A native player begins with the first one. */
const steps: readonly Step[] = [
  { height: 480, rate: '1200k' },
  { height: 240, rate: '400k' },
  { height: 720, rate: '2800k' },
]
/** A step is made only if its shorter side and bit rate are below this fraction of the source. */
const SMALLER = 0.85
/** Longer videos have no renditions, since encoding would take too long, seconds. */
const LONGEST = 20 * 60
/** Time limit of the encoder, ms: less than that of this process. */
const TIMEOUT = 26 * 60_000

function stepsBelow(width: number, height: number): Step[] {
  return steps.filter((it) => it.height <= Math.min(width, height) * SMALLER)
}

/** Whether a new video should have smaller renditions, and this machine can encode them. */
export async function wantsLadder({ made, width, height, duration }: MediaMade): Promise<boolean> {
  if (made.hls !== true || width === null || height === null || (duration ?? 0) > LONGEST) return false
  return stepsBelow(width, height).length > 0 && (await hasFfmpeg())
}

/** Writes the playlists and segments of the steps, and their main playlist. @returns their heights */
export async function makeLadder({ input, main, output }: LadderTask): Promise<number[]> {
  const { width, height } = await sizeOf(input)
  const wanted = stepsBelow(width, height)
  const encoded = wanted.map((it) => `${output}/${it.height}.mp4`)
  try {
    const args = wanted.flatMap((it) => [...argsOf(it, width >= height), `file:${output}/${it.height}.mp4`])
    const end = await ffmpegCalmly(TIMEOUT, { input, demuxer: ownMp4, output: args })
    if (end !== 'done') return []
    const source = await variantOf(main, 'video.m3u8')
    const made: { height: number; variant: Variant }[] = []
    for (const it of wanted) {
      const variant = await cutStep(output, it.height)
      if (variant.bandwidth <= source.bandwidth * SMALLER) made.push({ height: it.height, variant })
      else await discard(output, it.height)
    }
    const variants = [...made.map((it) => it.variant), source]
    await writeFile(`${output}/main.m3u8`, `#EXTM3U\n\n${variants.map((it) => it.text).join('\n')}\n`)
    return made.map((it) => it.height)
  } finally {
    for (const file of encoded) await rm(file, { force: true })
  }
}

async function sizeOf(file: string): Promise<{ width: number; height: number }> {
  using input = new Input({ source: new FilePathSource(file), formats: [MP4] })
  const video = await input.getPrimaryVideoTrack()
  if (!video) throw new Error('the converted video has no video track')
  return { width: await video.getDisplayWidth(), height: await video.getDisplayHeight() }
}

/** Arguments of ffmpeg: key frames where segments begin, and the sound copied. */
function argsOf({ height, rate }: Step, isLandscape: boolean): string[] {
  const scale = isLandscape ? `scale=-2:${height}` : `scale=${height}:-2`
  const video = ['-vf', scale, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '24', '-pix_fmt', 'yuv420p']
  const bounds = ['-maxrate', rate, '-bufsize', rate, '-force_key_frames', `expr:gte(t,n_forced*${SEGMENT})`]
  return ['-map', '0:v:0', '-map', '0:a:0?', ...video, ...bounds, '-c:a', 'copy', '-f', 'mp4']
}

interface Variant {
  readonly bandwidth: number
  /** Its lines in a main playlist. */
  readonly text: string
}

async function cutStep(folder: string, height: number): Promise<Variant> {
  using input = new Input({ source: new FilePathSource(`${folder}/${height}.mp4`), formats: [MP4] })
  const [main, playlist] = [`${height}p-main.m3u8`, `${height}p.m3u8`]
  await cut(input, folder, { main, playlist, prefix: `${height}p-` })
  const variant = await variantOf(`${folder}/${main}`, playlist)
  await rm(`${folder}/${main}`)
  return variant
}

async function discard(folder: string, height: number): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith(`${height}p`)) await rm(`${folder}/${name}`)
}

/** The entry of one variant in a main playlist. */
async function variantOf(main: string, playlist: string): Promise<Variant> {
  const lines = (await readFile(main, 'utf8')).split('\n')
  const about = lines[lines.indexOf(playlist) - 1]
  const bandwidth = Number(/[:,]BANDWIDTH=(\d+)/.exec(about ?? '')?.[1])
  if (about === undefined || !Number.isFinite(bandwidth)) throw new Error(`no variant ${playlist} in ${main}`)
  return { bandwidth, text: `${about}\n${playlist}` }
}
