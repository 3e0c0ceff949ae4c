// Converts a video to a file that browsers play, and makes its poster.
import { rm, stat } from 'node:fs/promises'
import { THUMBNAIL_AT } from '#contract/limits.ts'
import { sniff } from '#server/adapters/files/sniff.ts'
import { type Demuxer, demuxerOf, ownMp4 } from './demuxer.ts'
import { canToneMap, hdrOf, mapOf, pictureArgs, transferOf } from './encoding.ts'
import { ffmpeg, hasFfmpeg } from './ffmpeg.ts'
import { makeHls } from './hls.ts'
import { makePoster } from './picture.ts'
import { remux } from './remux.ts'
import {
  type CopyAnswer,
  type CopyTask,
  type MediaMade,
  type MediaTask,
  Refused,
  type Shown,
} from './task.ts'

const isWritten = (file: string) =>
  stat(file).then(
    (it) => it.size > 0,
    () => false,
  )

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

const copiesPicture = (copied: CopyAnswer) => copied.is === 'unplayable' && copied.videoPlays

/** How ffmpeg makes the picture. @throws Refused for HDR without the filters that make Rec. 709 of it */
async function pictureOf(task: VideoTask, demuxer: Demuxer, shown: Shown): Promise<string[]> {
  if (copiesPicture(task.copied)) return ['-c:v', 'copy']
  const hdr = await hdrOf({ input: task.input, demuxer, shown }, task.output)
  if (hdr && !(await canToneMap())) throw new Refused('needs_converter')
  return pictureArgs(shown, hdr)
}

async function play(task: VideoTask, demuxer: Demuxer, file: string): Promise<Copied> {
  const { input, copied } = task
  if (copied.is === 'copied') return copied
  if (!(await hasFfmpeg())) throw new Refused(copied.is === 'unreadable' ? 'unreadable' : 'needs_converter')
  const intermediate = `${task.output}/intermediate.mp4`
  const shown = copied.is === 'unplayable' ? copied.shown : {}
  const picture = await pictureOf(task, demuxer, shown)
  const sound = ['-c:a', 'aac', '-ac', '2']
  const format = ['-map_metadata', '-1', '-map_chapters', '-1', '-f', 'mp4', `file:${intermediate}`]
  const output = [...mapOf(shown), ...picture, ...sound, ...format]
  const end = await ffmpeg({ input, demuxer, output })
  try {
    if (end === 'late') throw new Refused('gave_up')
    if (!(await isWritten(intermediate))) throw new Refused('unreadable')
    // Its first frame was not read in time, as on a busy machine: a further attempt may read it.
    if (!copiesPicture(copied) && (await transferOf(intermediate))) throw new Error('HDR was not converted')
    const encoded = await remux(intermediate, ownMp4.formats, file)
    if (encoded.is !== 'copied') throw new Refused('unreadable')
    return encoded
  } finally {
    await rm(intermediate, { force: true })
  }
}

/** Of square pixels, since a PNG's are. */
const square = 'scale=w=trunc(iw*max(sar\\,1)):h=trunc(ih/min(sar\\,1)),setsar=1'

/** Makes a poster of the author's thumbnail, else of a frame if ffmpeg can extract one. */
async function poster(
  task: MediaTask,
  file: string,
  { duration, isHdr }: Copied,
): Promise<string | undefined> {
  const frame = `${task.output}/frame.png`
  try {
    if (task.thumbnail !== undefined) {
      const mime = (await sniff(task.thumbnail))?.mime ?? ''
      return await makePoster({ input: task.thumbnail, mime }, task.output)
    }
    // Its values would be drawn as those of Rec. 709: grey and without colour.
    if (isHdr) return undefined
    const before = ['-ss', String(Math.min(THUMBNAIL_AT, duration / 2))]
    const output = ['-vf', square, '-frames:v', '1', '-f', 'image2', '-update', '1', `file:${frame}`]
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
  const played = await play(task, demuxer, file)
  const { width, height, duration } = played
  const hls = await makeHls(file, task.output, duration)
  const hash = await poster(task, file, played)
  const drawn = hash === undefined ? { poster: false, blurred: false } : { poster: true, blurred: true, hash }
  return { width, height, duration, animated: false, made: { widths: [], ...drawn, ...(hls && { hls }) } }
}
