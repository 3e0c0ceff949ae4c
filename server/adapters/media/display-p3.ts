// Detects the colour space Display P3 in a HEIC, and converts its pixels to sRGB.

/** Bytes of the beginning of the file, which contains the colour boxes. */
const HEAD = 65_536
/** Colour primaries of SMPTE EG 432-1, Display P3 (ISO 23091-2). */
const P3_PRIMARIES = 12

/** Whether the file has a colour profile of this name, or its primaries in an `nclx` box. */
export function isDisplayP3(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD).toString('latin1')
  if (head.includes('Display P3') || head.includes(Array.from('Display P3').join('\0'))) return true
  const box = head.indexOf('colrnclx')
  return box >= 0 && head.charCodeAt(box + 8) === 0 && head.charCodeAt(box + 9) === P3_PRIMARIES
}

/** Both colour spaces have the same transfer curve. These tables convert bytes to linear linearOf, and back in steps. */
const STEPS = 8192
const linearOf = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})
const byteOf = Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
  const value = step / STEPS
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
})

const encoded = (value: number): number =>
  byteOf[value <= 0 ? 0 : value >= 1 ? STEPS : Math.round(value * STEPS)] ?? 0

/** Converts RGBA pixels in place; colours outside sRGB become the nearest inside. */
export function toSrgb(pixels: Uint8Array | Uint8ClampedArray): void {
  for (let i = 0; i + 2 < pixels.length; i += 4) {
    const r = linearOf[pixels[i] ?? 0] ?? 0
    const g = linearOf[pixels[i + 1] ?? 0] ?? 0
    const b = linearOf[pixels[i + 2] ?? 0] ?? 0
    pixels[i] = encoded(1.224_940_2 * r - 0.224_940_2 * g)
    pixels[i + 1] = encoded(1.042_057 * g - 0.042_057 * r)
    pixels[i + 2] = encoded(1.098_273_6 * b - 0.019_637_6 * r - 0.078_636 * g)
  }
}
