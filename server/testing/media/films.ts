// Films for tests, made by ffmpeg, and what the published file shows of them.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const quiet = ['-hide_banner', '-loglevel', 'error', '-y']

/** Runs ffmpeg. @returns its standard output */
export function runFfmpeg(args: readonly string[]): Buffer {
  return execFileSync('ffmpeg', [...quiet, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  })
}

const quick = ['-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const colour = (name: string, seconds: number) => `color=${name}:s=320x240:r=25:d=${seconds}`

/** Red for two seconds, then green for three, then blue for one, with sound; one key frame. */
export function makeColours(
  file: string,
  codecs: readonly string[] = ['-c:v', 'libx264', '-c:a', 'aac'],
): void {
  const parts = `${colour('red', 2)}[a];${colour('green', 3)}[b];${colour('blue', 1)}[c]`
  const source = ['-f', 'lavfi', '-i', `${parts};[a][b][c]concat=n=3:v=1`]
  const sound = ['-f', 'lavfi', '-i', 'sine=440:duration=6']
  runFfmpeg([...source, ...sound, '-g', '250', ...quick, ...codecs, file])
}

/** A film of one still picture: red and green above, blue and white below, 320×240. */
export function makeCorners(file: string, args: readonly string[] = ['-c:v', 'libx264']): void {
  const part = (name: string) => `color=${name}:s=160x120:r=10:d=1`
  const rows = `${part('red')}[a];${part('green')}[b];${part('blue')}[c];${part('white')}[d]`
  const graph = `${rows};[a][b]hstack[t];[c][d]hstack[u];[t][u]vstack`
  runFfmpeg(['-f', 'lavfi', '-i', graph, ...quick, ...args, file])
}

const hdrFilter = (transfer: string) =>
  `zscale=pin=bt709:tin=iec61966-2-1:min=bt709:rin=pc:p=bt2020:t=linear:npl=100,format=gbrpf32le,zscale=t=${transfer}:m=bt2020nc:r=tv:npl=203,format=yuv420p10le`
const hdrTags = (transfer: string) => [
  '-color_primaries',
  'bt2020',
  '-color_trc',
  transfer,
  '-colorspace',
  'bt2020nc',
]

interface HdrFilm {
  /** ffmpeg's name of it: `arib-std-b67` for HLG, `smpte2084` for PQ. */
  readonly transfer: string
  /** ffmpeg's arguments; HEVC by default. */
  readonly codec?: readonly string[]
}

/** Makes an HDR film of one second from a still picture in sRGB. */
export function makeHdrOf(
  still: string,
  file: string,
  { transfer, codec = hevcOf(transfer) }: HdrFilm,
): void {
  const source = ['-loop', '1', '-t', '1', '-i', still, '-r', '10', '-vf', hdrFilter(transfer)]
  runFfmpeg([...source, ...codec, ...hdrTags(transfer), file])
}

const hevcOf = (transfer: string) => {
  const colours = `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`
  return ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', colours]
}

/** Overwrites the content of the first box of a type. */
export function patchBox(file: string, type: string, at: number, content: Buffer): void {
  const bytes = readFileSync(file)
  const box = bytes.indexOf(type)
  if (box < 0) throw new Error(`no ${type} in ${file}`)
  content.copy(bytes, box + 4 + at)
  writeFileSync(file, bytes)
}

/**
 * Replaces the edit list of the first track, in a file whose index is behind its packets.
 * @param edits length in thousandths, and start in ticks of the track, of each
 */
export function replaceEdits(file: string, edits: readonly (readonly [number, number])[]): void {
  const entries = edits.flatMap((it) => [...it, 65_536])
  replaceBox(file, ['moov', 'trak', 'edts', 'elst'], words(0, edits.length, ...entries))
}

/**
 * Replaces how long the packets of the first track last, in a file whose index is behind its packets.
 * @param runs number of packets, and ticks of each
 */
export function replaceDurations(file: string, runs: readonly (readonly [number, number])[]): void {
  const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts']
  replaceBox(file, path, words(0, runs.length, ...runs.flat()))
}

/** Replaces the content of the first box at the end of a path, and the lengths of those around it. */
function replaceBox(file: string, path: readonly string[], content: Buffer): void {
  const bytes = readFileSync(file)
  const starts = path.map((it) => bytes.indexOf(it, bytes.indexOf('moov')) - 4)
  const start = starts.at(-1) ?? 0
  const before = bytes.readUInt32BE(start)
  for (const at of starts) bytes.writeUInt32BE(bytes.readUInt32BE(at) + 8 + content.length - before, at)
  const head = bytes.subarray(start, start + 8)
  const behind = bytes.subarray(start + before)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, start), head, content, behind]))
}

