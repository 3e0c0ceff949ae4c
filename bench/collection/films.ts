// Compares a published film with the picked file, by ffprobe and by pixels.
import { spawnSync } from 'node:child_process'

/** Width and height of the compared frames, px, and how many of a second are compared. */
const SIDE = 48
const RATE = 8
/** Mean difference of a channel of a frame, of 255, that another codec has at most. */
const MOST = 8
/** How much the length may differ, s: a frame of sound or of slow films at each end. */
const MOST_LENGTH = 0.25
const FRAME_BYTES = SIDE * SIDE * 3

interface Film {
  readonly width: number
  readonly height: number
  readonly hasSound: boolean
  readonly transfer: string
  /** Of what is shown, s. */
  readonly length: number
  readonly frames: readonly Buffer[]
}

function output(program: string, args: readonly string[]): Buffer {
  const { stdout, error } = spawnSync(program, args, { maxBuffer: 2 ** 30 })
  if (error) throw error
  return stdout
}

interface Probed {
  readonly streams?: readonly {
    readonly codec_type: string
    readonly width?: number
    readonly height?: number
    readonly sample_aspect_ratio?: string
    readonly color_transfer?: string
    readonly side_data_list?: readonly { readonly rotation?: number }[]
    readonly disposition?: { readonly attached_pic?: number }
  }[]
}

/** What a player shows: without the frames that an edit list hides, upright and with square pixels. */
function filmOf(file: string): Film | undefined {
  const shown = ['-v', 'error', '-show_streams', '-of', 'json', file]
  const { streams = [] } = JSON.parse(output('ffprobe', shown).toString() || '{}') as Probed
  const video = streams.find((it) => it.codec_type === 'video' && !it.disposition?.attached_pic)
  if (!video) return undefined
  const [w = 1, h = 1] = (video.sample_aspect_ratio ?? '1:1').split(':').map((it) => Number(it) || 1)
  const isTurned = (video.side_data_list ?? []).some((it) => Math.abs(it.rotation ?? 0) % 180 === 90)
  const [wide, high] = [((video.width ?? 0) * w) / h, video.height ?? 0]
  const filter = `fps=${RATE},scale=${SIDE}:${SIDE}:flags=area,format=rgb24`
  const raw = output('ffmpeg', [
    '-v',
    'quiet',
    '-i',
    file,
    '-map',
    '0:v:0',
    '-vf',
    filter,
    '-f',
    'rawvideo',
    '-',
  ])
  const frames = Array.from({ length: Math.floor(raw.length / FRAME_BYTES) }, (_, n) =>
    raw.subarray(n * FRAME_BYTES, (n + 1) * FRAME_BYTES),
  )
  return {
    width: Math.round(isTurned ? high : wide),
    height: Math.round(isTurned ? wide : high),
    hasSound: streams.some((it) => it.codec_type === 'audio'),
    transfer: video.color_transfer ?? '',
    length: frames.length / RATE,
    frames,
  }
}

const differenceOf = (one: Buffer, other: Buffer | undefined): number =>
  other ? one.reduce((sum, it, at) => sum + Math.abs(it - (other[at] ?? 0)), 0) / one.length : Infinity

/** @returns what differs from the picked file; nothing when it is the same film */
export function compareFilm(file: string, copy: string): string[] {
  const [before, after] = [filmOf(file), filmOf(copy)]
  if (!before || !after) return [`${before ? 'the copy' : 'the file'} has no picture`]
  const says: string[] = []
  const ratio = before.width / before.height / (after.width / after.height)
  if (Math.abs(ratio - 1) > 0.02)
    says.push(`${after.width}×${after.height} of ${before.width}×${before.height}`)
  if (Math.abs(before.length - after.length) > MOST_LENGTH)
    says.push(`${after.length.toFixed(2)} s of ${before.length.toFixed(2)} s`)
  if (before.hasSound !== after.hasSound) says.push(after.hasSound ? 'sound was added' : 'the sound is lost')
  const isHdr = ['arib-std-b67', 'smpte2084'].includes(before.transfer)
  if (isHdr && after.transfer !== before.transfer) return [...says, `${after.transfer} of ${before.transfer}`]
  const differences = before.frames
    .slice(0, after.frames.length)
    .map((it, n) => Math.min(...[n - 1, n, n + 1].map((at) => differenceOf(it, after.frames[at]))))
  const worst = Math.max(0, ...differences)
  if (worst > MOST)
    says.push(
      `a frame differs by ${worst.toFixed(1)} of 255 at ${(differences.indexOf(worst) / RATE).toFixed(1)} s`,
    )
  return says
}
