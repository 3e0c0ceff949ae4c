// Reads of a film, without decoding it, whether it has a picture and is complete.
import {
  BlobSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny'
import { blobSource } from '#contract/kinds/file-bytes.ts'
import { readIsoTracks } from '#contract/kinds/iso-presentation.ts'
import { unknownFilm } from './unknown-film.ts'
import { isMuchShorter, wholeSeconds } from './moment.ts'

/** A film that ends before the end that its index names. */
export interface Cut {
  /** The length of what is there, whole seconds. */
  seconds: number
  /** The length in its index, whole seconds. */
  indexed: number
}

/** Why a film cannot be sent. `no_picture`: it is sound alone. `no_data`: its index alone is there, without one picture. */
export type FilmProblem = 'no_picture' | 'no_data'

export interface FilmFacts {
  problem: FilmProblem | null
  cut: Cut | null
  /** Whether a clean aperture hides a margin, which players of browsers show. */
  isCropped: boolean
}

/** Steps of the search for the last packet: 1/4096 of the length. */
const STEPS = 12

/** Other containers than these, of which streams of unknown kind are left out, are not judged. @throws for broken files */
export async function factsOf(file: Blob): Promise<FilmFacts> {
  const input = new Input({ formats: [MP4, QTFF, MATROSKA, WEBM], source: new BlobSource(file) })
  try {
    if (!(await input.canRead())) return unknownFilm
    const track = await input.getPrimaryVideoTrack()
    if (!track)
      return (await input.getPrimaryAudioTrack()) ? { ...unknownFilm, problem: 'no_picture' } : unknownFilm
    const format = await input.getFormat()
    const isIso = format === MP4 || format === QTFF
    const isCropped = isIso && (await hasCrop(file))
    const indexed = await track.getDurationFromMetadata()
    if (indexed === null || indexed <= 0) return { ...unknownFilm, isCropped }
    const there = isIso ? await endOfPackets(track, indexed) : await track.computeDuration()
    if (there === 0 && !(await new EncodedPacketSink(track).getFirstPacket()))
      return { ...unknownFilm, problem: 'no_data' }
    const cut = { seconds: wholeSeconds(there) ?? 0, indexed: Math.round(indexed) }
    return { problem: null, cut: isMuchShorter(there, indexed) ? cut : null, isCropped }
  } finally {
    input.dispose()
  }
}

/** Whether a track has a clean aperture; false for boxes that cannot be read. */
async function hasCrop(file: Blob): Promise<boolean> {
  const tracks = await readIsoTracks(blobSource(file)).catch(() => undefined)
  return tracks ? [...tracks.values()].some((it) => it.crop !== undefined) : false
}

/** The end of the packets whose bytes are in the file, seconds: an index at the beginning names those that are missing too. */
async function endOfPackets(track: InputVideoTrack, indexed: number): Promise<number> {
  const sink = new EncodedPacketSink(track)
  const isThere = async (at: number) => (await sink.getPacket(at)) !== null
  if (await isThere(indexed)) return indexed
  let [there, missing] = [0, indexed]
  for (let step = 0; step < STEPS; step++) {
    const middle = (there + missing) / 2
    if (await isThere(middle)) there = middle
    else missing = middle
  }
  return there
}
