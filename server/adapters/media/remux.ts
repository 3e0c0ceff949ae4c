// Copies a video's packets, where they are what it shows, into an MP4 without metadata.
import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  type VideoCodec,
} from 'mediabunny'
import { type IsoTrack, readIsoTracks } from '#contract/kinds/iso-presentation.ts'
import { withFile } from '#server/adapters/files/with-file.ts'
import { canToneMap } from './encoding.ts'
import { arePresentation, isShown, type Span, spanOf, turned } from './presentation.ts'
import type { CopyAnswer, Shown } from './task.ts'
import { colourOf, countPackets, isHdr, shownSpan, videoFacts } from './track-facts.ts'

/** Codecs that every current browser isPlayable in MP4. HEVC needs certain hardware. */
const videoCodecs = new Set<string>(['avc', 'vp9', 'av1'] satisfies VideoCodec[])
const audioCodecs = new Set<string>(['aac', 'mp3', 'opus', 'flac'] satisfies AudioCodec[])

/** Bytes that are collected for one write. */
const CHUNK = 1024 * 1024

interface TrackCopy {
  readonly packets: AsyncGenerator<EncodedPacket, void, unknown>
  next: EncodedPacket | undefined
  put(packet: EncodedPacket): Promise<void>
}

interface Chosen {
  readonly is: 'chosen'
  readonly video: Part<InputVideoTrack, VideoCodec>
  readonly audio: Part<InputAudioTrack, AudioCodec> | undefined
  readonly isHdr: boolean
}

/** A track that is copied. */
interface Part<Track, Codec> {
  readonly track: Track
  readonly codec: Codec
  /** Packets outside of it are left out. */
  readonly span: Span
  /** Number of packets inside. */
  readonly count: number
}

type NotCopied = Exclude<CopyAnswer, { is: 'copied' }>

/** H.264 profiles that every browser plays; 10 bits, 4:2:2 and 4:4:4 are not among them. */
const commonAvc = /^avc[13]\.(42|4d|58|64)/i

async function playableCodec(video: InputVideoTrack): Promise<VideoCodec | undefined> {
  const codec = await video.getCodec()
  const config = codec && videoCodecs.has(codec) ? await video.getDecoderConfig() : null
  return codec && config && (codec !== 'avc' || commonAvc.test(config.codec)) ? codec : undefined
}

/** Chooses the tracks to copy; otherwise returns why the video cannot be copied, and what its encoder must know. */
async function choose(input: Input, iso: ReadonlyMap<number, IsoTrack>): Promise<Chosen | NotCopied> {
  const video = await input.getPrimaryVideoTrack()
  if (!video) return { is: 'unreadable' }
  const track = await input.getPrimaryAudioTrack()
  const isoVideo = iso.get(video.id)
  const shown = await shownOf({ video, audio: track, iso: isoVideo })
  const span = shownSpan(isoVideo)
  const codec = await playableCodec(video)
  if (!codec) return { is: 'unplayable', videoPlays: false, shown }
  const { shown: count, hidden } = await countPackets(video, span)
  const hdr = isHdr(await colourOf(video))
  // Without the filters, a copy whose tags say HDR is shown rightly by browsers, and is better than none.
  if (!arePresentation(await videoFacts(video, isoVideo, hidden)) || (hdr && (await canToneMap())))
    return { is: 'unplayable', videoPlays: false, shown }
  const picture = { track: video, codec, span, count }
  if (!track) return { is: 'chosen', video: picture, audio: undefined, isHdr: hdr }
  const audio = await chooseAudio(track, iso.get(track.id))
  if (!audio) return { is: 'unplayable', videoPlays: true, shown }
  return { is: 'chosen', video: picture, audio, isHdr: hdr }
}

async function chooseAudio(track: InputAudioTrack, iso: IsoTrack | undefined): Promise<Chosen['audio']> {
  const codec = await track.getCodec()
  const span = spanOf(iso?.edits ?? [])
  if (!codec || !audioCodecs.has(codec) || !span || !(await track.getDecoderConfig())) return undefined
  return { track, codec, span, count: (await countPackets(track, span)).shown }
}

interface Tracks {
  readonly video: InputVideoTrack
  readonly audio: InputAudioTrack | null
  readonly iso: IsoTrack | undefined
}

async function shownOf({ video, audio, iso }: Tracks): Promise<Shown> {
  if (!iso) return {}
  const coded = { width: await video.getCodedWidth(), height: await video.getCodedHeight() }
  const [a, b, , c, d] = await video.getTransformationMatrix()
  const { crop, pixelShape } = turned(iso, coded, [a, b, c, d])
  return {
    tracks: { video: video.id, audio: audio?.id ?? null },
    ...(crop && { crop }),
    ...(pixelShape !== undefined && { pixelShape }),
  }
}

