// Reads what an MP4 or MOV says about its presentation and mediabunny does not return.
import { Bytes } from './bytes.ts'
import { bytesOf, type ByteSource, type FileBytes } from './file-bytes.ts'
import { type Box, boxAt } from './iso-boxes.ts'

/** An entry of an edit list. */
export interface Edit {
  /** Seconds; 0 for all that follows, as in fragmented files. */
  readonly length: number
  /** Whether nothing is shown during it. */
  readonly empty: boolean
  readonly rate: number
}

/** The picture inside the clean aperture, pixels. */
export interface Crop {
  readonly width: number
  readonly height: number
  readonly x: number
  readonly y: number
}

export interface IsoTrack {
  readonly edits: readonly Edit[]
  readonly descriptions: number
  readonly crop: Crop | undefined
  /** Width of a pixel by its height, where only the track's header says it. */
  readonly pixelShape: number | undefined
}

/** Most entries of an edit list that are read; the rule refuses more than one shown part in any case. */
const MAX_EDITS = 64
/** Bytes of a visual sample entry before its boxes. */
const VISUAL_ENTRY = 78
/** A header whose shape differs by less is rounded. */
const SAME_SHAPE = 0.02

/** The tracks of a file by their ids; empty for a file without a movie box. */
export async function readIsoTracks(source: ByteSource): Promise<ReadonlyMap<number, IsoTrack>> {
  const bytes = await bytesOf(source)
  const movie = await childOf(bytes, { type: '', body: 0, end: bytes.size }, 'moov', 0)
  const tracks = new Map<number, IsoTrack>()
  if (!movie) return tracks
  const header = await childOf(bytes, movie, 'mvhd')
  const scale = header ? await scaleOf(bytes, header) : 0
  for await (const box of childrenOf(bytes, movie, 1)) {
    if (box.type !== 'trak') continue
    const { id, ...track } = await trackOf(bytes, box, scale)
    tracks.set(id, track)
  }
  return tracks
}

async function* childrenOf(bytes: FileBytes, { body, end }: Box, depth: number): AsyncGenerator<Box> {
  for (let at = body; at + 8 <= end;) {
    const box = await boxAt(bytes, at, end, depth)
    if (!box) return
    yield box
    at = box.end
  }
}

async function childOf(bytes: FileBytes, parent: Box, type: string, depth = 1): Promise<Box | undefined> {
  for await (const box of childrenOf(bytes, parent, depth)) if (box.type === type) return box
  return undefined
}

async function pathOf(bytes: FileBytes, parent: Box, types: readonly string[]): Promise<Box | undefined> {
  let box: Box | undefined = parent
  for (const type of types) box &&= await childOf(bytes, box, type)
  return box
}

const contentOf = (bytes: FileBytes, { body, end }: Box, most: number) =>
  bytes.at(body, Math.min(most, end - body))

/** A number of `length` bytes whose highest bit is its sign. */
function signed(content: Bytes, at: number, length: number): number {
  const value = content.number(at, length)
  return value < 2 ** (8 * length - 1) ? value : value - 2 ** (8 * length)
}

/** Ticks of a second, of a movie header. */
async function scaleOf(bytes: FileBytes, header: Box): Promise<number> {
  const content = await contentOf(bytes, header, 32)
  return content.number(content.byte(0) === 1 ? 20 : 12, 4)
}

async function trackOf(bytes: FileBytes, track: Box, scale: number): Promise<IsoTrack & { id: number }> {
  const box = await childOf(bytes, track, 'tkhd')
  const header = box ? await contentOf(bytes, box, 96) : new Bytes(new Uint8Array(96))
  const long = header.byte(0) === 1
  const [width, height] = [header.number(long ? 88 : 76, 4), header.number(long ? 92 : 80, 4)]
  const list = await pathOf(bytes, track, ['edts', 'elst'])
  const table = await pathOf(bytes, track, ['mdia', 'minf', 'stbl', 'stsd'])
  const isVideo = (await pathOf(bytes, track, ['mdia', 'minf', 'vmhd'])) !== undefined
  const described = table
    ? await describedBy(bytes, table, isVideo ? { width, height } : undefined)
    : undefined
  return {
    id: header.number(long ? 20 : 12, 4),
    edits: list ? await editsOf(bytes, list, scale) : [],
    ...(described ?? { descriptions: 1, crop: undefined, pixelShape: undefined }),
  }
}

async function editsOf(bytes: FileBytes, list: Box, scale: number): Promise<Edit[]> {
  const head = await contentOf(bytes, list, 8)
  const long = head.byte(0) === 1
  const size = long ? 20 : 12
  const content = await contentOf(bytes, list, 8 + MAX_EDITS * size)
  const count = Math.min(head.number(4, 4), Math.floor((content.length - 8) / size))
  return Array.from({ length: count }, (_, i) => {
    const at = 8 + i * size
    const ticks = content.number(at, long ? 8 : 4)
    const start = signed(content, long ? at + 8 : at + 4, long ? 8 : 4)
    const rate = signed(content, at + size - 4, 4) / 65_536
    return { length: ticks / Math.max(1, scale), empty: start === -1, rate }
  })
}

/** @param header size in the track's header, in any unit; undefined for sound */
async function describedBy(
  bytes: FileBytes,
  table: Box,
  header: { width: number; height: number } | undefined,
): Promise<Omit<IsoTrack, 'edits'>> {
  const descriptions = (await contentOf(bytes, table, 8)).number(4, 4)
  const none = { descriptions, crop: undefined, pixelShape: undefined }
  const entry = await boxAt(bytes, table.body + 8, table.end, 1)
  if (!header || !entry || entry.end - entry.body < VISUAL_ENTRY) return none
  const content = await bytes.at(entry.body, VISUAL_ENTRY)
  const coded = { width: content.number(24, 2), height: content.number(26, 2) }
  const boxes = { ...entry, body: entry.body + VISUAL_ENTRY }
  const aperture = await childOf(bytes, boxes, 'clap')
  const crop = aperture && cropOf(await contentOf(bytes, aperture, 32), coded)
  const shown = crop ?? coded
  const hasShape = (await childOf(bytes, boxes, 'pasp')) !== undefined
  const shape = (header.width / header.height) * (shown.height / shown.width)
  const isSquare = hasShape || !Number.isFinite(shape) || shape === 0 || Math.abs(shape - 1) < SAME_SHAPE
  return { descriptions, crop, pixelShape: isSquare ? undefined : shape }
}

/** The clean aperture; undefined where it is the whole picture or not valid. */
function cropOf(content: Bytes, coded: { width: number; height: number }): Crop | undefined {
  if (content.length < 32) return undefined
  const part = (at: number) => signed(content, at, 4) / signed(content, at + 4, 4)
  const [width, height] = [Math.round(part(0)), Math.round(part(8))]
  const x = Math.round((coded.width - width) / 2 + part(16))
  const y = Math.round((coded.height - height) / 2 + part(24))
  const isInside = x >= 0 && y >= 0 && x + width <= coded.width && y + height <= coded.height
  const isWhole = width === coded.width && height === coded.height
  return isInside && !isWhole && width > 0 && height > 0 ? { width, height, x, y } : undefined
}
