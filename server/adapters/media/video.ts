// Videos: the file browsers play, and its poster.
import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { THUMBNAIL_AT } from '#contract/limits.ts'
import { makePoster } from './picture.ts'
import { type Remuxed, remux } from './remux.ts'
import { type MediaMade, type MediaTask, Refused } from './task.ts'

const run = promisify(execFile)

/** Longest ffmpeg may take, ms: less than this process has, so that it is never left behind. */
const PATIENCE = 14 * 60_000

/** Runs ffmpeg where there is one. @returns false when there is none or it could not */
async function ffmpeg(...args: string[]): Promise<boolean> {
  // A file people sent may name other files or addresses: only this one is opened.
  const guarded = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-protocol_whitelist', 'file,pipe']
  const options = { maxBuffer: 1024 * 1024, timeout: PATIENCE, killSignal: 'SIGKILL' as const }
  return run('ffmpeg', [...guarded, ...args], options).then(
    () => true,
    () => false,
  )
}

const isThere = (file: string) =>
  stat(file).then(
    (it) => it.size > 0,
    () => false,
  )

async function play(task: MediaTask, file: string): Promise<Remuxed> {
  const copied = await remux(task.input, file).catch(() => undefined)
  if (copied) return copied
  const between = `${task.output}/between.mp4`
  const encode = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '22',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  // A raw stream has no extension to tell ffmpeg what it is.
  const format = task.mime === 'video/hevc' ? ['-f', 'hevc'] : []
  const even = 'scale=trunc(iw/2)*2:trunc(ih/2)*2'
  await ffmpeg(...format, '-i', task.input, '-map_metadata', '-1', '-vf', even, ...encode, between)
  const encoded = (await isThere(between)) ? await remux(between, file) : undefined
  await rm(between, { force: true })
  if (!encoded) throw new Refused('neither copied nor encoded')
  return encoded
}

/** The thumbnail its author chose, else a frame where ffmpeg can take one. */
async function poster(task: MediaTask, file: string, duration: number): Promise<boolean> {
  const frame = `${task.output}/frame.png`
  try {
    if (task.thumbnail !== undefined) {
      await makePoster({ input: task.thumbnail, mime: '' }, task.output)
      return true
    }
    await ffmpeg('-ss', String(Math.min(THUMBNAIL_AT, duration / 2)), '-i', file, '-frames:v', '1', frame)
    // ffmpeg ends well without a frame where the video is shorter than it was asked for.
    if (!(await isThere(frame))) return false
    await makePoster({ input: frame, mime: 'image/png' }, task.output)
    return true
  } catch {
    return false
  } finally {
    await rm(frame, { force: true })
  }
}

export async function makeVideo(task: MediaTask): Promise<MediaMade> {
  const file = `${task.output}/play.mp4`
  const { width, height, duration } = await play(task, file)
  const drawn = await poster(task, file, duration)
  return { width, height, duration, animated: false, made: { widths: [], poster: drawn, blurred: drawn } }
}
