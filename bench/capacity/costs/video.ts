// Measures what a worker takes for videos: copy, encoding and smaller steps.
import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { TUS_CHUNK } from '#contract/limits.ts'
import { openTreeClock, ownCpuOf } from '#bench/rig/memory.ts'
import type { CostRig, Times } from './rig.ts'

/** Seconds of the generated video, which longer ones repeat. */
const PART = 6
/** Bytes in a second: 8 Mbit/s, as phones record 1080p. */
const BITRATE = '8M'
const POLL_MS = 200
const GIVE_UP_MS = 10 * 60_000

export interface VideoFile {
  readonly path: string
  readonly seconds: number
}

export interface Videos {
  /** H.264, as it is copied; too short for steps. */
  readonly short: VideoFile
  /** H.265 of the same length, which is encoded. */
  readonly encoded: VideoFile
  /** H.264, just long enough for the smaller steps. */
  readonly long: VideoFile
  /** H.264, half as long again, to check the sum. */
  readonly longer: VideoFile
}

const run = (args: readonly string[]) =>
  execFileSync('ffmpeg', ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args])

/** 1080p at 30 frames: a moving picture with many details and the noise of a camera, and a tone. */
function makePart(path: string, codec: readonly string[]): void {
  const picture = ['-f', 'lavfi', '-i', 'mandelbrot=size=1920x1080:rate=30:end_pts=200']
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000']
  const rate = ['-b:v', BITRATE, '-maxrate', BITRATE, '-bufsize', BITRATE]
  const format = ['-pix_fmt', 'yuv420p', '-g', '60', '-c:a', 'aac', '-movflags', '+faststart']
  run([
    ...picture,
    ...tone,
    '-t',
    String(PART),
    '-vf',
    'noise=alls=6:allf=t',
    ...codec,
    ...rate,
    ...format,
    path,
  ])
}

/** Makes the files. @returns undefined where ffmpeg is not installed */
export function makeVideos(folder: string): Videos | undefined {
  const [short, encoded] = [join(folder, 'short.mp4'), join(folder, 'encoded.mp4')]
  try {
    makePart(short, ['-c:v', 'libx264', '-preset', 'ultrafast'])
    makePart(encoded, [
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-tag:v',
      'hvc1',
      '-x265-params',
      'log-level=error',
    ])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const repeated = (parts: number): VideoFile => {
    const path = join(folder, `${parts}.mp4`)
    if (!existsSync(path))
      run(['-stream_loop', String(parts - 1), '-i', short, '-c', 'copy', '-movflags', '+faststart', path])
    return { path, seconds: parts * PART }
  }
  return {
    short: { path: short, seconds: PART },
    encoded: { path: encoded, seconds: PART },
    long: repeated(11),
    longer: repeated(16),
  }
}

/** Uploads the file as its author. @returns the id of the upload */
function upload({ product }: CostRig, { path }: VideoFile): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = new Upload(createReadStream(path), {
      endpoint: `${product.url}/upload-chunking-2`,
      chunkSize: TUS_CHUNK,
      uploadSize: statSync(path).size,
      retryDelays: null,
      headers: { authorization: `Bearer ${product.token}` },
      metadata: { filename: 'video.mp4', filetype: 'video/mp4' },
      onSuccess: () => resolve(sending.url?.split('/').at(-1) ?? ''),
      onError: reject,
    })
    sending.start()
  })
}

interface MediaRow {
  readonly state: string
  readonly made: { readonly hls?: boolean; readonly steps?: readonly number[] }
  readonly wants_steps: boolean
}

/** Waits until the video and its smaller steps are made. */
async function untilMade({ sql }: CostRig, id: string): Promise<MediaRow> {
  for (const end = performance.now() + GIVE_UP_MS; performance.now() < end; await sleep(POLL_MS)) {
    const { rows } = await sql.query<MediaRow>(
      'select state, made, ladder_since is not null or ladder_begun_at is not null as wants_steps from media where id = $1',
      [id],
    )
    const [row] = rows
    if (row?.state === 'failed') throw new Error('the video could not be made')
    if (row?.state === 'ready' && (!row.wants_steps || row.made.steps)) return row
  }
  throw new Error('the video was not made in time')
}

/**
 * Publishes a video, and measures what the server and its media processes take for it.
 * @param idle what an idle site takes, ms in each second
 * @returns ms of processor
 */
export async function measureVideo(rig: CostRig, file: VideoFile, idle: Times): Promise<number> {
  const { product } = rig
  const id = await upload(rig, file)
  await product.quiet()
  const [own, began, clock] = [ownCpuOf(product.pid), performance.now(), openTreeClock(product.pid)]
  try {
    const body = new FormData()
    body.append('content', '動画です')
    body.append('type', '1')
    body.append('has_video_file', id)
    const headers = { authorization: `Bearer ${product.token}` }
    const reply = await fetch(`${product.url}/api/post/add`, { method: 'POST', headers, body })
    if (!reply.ok) throw new Error(`the post was answered ${reply.status}: ${await reply.text()}`)
    const { made } = await untilMade(rig, id)
    if ((made.steps !== undefined) !== file.seconds >= 60) throw new Error(`made ${JSON.stringify(made)}`)
    const seconds = (performance.now() - began) / 1000
    return clock.read() + ownCpuOf(product.pid) - own - idle.server * seconds
  } finally {
    clock.close()
  }
}