/**
 * Copies packets that browsers play into an MP4, without decoding; otherwise returns why they cannot be copied.
 * @param formats the readers of the recognised kind; never mediabunny's reader of HLS, which opens other files
 */
export async function remux(
  input: string,
  formats: readonly InputFormat[],
  file: string,
): Promise<CopyAnswer> {
  if (formats.length === 0) return { is: 'foreign' }
  using source = new Input({ source: new FilePathSource(input), formats: [...formats] })
  try {
    if (!(await source.canRead())) return { is: 'foreign' }
    const isIso = formats.includes(MP4) || formats.includes(QTFF)
    const chosen = await choose(source, isIso ? await withFile(input, readIsoTracks) : new Map())
    return chosen.is === 'chosen' ? await copyInto(chosen, file) : chosen
  } catch (error) {
    // An error of the disk may be temporary; any other is due to the file.
    if (error instanceof Error && 'code' in error) throw error
    return { is: 'unreadable' }
  }
}

async function copyInto(chosen: Chosen, file: string): Promise<CopyAnswer> {
  const { track } = chosen.video
  const length = await copy(chosen, file)
  if (length === undefined) return { is: 'unreadable' }
  return {
    is: 'copied',
    width: Math.round(await track.getDisplayWidth()),
    height: Math.round(await track.getDisplayHeight()),
    duration: Math.max(0, Math.round(length)),
    isHdr: chosen.isHdr,
  }
}

/** @returns the length of what was copied, seconds; undefined without a picture */
async function copy({ video, audio }: Chosen, file: string): Promise<number | undefined> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' })
  const output = new Output({ format, target: new FilePathTarget(file, { chunkSize: CHUNK }) })
  try {
    const picture = await copyVideoTrack(output, video)
    const copies = audio ? [picture, await copyAudioTrack(output, audio)] : [picture]
    await output.start()
    for (const trackCopy of copies) await advance(trackCopy)
    if (!picture.next) {
      await output.cancel()
      return undefined
    }
    const length = await copyInOrder(copies)
    await output.finalize()
    return length
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/**
 * Copies packets in the order of playback, so that a player need not seek far. Time begins with the first packet: the
 * timestamps of a stream begin anywhere.
 * @returns the end of the last packet, seconds
 */
async function copyInOrder(copies: readonly TrackCopy[]): Promise<number> {
  const starts = copies.flatMap(({ next }) => (next ? [Math.max(0, next.timestamp)] : []))
  const start = Math.min(...starts)
  let end = 0
  for (;;) {
    const waiting = copies.filter((trackCopy) => trackCopy.next !== undefined)
    const trackCopy = waiting.toSorted((a, b) => (a.next?.timestamp ?? 0) - (b.next?.timestamp ?? 0))[0]
    if (!trackCopy?.next) return end
    const timestamp = Math.max(0, trackCopy.next.timestamp - start)
    end = Math.max(end, trackCopy.next.timestamp - start + trackCopy.next.duration)
    await trackCopy.put(trackCopy.next.clone({ timestamp }))
    await advance(trackCopy)
  }
}

async function advance(trackCopy: TrackCopy): Promise<void> {
  const { value } = await trackCopy.packets.next()
  trackCopy.next = value ?? undefined
}

/** The packets inside a span. Others are the priming of the sound, and pictures at the end that last no time. */
async function* shownPackets(
  sink: EncodedPacketSink,
  span: Span,
): AsyncGenerator<EncodedPacket, void, unknown> {
  for await (const packet of sink.packets()) if (isShown(packet, span)) yield packet
}

async function copyVideoTrack(
  output: Output,
  { track, codec, span, count }: Chosen['video'],
): Promise<TrackCopy> {
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await track.getRotation(), maximumPacketCount: count })
  const config = await track.getDecoderConfig()
  const meta = config ? { decoderConfig: config } : undefined
  const packets = shownPackets(new EncodedPacketSink(track), span)
  return { packets, next: undefined, put: (packet) => source.add(packet, meta) }
}

async function copyAudioTrack(
  output: Output,
  { track, codec, span, count }: NonNullable<Chosen['audio']>,
): Promise<TrackCopy> {
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source, { maximumPacketCount: count })
  const config = await track.getDecoderConfig()
  const meta = config ? { decoderConfig: config } : undefined
  const packets = shownPackets(new EncodedPacketSink(track), span)
  return { packets, next: undefined, put: (packet) => source.add(packet, meta) }
}
