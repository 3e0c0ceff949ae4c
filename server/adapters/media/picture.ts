// Makes webp copies of a picture in a few widths, and a blurred one.
import { readFile, stat } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { overLimit } from '#contract/kinds/measure.ts'
import { isPanorama } from '#contract/kinds/long-pictures.ts'
import { MAX_PIXELS } from '#contract/limits.ts'
import { decodeHeic } from './heic.ts'
import { drawApng, type Frames } from './apng.ts'
import { cutStrip } from './strips.ts'
import { endedPng } from './cut-png.ts'
import { formatOf, onlyLoader } from './loaders.ts'
import { type MediaMade, type MediaTask, Refused, widths } from './task.ts'

/** Largest SVG that is drawn, bytes. */
const MAX_SVG = 5 * 1024 * 1024
/** Largest animated PNG, bytes: it is read into memory. */
const MAX_APNG = 100 * 1024 * 1024
/** Width of the first frame of a moving picture, pixels. */
const STILL_WIDTH = 960
/** Heights of the copies of a panorama: for lists, and for the viewer. */
const panoramaHeights = [480, 1080]
/** Longest side of a WebP, pixels. */
const WIDEST = 16_383
const BLUR_FROM = 32
const BLUR_TO = 480
/** Longer side of the picture for a ThumbHash, pixels; the library refuses larger ones. */
const HASH_FROM = 100

sharp.cache(false)
sharp.concurrency(1)

const isHeic = (mime: string) => /^image\/hei[cf]/.test(mime)

interface Source {
  open(animated?: boolean): Sharp
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** How the frames are shown, where the pixels do not say it. */
  readonly timing?: Pick<Frames, 'delay' | 'loop'>
}

async function heicSource(file: string): Promise<Source> {
  const { data, width, height } = await decodeHeic(file)
  const open = () => sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_PIXELS })
  return { open, width, height, animated: false }
}

/** The frames of an animated PNG; undefined for any other, and for one that is too large to be one. */
async function apngSource(file: string): Promise<Source | undefined> {
  if ((await stat(file)).size > MAX_APNG) return undefined
  const frames = await drawApng(await readFile(file))
  if (!frames) return undefined
  const { data, width, height, delay, loop } = frames
  const open = (all = false) =>
    all
      ? sharp(data, {
          raw: { width, height: height * delay.length, channels: 4, pageHeight: height },
          animated: true,
          limitInputPixels: MAX_PIXELS,
        })
      : sharp(data.subarray(0, width * height * 4), { raw: { width, height, channels: 4 } })
  return { open, width, height, animated: true, timing: { delay, loop } }
}

async function sourceOf(task: Pick<MediaTask, 'input' | 'mime'>): Promise<Source> {
  if (isHeic(task.mime)) return heicSource(task.input)
  const format = formatOf(task.mime)
  if (!format) throw new Refused('unreadable')
  onlyLoader(format)
  const moving = format === 'png' ? await apngSource(task.input) : undefined
  if (moving) return moving
  const isSvg = format === 'svg'
  if (isSvg && (await stat(task.input)).size > MAX_SVG) throw new Refused('too_large')
  // Read from memory, an SVG has no folder from which it could include other files.
  const ended = format === 'png' ? await endedPng(task.input) : undefined
  const input = isSvg ? await readFile(task.input) : (ended ?? task.input)
  const options = {
    limitInputPixels: MAX_PIXELS,
    // What is there of a file that was cut off is shown.
    failOn: 'none' as const,
    ...(isSvg ? { density: 144 } : {}),
  }
  const { autoOrient, pages = 1, format: found } = await sharp(input, options).metadata()
  if (found !== format) throw new Refused('unreadable')
  if (overLimit({ ...autoOrient, frames: pages })) throw new Refused('too_large')
  const animated = pages > 1
  const open = (all = false) =>
    all && animated ? sharp(input, { ...options, animated: true }) : sharp(input, options).autoOrient()
  return { open, width: autoOrient.width, height: autoOrient.height, animated }
}

async function writeWidth(source: Source, width: number, file: string): Promise<void> {
  await source
    .open(true)
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: 80, effort: 2, ...source.timing })
    .toFile(file)
}

/** Writes a picture, or the first frame of a moving one: for people who have reduced motion, for cards and posters. */
async function writeStill(source: Source, width: number, file: string): Promise<void> {
  await source
    .open()
    .resize({ width, height: WIDEST, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toFile(file)
}

/** Writes a blurred copy of 32 pixels of the picture, from which no detail can be restored. */
async function writeBlurred(source: Source, file: string): Promise<void> {
  const small = await source
    .open()
    .resize({ width: BLUR_FROM, height: BLUR_FROM, fit: 'inside' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = small.info
  const drawn = sharp(small.data, { raw: { width, height, channels } })
  await drawn.resize({ width: BLUR_TO, kernel: 'cubic' }).blur(14).webp({ quality: 50 }).toFile(file)
}

/** The picture's ThumbHash, base64. */
async function hashOf(source: Source): Promise<string> {
  const small = source
    .open()
    .resize({ width: HASH_FROM, height: HASH_FROM, fit: 'inside' })
    .toColourspace('srgb')
  const { data, info } = await small.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

/** The widths of a picture's copies; those of a panorama are as wide as its height needs. */
function widthsOf(source: Source): number[] {
  const made: number[] = widths.filter((_, i) => i === 0 || source.width > (widths[i - 1] ?? 0))
  if (!isPanorama(source) || source.animated) return made
  const wide = panoramaHeights.map((it) =>
    Math.min(WIDEST, source.width, Math.round((it * source.width) / source.height)),
  )
  return [...new Set([...made, ...wide.filter((it) => it > (made.at(-1) ?? 0))])]
}

/** The error to throw: a refusal for errors of the decoder; errors of the disk, which may be temporary, unchanged. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refused || (error instanceof Error && 'code' in error)) return error
  const tooLarge =
    error instanceof Error && /pixel limit|out of memory|too large for the/i.test(error.message)
  return new Refused(tooLarge ? 'too_large' : 'unreadable', { cause: error })
}

export async function makePicture(task: MediaTask): Promise<MediaMade> {
  try {
    const source = await sourceOf(task)
    const strip = source.animated ? undefined : await cutStrip(source, task.output)
    // Lists and cards show the top of a strip alone.
    const shown: Source = strip ? { ...strip.top, animated: false } : source
    const made = widthsOf(shown)
    for (const width of made) await writeWidth(shown, width, `${task.output}/w${width}.webp`)
    await writeBlurred(shown, `${task.output}/blurred.webp`)
    if (source.animated) await writeStill(source, STILL_WIDTH, `${task.output}/still.webp`)
    const { width, height, animated } = source
    return {
      width,
      height,
      duration: null,
      animated,
      made: {
        widths: made,
        poster: false,
        blurred: true,
        hash: await hashOf(shown),
        ...(animated && { still: true }),
        ...(strip && { parts: strip.parts }),
      },
    }
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Makes a video's poster and its blurred copy from a picture. @returns the ThumbHash, base64 */
export async function makePoster(picture: { input: string; mime: string }, output: string): Promise<string> {
  const source = await sourceOf(picture)
  await writeStill(source, 1280, `${output}/poster.webp`)
  await writeBlurred(source, `${output}/blurred.webp`)
  return hashOf(source)
}
