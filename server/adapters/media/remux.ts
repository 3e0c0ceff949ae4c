// Copies a video's packets into an MP4 with its index first and without metadata.
import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputFormat,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  type VideoCodec,
} from 'mediabunny'
import type { CopyAnswer } from './task.ts'

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
  readonly video: InputVideoTrack
  readonly videoCodec: VideoCodec
  readonly audio: { readonly track: InputAudioTrack; readonly codec: AudioCodec } | undefined
}

/** H.264 profiles that every browser isPlayable; 10 bits, 4:2:2 and 4:4:4 are not among them. */
const commonAvc = /^avc[13]\.(42|4d|58|64)/i

async function isPlayable(video: InputVideoTrack, codec: VideoCodec): Promise<boolean> {
  const config = videoCodecs.has(codec) ? await video.getDecoderConfig() : null
  return config !== null && (codec !== 'avc' || commonAvc.test(config.codec))
}

/** Chooses the tracks to copy; otherwise returns why the video cannot be copied. */
async function choose(input: Input): Promise<Chosen | Exclude<CopyAnswer, { is: 'copied' }>> {
  const video = await input.getPrimaryVideoTrack()
  if (!video) return { is: 'unreadable' }
  const videoCodec = await video.getCodec()
  if (!videoCodec || !(await isPlayable(video, videoCodec))) return { is: 'unplayable', videoPlays: false }
  const track = await input.getPrimaryAudioTrack()
  if (!track) return { is: 'chosen', video, videoCodec, audio: undefined }
  const codec = await track.getCodec()
  if (!codec || !audioCodecs.has(codec) || !(await track.getDecoderConfig()))
    return { is: 'unplayable', videoPlays: true }
  return { is: 'chosen', video, videoCodec, audio: { track, codec } }
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
    return await copyInto(source, file)
  } catch (error) {
    // An error of the disk may be temporary; any other is due to the file.
    if (error instanceof Error && 'code' in error) throw error
    return { is: 'unreadable' }
  }
}

async function copyInto(source: Input, file: string): Promise<CopyAnswer> {
  const chosen = await choose(source)
  if (chosen.is !== 'chosen') return chosen
  const { video, audio } = chosen
  const tracks = audio ? [video, audio.track] : [video]
  const start = await source.getFirstTimestamp(tracks)
  await copy(chosen, start, file)
  const end = await source.computeDuration(tracks)
  return {
    is: 'copied',
    width: Math.round(await video.getDisplayWidth()),
    height: Math.round(await video.getDisplayHeight()),
    duration: Math.max(0, Math.round(end - start)),
  }
}

async function copy({ video, videoCodec, audio }: Chosen, start: number, file: string): Promise<void> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' })
  const output = new Output({ format, target: new FilePathTarget(file, { chunkSize: CHUNK }) })
  try {
    const copies = [await copyVideoTrack(output, video, videoCodec, start)]
    if (audio) copies.push(await copyAudioTrack(output, audio.track, audio.codec, start))
    await output.start()
    await copyInOrder(copies)
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** Copies packets in the order of playback, so that a player need not seek far. */
async function copyInOrder(copies: readonly TrackCopy[]): Promise<void> {
  for (const trackCopy of copies) await advance(trackCopy)
  for (;;) {
    const waiting = copies.filter((trackCopy) => trackCopy.next !== undefined)
    const trackCopy = waiting.toSorted((a, b) => (a.next?.timestamp ?? 0) - (b.next?.timestamp ?? 0))[0]
    if (!trackCopy?.next) return
    await trackCopy.put(trackCopy.next)
    await advance(trackCopy)
  }
}

async function advance(trackCopy: TrackCopy): Promise<void> {
  const { value } = await trackCopy.packets.next()
  trackCopy.next = value ?? undefined
}

async function countPackets(sink: EncodedPacketSink): Promise<number> {
  let count = 0
  for await (const _ of sink.packets(undefined, undefined, { metadataOnly: true })) count++
  return count
}

const shifted = (packet: EncodedPacket, start: number) =>
  packet.clone({ timestamp: Math.max(0, packet.timestamp - start) })

async function copyVideoTrack(
  output: Output,
  track: InputVideoTrack,
  codec: VideoCodec,
  start: number,
): Promise<TrackCopy> {
  const sink = new EncodedPacketSink(track)
  const source = new EncodedVideoPacketSource(codec)
  const maximumPacketCount = await countPackets(sink)
  output.addVideoTrack(source, { rotation: await track.getRotation(), maximumPacketCount })
  const config = await track.getDecoderConfig()
  const meta = config ? { decoderConfig: config } : undefined
  return {
    packets: sink.packets(),
    next: undefined,
    put: (packet) => source.add(shifted(packet, start), meta),
  }
}

async function copyAudioTrack(
  output: Output,
  track: InputAudioTrack,
  codec: AudioCodec,
  start: number,
): Promise<TrackCopy> {
  const sink = new EncodedPacketSink(track)
  const source = new EncodedAudioPacketSource(codec)
  const maximumPacketCount = await countPackets(sink)
  output.addAudioTrack(source, { maximumPacketCount })
  const config = await track.getDecoderConfig()
  const meta = config ? { decoderConfig: config } : undefined
  return {
    packets: sink.packets(),
    next: undefined,
    put: (packet) => source.add(shifted(packet, start), meta),
  }
}
