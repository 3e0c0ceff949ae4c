// Video into an MP4 that starts at once: packets are copied as they are, the index goes first, metadata stays behind.
import {
  ALL_FORMATS,
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  type VideoCodec,
} from 'mediabunny'

/** What browsers play inside MP4. */
const videoCodecs = new Set<string>(['avc', 'hevc', 'vp9', 'av1'] satisfies VideoCodec[])
const audioCodecs = new Set<string>(['aac', 'mp3', 'opus', 'flac'] satisfies AudioCodec[])

export interface Remuxed {
  readonly width: number
  readonly height: number
  /** Whole seconds. */
  readonly duration: number
}

interface Lane {
  readonly packets: AsyncGenerator<EncodedPacket, void, unknown>
  next: EncodedPacket | undefined
  put(packet: EncodedPacket): Promise<void>
}

interface Chosen {
  readonly video: InputVideoTrack
  readonly videoCodec: VideoCodec
  readonly audio: { readonly track: InputAudioTrack; readonly codec: AudioCodec } | undefined
}

/** The tracks that can be copied; undefined when one that should be cannot. */
async function choose(input: Input): Promise<Chosen | undefined> {
  const video = await input.getPrimaryVideoTrack()
  const videoCodec = await video?.getCodec()
  if (!video || !videoCodec || !videoCodecs.has(videoCodec) || !(await video.getDecoderConfig()))
    return undefined
  const track = await input.getPrimaryAudioTrack()
  if (!track) return { video, videoCodec, audio: undefined }
  const codec = await track.getCodec()
  if (!codec || !audioCodecs.has(codec) || !(await track.getDecoderConfig())) return undefined
  return { video, videoCodec, audio: { track, codec } }
}

/** @returns undefined when this file cannot be copied into MP4 as it is */
export async function remux(input: string, file: string): Promise<Remuxed | undefined> {
  using source = new Input({ source: new FilePathSource(input), formats: ALL_FORMATS })
  const chosen = await choose(source)
  if (!chosen) return undefined
  const { video, audio } = chosen
  const tracks = audio ? [video, audio.track] : [video]
  const start = await source.getFirstTimestamp(tracks)
  await copy(chosen, start, file)
  const end = await source.computeDuration(tracks)
  return {
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    duration: Math.max(0, Math.round(end - start)),
  }
}

async function copy({ video, videoCodec, audio }: Chosen, start: number, file: string): Promise<void> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' })
  const output = new Output({ format, target: new FilePathTarget(file) })
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