/** 32-bit integers, big-endian. */
export const words = (...all: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(all.length * 4)
  all.forEach((it, i) => bytes.writeInt32BE(it, i * 4))
  return bytes
}

/** A display matrix of which only the linear part is given, in a track's header. */
export function patchMatrix(file: string, [a, b, c, d]: readonly [number, number, number, number]): void {
  const fixed = (it: number) => Math.round(it * 65_536)
  patchBox(file, 'tkhd', 40, words(fixed(a), fixed(b), 0, fixed(c), fixed(d), 0, 0, 0, 2 ** 30))
}

/** Replaces the boxes behind the decoder's configuration by a clean aperture. @param right offset of its centre, pixels */
export function patchAperture(
  file: string,
  { width, height, right, down }: { width: number; height: number; right: number; down: number },
): void {
  const bytes = readFileSync(file)
  const [entry, configuration] = [bytes.indexOf('avc1', bytes.indexOf('stsd')) - 4, bytes.indexOf('avcC') - 4]
  const from = configuration + bytes.readUInt32BE(configuration)
  const rest = entry + bytes.readUInt32BE(entry) - from - 40
  if (rest < 8) throw new Error(`no room for a clean aperture in ${file}`)
  const numbers = words(width, 1, height, 1, right, 1, down, 1)
  const box = Buffer.concat([words(40), Buffer.from('clap'), numbers, words(rest), Buffer.from('free')])
  box.copy(bytes, from)
  writeFileSync(file, bytes)
}

interface Probed {
  /** Seconds. */
  readonly duration: number
  readonly width: number
  readonly height: number
  readonly pixels: string
  readonly frames: number
  readonly colours: string
  /** Packets that the edit list of the file hides. */
  readonly hidden: number
}

/** What ffprobe says about the first video track of a file. */
export function probeFilm(file: string): Probed {
  const entries =
    'stream=width,height,sample_aspect_ratio,color_space,color_transfer,color_primaries,nb_read_packets:format=duration:packet=pts_time,flags'
  const args = [
    '-v',
    'error',
    '-count_packets',
    '-select_streams',
    'v:0',
    '-show_entries',
    entries,
    '-of',
    'json',
  ]
  const it = JSON.parse(execFileSync('ffprobe', [...args, file], { encoding: 'utf8' }))
  const [stream] = it.streams
  return {
    duration: Number(it.format.duration),
    width: stream.width,
    height: stream.height,
    pixels: stream.sample_aspect_ratio ?? '1:1',
    frames: Number(stream.nb_read_packets),
    colours: [stream.color_space, stream.color_transfer, stream.color_primaries].join(' '),
    hidden: it.packets.filter((packet: { flags: string }) => packet.flags.includes('D')).length,
  }
}

/** When a track of a file begins, seconds. @param track ffmpeg's name of it, as `a:0` */
export function startOf(file: string, track: string): number {
  const args = [
    '-v',
    'error',
    '-select_streams',
    track,
    '-show_entries',
    'stream=start_time',
    '-of',
    'csv=p=0',
  ]
  return Number(execFileSync('ffprobe', [...args, file]))
}

function named([r = 0, g = 0, b = 0]: Uint8Array): string {
  if (Math.min(r, g, b) > 180) return 'white'
  if (Math.max(r, g, b) < 60) return 'black'
  return r > Math.max(g, b) ? 'red' : g > b ? 'green' : 'blue'
}

const asRaw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']

/** Names of the colours of every frame's four quarters, from the upper left one on; equal neighbours once. */
export function seenIn(file: string): string[] {
  const raw = runFfmpeg(['-i', file, '-vf', 'scale=8:8:flags=area', ...asRaw])
  const seen: string[] = []
  for (let frame = 0; frame + 192 <= raw.length; frame += 192) {
    const at = (x: number, y: number) => named(raw.subarray(frame + (y * 8 + x) * 3))
    const corners = [at(1, 1), at(6, 1), at(1, 6), at(6, 6)]
    const name = new Set(corners).size === 1 ? corners[0] : corners.join(' ')
    if (name !== undefined && seen.at(-1) !== name) seen.push(name)
  }
  return seen
}

/** Mean red, green and blue of the first frame. */
export function meanColour(file: string): number[] {
  const raw = runFfmpeg(['-i', file, '-frames:v', '1', '-vf', 'scale=1:1:flags=area', ...asRaw])
  return [...raw.subarray(0, 3)]
}
