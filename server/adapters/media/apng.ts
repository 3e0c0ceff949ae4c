// Draws the frames of an animated PNG, of which libvips reads the first alone.
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { overLimit } from '#contract/kinds/measure.ts'
import { Refused } from './task.ts'

/** All frames of a moving picture, whole, one below the other. */
export interface Frames {
  /** RGBA. */
  readonly data: Buffer
  readonly width: number
  /** Of one frame, pixels. */
  readonly height: number
  /** How long each is shown, ms. */
  readonly delay: number[]
  /** How often they are shown; 0 without end. */
  readonly loop: number
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly delay: number
  /** What becomes of its part before the next frame: 0 it stays, 1 it is cleared, 2 it becomes as it was before. */
  readonly dispose: number
  /** 0 replaces what is there, 1 is drawn over it. */
  readonly blend: number
  readonly data: Buffer[]
}

interface Chunk {
  readonly type: string
  readonly body: Buffer
}

interface Apng {
  readonly header: Buffer
  readonly loop: number
  /** Chunks that change how the pixels of each frame are read. */
  readonly shared: Chunk[]
  readonly frames: Frame[]
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const sharedTypes = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'iCCP', 'sRGB', 'sBIT'])
/** A frame of no declared length is shown for this, ms. */
const DELAY = 100

/** Chunks up to the first that is cut off. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return
    yield { type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, end - 4) }
    at = end
  }
}

function frameOf(body: Buffer): Frame {
  const [over, under] = [body.readUInt16BE(20), body.readUInt16BE(22)]
  return {
    width: body.readUInt32BE(4),
    height: body.readUInt32BE(8),
    x: body.readUInt32BE(12),
    y: body.readUInt32BE(16),
    delay: over === 0 ? DELAY : Math.max(1, Math.round((1000 * over) / (under || 100))),
    dispose: body[24] ?? 0,
    blend: body[25] ?? 0,
    data: [],
  }
}

/** Reads the chunks. The default image is a frame only where a frame control precedes it. */
function parse(bytes: Buffer): Apng | undefined {
  const shared: Chunk[] = []
  const frames: Frame[] = []
  let header: Buffer | undefined
  let loop: number | undefined
  for (const chunk of chunksOf(bytes)) {
    const { type, body } = chunk
    const last = frames.at(-1)
    // Only the first counts, whose length the recognition of the kind has checked.
    if (type === 'IHDR') header ??= body
    else if (type === 'acTL' && body.length >= 8) loop = body.readUInt32BE(4)
    else if (type === 'fcTL' && body.length >= 26) frames.push(frameOf(body))
    else if (type === 'IDAT') last?.data.push(body)
    else if (type === 'fdAT') last?.data.push(body.subarray(4))
    else if (sharedTypes.has(type) && frames.every((it) => it.data.length === 0)) shared.push(chunk)
  }
  if (!header || loop === undefined) return undefined
  return { header, loop, shared, frames: frames.filter((it) => it.data.length > 0) }
}

/** A chunk with its length and check sum. */
export function chunkBytes(type: string, body: Buffer): Buffer {
  const made = Buffer.alloc(12 + body.length)
  made.writeUInt32BE(body.length)
  made.write(type, 4, 'latin1')
  body.copy(made, 8)
  made.writeUInt32BE(crc32(made.subarray(4, 8 + body.length)), 8 + body.length)
  return made
}

/** A frame as a PNG of its own, decoded. */
async function pixelsOf({ header, shared }: Apng, { width, height, data }: Frame): Promise<Buffer> {
  const own = Buffer.from(header)
  own.writeUInt32BE(width, 0)
  own.writeUInt32BE(height, 4)
  const chunks = [
    ...shared.map((it) => chunkBytes(it.type, it.body)),
    chunkBytes('IDAT', Buffer.concat(data)),
  ]
  const png = Buffer.concat([
    SIGNATURE,
    chunkBytes('IHDR', own),
    ...chunks,
    chunkBytes('IEND', Buffer.alloc(0)),
  ])
  const image = sharp(png, { failOn: 'error' }).toColourspace('srgb').ensureAlpha()
  return image.raw({ depth: 'uchar' }).toBuffer()
}

/** Draws a frame's pixels into a picture of `across` pixels a row. */
function draw(target: Buffer, across: number, { x, y, width, height, blend }: Frame, pixels: Buffer): void {
  for (let row = 0; row < height; row++) {
    const from = row * width * 4
    const to = ((y + row) * across + x) * 4
    if (blend === 0) pixels.copy(target, to, from, from + width * 4)
    else for (let i = 0; i < width * 4; i += 4) drawOver(target, to + i, pixels, from + i)
  }
}

/** Draws one pixel over another; both have their alpha apart. */
function drawOver(target: Buffer, to: number, pixels: Buffer, from: number): void {
  const alpha = pixels[from + 3] ?? 0
  if (alpha === 0) return
  const below = ((target[to + 3] ?? 0) * (255 - alpha)) / 255
  const sum = alpha + below
  for (let i = 0; i < 3; i++)
    target[to + i] = Math.round(((pixels[from + i] ?? 0) * alpha + (target[to + i] ?? 0) * below) / sum)
  target[to + 3] = Math.round(sum)
}

/** Clears a frame's part. */
function clear(target: Buffer, across: number, { x, y, width, height }: Frame): void {
  for (let row = 0; row < height; row++) {
    const at = ((y + row) * across + x) * 4
    target.fill(0, at, at + width * 4)
  }
}

/**
 * Draws the frames of an animated PNG, up to the first that is broken.
 * @returns undefined for a PNG of one picture, and for one whose frames cannot be read at all
 * @throws Refused with `too_large` beyond the limits of moving pictures
 */
export async function drawApng(bytes: Buffer): Promise<Frames | undefined> {
  const apng = parse(bytes)
  if (!apng || apng.frames.length < 2) return undefined
  const [width, height] = [apng.header.readUInt32BE(0), apng.header.readUInt32BE(4)]
  if (overLimit({ width, height, frames: apng.frames.length })) throw new Refused('too_large')
  const size = width * height * 4
  const data = Buffer.alloc(size * apng.frames.length)
  const canvas = Buffer.alloc(size)
  let drawn = 0
  for (const frame of apng.frames) {
    const isInside = frame.x + frame.width <= width && frame.y + frame.height <= height
    const pixels = isInside ? await pixelsOf(apng, frame).catch(() => undefined) : undefined
    if (pixels?.length !== frame.width * frame.height * 4) break
    const before = frame.dispose === 2 ? Buffer.from(canvas) : undefined
    draw(canvas, width, frame, pixels)
    canvas.copy(data, drawn * size)
    drawn += 1
    if (before) before.copy(canvas)
    else if (frame.dispose === 1) clear(canvas, width, frame)
  }
  if (drawn < 2) return undefined
  const delay = apng.frames.slice(0, drawn).map((it) => it.delay)
  return { data: data.subarray(0, drawn * size), width, height, delay, loop: apng.loop }
}
