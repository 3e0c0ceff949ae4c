// Writes an animated PNG, for tests: sharp writes none.
import { crc32, deflateSync } from 'node:zlib'

/** One frame of one colour. */
export interface DrawnFrame {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  /** Red, green, blue and alpha. */
  readonly colour: readonly [number, number, number, number]
  /** ms. */
  readonly delay?: number
  readonly dispose?: 0 | 1 | 2
  readonly blend?: 0 | 1
}

function chunk(type: string, body: Buffer): Buffer {
  const made = Buffer.alloc(12 + body.length)
  made.writeUInt32BE(body.length)
  made.write(type, 4, 'latin1')
  body.copy(made, 8)
  made.writeUInt32BE(crc32(made.subarray(4, 8 + body.length)), 8 + body.length)
  return made
}

function control(sequence: number, frame: DrawnFrame): Buffer {
  const { x = 0, y = 0, width, height, delay = 100, dispose = 0, blend = 0 } = frame
  const body = Buffer.alloc(26)
  for (const [i, it] of [sequence, width, height, x, y].entries()) body.writeUInt32BE(it, i * 4)
  body.writeUInt16BE(delay, 20)
  body.writeUInt16BE(1000, 22)
  body[24] = dispose
  body[25] = blend
  return body
}

/** Rows of one colour, each with the filter that changes nothing. */
function pixels({ width, height, colour }: DrawnFrame): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  return deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
}

/** An animated PNG of 8-bit RGBA as large as its first frame. */
export function animatedPng(frames: readonly [DrawnFrame, ...DrawnFrame[]], loop = 0): Buffer {
  const header = Buffer.from('00000000000000000806000000', 'hex')
  header.writeUInt32BE(frames[0].width, 0)
  header.writeUInt32BE(frames[0].height, 4)
  const count = Buffer.alloc(8)
  count.writeUInt32BE(frames.length, 0)
  count.writeUInt32BE(loop, 4)
  let sequence = 0
  const drawn = frames.flatMap((frame, i) => {
    const head = chunk('fcTL', control(sequence++, frame))
    if (i === 0) return [head, chunk('IDAT', pixels(frame))]
    const number = Buffer.alloc(4)
    number.writeUInt32BE(sequence++)
    return [head, chunk('fdAT', Buffer.concat([number, pixels(frame)]))]
  })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const all = [chunk('IHDR', header), chunk('acTL', count), ...drawn, chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...all])
}
