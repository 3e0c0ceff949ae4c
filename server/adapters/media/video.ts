// Converts a video to a file that browsers play, and makes its poster.
import { rm, stat } from 'node:fs/promises'
import { THUMBNAIL_AT } from '#contract/limits.ts'
import { sniff } from '#server/adapters/files/sniff.ts'
import { type Demuxer, demuxerOf, ownMp4 } from './demuxer.ts'
import { ffmpeg } from './ffmpeg.ts'
import { makeHls } from './hls.ts'
import { makePoster } from './picture.ts'
import { remux } from './remux.ts'
import { type CopyAnswer, type CopyTask, type MediaMade, type MediaTask, Refused } from './task.ts'

const isWritten = (file: string) =>
  stat(file).then(
    (it) => it.size > 0,
    () => false,
  )

/** Full HD at most, with even sides, which the codec requires. */
const fitted =
  'scale=w=min(iw\\,1920):h=min(ih\\,1920):force_original_aspect_ratio=decrease:force_divisible_by=2'
const encodedVideo = [
  '-vf',
  fitted,
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '22',
  '-pix_fmt',
  'yuv420p',
]

type Copied = Extract<CopyAnswer, { is: 'copied' }>

export interface VideoTask extends MediaTask {
  /** The result of copying its packets; the copy is in the output folder. */
  readonly copied: CopyAnswer
}

const playedFile = (output: string) => `${output}/play.mp4`

/** The first of a video's two tasks. For a broken file its reader, a library, may never end. */
export function copyVideo({ mime, input, output }: CopyTask): Promise<CopyAnswer> {
  return remux(input, demuxerOf(mime)?.formats ?? [], playedFile(output))
}

async function play(task: VideoTask, demuxer: Demuxer, file: string): Promise<Copied> {
  const { input, copied } = task
  if (copied.is === 'copied') return copied
  const intermediate = `${task.output}/intermediate.mp4`
  const video = copied.is === 'unplayable' && copied.videoPlays ? ['-c:v', 'copy'] : encodedVideo
  const audio = ['-c:a', 'aac', '-ac', '2']
  const output = ['-map_metadata', '-1', ...video, ...audio, '-f', 'mp4', `file:${intermediate}`]
  const end = await ffmpeg({ input, demuxer, output })
  try {
    if (end === 'late') throw new Refused('gave_up')
    if (end === 'absent') throw new Refused(copied.is === 'unreadable' ? 'unreadable' : 'needs_converter')
    const encoded = (await isWritten(intermediate))
      ? await remux(intermediate, ownMp4.formats, file)
      : undefined
    if (encoded?.is !== 'copied') throw new Refused('unreadable')
    return encoded
  } finally {
    await rm(intermediate, { force: true })
  }
}

/** Makes a poster of the author's thumbnail, else of a frame if ffmpeg can extract one. */
async function poster(task: MediaTask, file: string, duration: number): Promise<string | undefined> {
  const frame = `${task.output}/frame.png`
  try {
    if (task.thumbnail !== undefined) {
      const mime = (await sniff(task.thumbnail))?.mime ?? ''
      return await makePoster({ input: task.thumbnail, mime }, task.output)
    }
    const before = ['-ss', String(Math.min(THUMBNAIL_AT, duration / 2))]
    const output = ['-frames:v', '1', '-f', 'image2', '-update', '1', `file:${frame}`]
    await ffmpeg({ input: file, demuxer: ownMp4, before, output })
    // ffmpeg exits with 0 and no frame where the video is shorter than the position.
    if (!(await isWritten(frame))) return undefined
    return await makePoster({ input: frame, mime: 'image/png' }, task.output)
  } catch {
    return undefined
  } finally {
    await rm(frame, { force: true })
  }
}

/** The second task: encodes the video if it could not be copied, and makes its segments and poster. */
export async function makeVideo(task: VideoTask): Promise<MediaMade> {
  const file = playedFile(task.output)
  const demuxer = demuxerOf(task.mime)
  if (!demuxer) throw new Refused('unreadable')
  const { width, height, duration } = await play(task, demuxer, file)
  const hls = await makeHls(file, task.output, duration)
  const hash = await poster(task, file, duration)
  const drawn = hash === undefined ? { poster: false, blurred: false } : { poster: true, blurred: true, hash }
  return { width, height, duration, animated: false, made: { widths: [], ...drawn, ...(hls && { hls }) } }
}
