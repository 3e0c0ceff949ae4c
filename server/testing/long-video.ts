// A video of more than a minute: the short one, again and again.
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  type InputAudioTrack,
  type InputVideoTrack,
  Input,
  MP4,
  Mp4OutputFormat,
  BufferTarget,
  Output,
} from 'mediabunny'
import { fixturePath } from './pictures.ts'

/** Seconds of the short one. */
const ONCE = 5

type Source = EncodedVideoPacketSource | EncodedAudioPacketSource

async function repeat(track: InputVideoTrack | InputAudioTrack, source: Source, times: number) {
  const decoderConfig = await track.getDecoderConfig()
  for (let n = 0; n < times; n++) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      if (packet.timestamp < 0 || packet.timestamp + packet.duration > ONCE + 0.001) continue
      const meta = decoderConfig ? { decoderConfig } : undefined
      await source.add(packet.clone({ timestamp: packet.timestamp + n * ONCE }), meta as never)
    }
  }
  source.close()
}

/** The bytes of an MP4 of `times` times five seconds. */
export async function longVideo(times: number): Promise<Buffer> {
  using input = new Input({ source: new FilePathSource(fixturePath('h264.mp4')), formats: [MP4] })
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (!video || !audio) throw new Error('the short video has lost a track')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const [seen, heard] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')]
  output.addVideoTrack(seen)
  output.addAudioTrack(heard)
  await output.start()
  await Promise.all([repeat(video, seen, times), repeat(audio, heard, times)])
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}
