// Video into an MP4 that starts at once: packets are copied as they are, the index goes first, metadata stays behind.
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

/** What every browser of today plays inside MP4. HEVC is not among them: it needs the right hardware. */
const videoCodecs = new Set<string>(['avc', 'vp9', 'av1'] satisfies VideoCodec[])
const audioCodecs = new Set<string>(['aac', 'mp3', 'opus', 'flac'] satisfies AudioCodec[])

/** Bytes that are collected before they are written. */
const CHUNK = 1024 * 1024

interface Lane {
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

/** H.264 of 10 bits or of 4:2:2 and 4:4:4 is played by some browsers alone. */
const commonAvc = /^avc[13]\.(42|4d|58|64)/i

async function plays(video: InputVideoTrack, codec: VideoCodec): Promise<boolean> {
  const config = videoCodecs.has(codec) ? await video.getDecoderConfig() : null
  return config !== null && (codec !== 'avc' || commonAvc.test(config.codec))
}

/** The tracks that can be copied, when all that should be can. */
async function choose(input: Input): Promise<Chosen | Exclude<CopyAnswer, { is: 'copied' }>> {
  const video = await input.getPrimaryVideoTrack()
  if (!video) return { is: 'unreadable' }
  const videoCodec = await video.getCodec()
  if (!videoCodec || !(await plays(video, videoCodec))) return { is: 'unplayable', videoPlays: false }
  const track = await input.getPrimaryAudioTrack()
  if (!track) return { is: 'chosen', video, videoCodec, audio: undefined }
  const codec = await track.getCodec()
  if (!codec || !audioCodecs.has(codec) || !(await track.getDecoderConfig()))
    return { is: 'unplayable', videoPlays: true }
  return { is: 'chosen', video, videoCodec, audio: { track, codec } }
}

/**
 * Copies what browsers play into MP4, without a picture being decoded; says why where that cannot be.
 * @param formats the readers of the recognised kind; mediabunny's reader of HLS, which opens other files, is never one
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
    // Trouble with the disk may pass; anything else is the file's.
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
    const lanes = [await videoLane(output, video, videoCodec, start)]
    if (audio) lanes.push(await audioLane(output, audio.track, audio.codec, start))
    await output.start()
    await pump(lanes)
    await output.finalize()
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** Packets in the order they are played, so that a player needs no far jumps. */
async function pump(lanes: readonly Lane[]): Promise<void> {
  for (const lane of lanes) await step(lane)
  for (;;) {
    const waiting = lanes.filter((lane) => lane.next !== undefined)
    const lane = waiting.toSorted((a, b) => (a.next?.timestamp ?? 0) - (b.next?.timestamp ?? 0))[0]
    if (!lane?.next) return
    await lane.put(lane.next)
    await step(lane)
  }
}

async function step(lane: Lane): Promise<void> {
  const { value } = await lane.packets.next()
  lane.next = value ?? undefined
}

async function countPackets(sink: EncodedPacketSink): Promise<number> {
  let count = 0
  for await (const _ of sink.packets(undefined, undefined, { metadataOnly: true })) count++
  return count
}

const shifted = (packet: EncodedPacket, start: number) =>
  packet.clone({ timestamp: Math.max(0, packet.timestamp - start) })

async function videoLane(
  output: Output,
  track: InputVideoTrack,
  codec: VideoCodec,
  start: number,
): Promise<Lane> {
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

async function audioLane(
  output: Output,
  track: InputAudioTrack,
  codec: AudioCodec,
  start: number,
): Promise<Lane> {
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
