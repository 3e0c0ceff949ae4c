// Makes HLS of a finished MP4: the same packets in CMAF segments.
import { mkdir, rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import {
  CmafOutputFormat,
  Conversion,
  FilePathSource,
  FilePathTarget,
  HlsOutputFormat,
  Input,
  MP4,
  Output,
  PathedTarget,
} from 'mediabunny'

/** Shorter videos have only the MP4, seconds (decision 007). */
const LONG = 60
/** Length of a segment, seconds, where the key frames permit it. */
export const SEGMENT = 6

/** Whether every HLS player plays it. Rotated videos have only the MP4, whose matrix all players apply. */
async function isPlayable(input: Input): Promise<boolean> {
  const video = await input.getPrimaryVideoTrack()
  if ((await video?.getCodec()) !== 'avc' || (await video?.getRotation()) !== 0) return false
  const audio = await input.getPrimaryAudioTrack()
  return !audio || (await audio.getCodec()) === 'aac'
}

/** Writes `hls/` beside the MP4. @returns false where the video has only the MP4 */
export async function makeHls(file: string, output: string, duration: number): Promise<boolean> {
  if (duration < LONG) return false
  using input = new Input({ source: new FilePathSource(file), formats: [MP4] })
  if (!(await isPlayable(input))) return false
  const folder = `${output}/hls`
  await mkdir(folder)
  try {
    await cut(input, folder, { main: 'main.m3u8', playlist: 'video.m3u8', prefix: '' })
    return true
  } catch (error) {
    // The MP4 is still playable.
    console.error(error)
    await rm(folder, { recursive: true, force: true })
    return false
  }
}

/** Names of the files of one rendition. */
export interface Names {
  readonly main: string
  readonly playlist: string
  /** Before the names of its segments. */
  readonly prefix: string
}

/** Copies the packets into CMAF segments. @throws when a track cannot be copied */
export async function cut(input: Input, folder: string, { main, playlist, prefix }: Names): Promise<void> {
  const format = new HlsOutputFormat({
    segmentFormat: new CmafOutputFormat(),
    targetDuration: SEGMENT,
    getPlaylistPath: () => playlist,
    getInitPath: () => `${prefix}init.mp4`,
    getSegmentPath: ({ n }) => `${prefix}${n}.m4s`,
  })
  const target = new PathedTarget(`${folder}/${main}`, ({ path }) => new FilePathTarget(path))
  const conversion = await Conversion.init({ input, output: new Output({ format, target }) })
  if (!conversion.isValid || conversion.discardedTracks.length > 0) throw new Error('a track was left out')
  await throwingUnhandled(() => conversion.execute())
}

/**
 * Runs work during which an unhandled rejection does not end the process: the muxer closes tracks in promises that it
 * does not await.
 * @throws the error of the work, or the first unhandled rejection during it
 */
async function throwingUnhandled(work: () => Promise<void>): Promise<void> {
  const unhandled: unknown[] = []
  const collect = (error: unknown) => {
    unhandled.push(error)
  }
  process.on('unhandledRejection', collect)
  try {
    await work()
    // Node reports unhandled rejections once the queue of microtasks is empty.
    await setImmediate()
  } finally {
    process.off('unhandledRejection', collect)
  }
  if (unhandled.length > 0) throw unhandled[0]
}
