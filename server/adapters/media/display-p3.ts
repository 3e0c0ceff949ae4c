// Display P3, the colours of phones: whether a HEIC's pixels are meant so, and what they are in sRGB.

/** Colour boxes are in the first part of the file, before the picture's data. */
const HEAD = 65_536
/** Colour primaries of SMPTE EG 432-1, Display P3 (ISO 23091-2). */
const P3_PRIMARIES = 12

/** Looks for a colour profile of this name, or for its primaries in an `nclx` box. */
export function isDisplayP3(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD).toString('latin1')
  if (head.includes('Display P3') || head.includes(Array.from('Display P3').join('\0'))) return true
  const box = head.indexOf('colrnclx')
  return box >= 0 && head.charCodeAt(box + 8) === 0 && head.charCodeAt(box + 9) === P3_PRIMARIES
}

/** Both spaces bend their values by the same curve: value of a byte in light, and back from light in steps. */
const STEPS = 8192
const light = Float32Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})
const byteOf = Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
  const value = step / STEPS
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
})

const bent = (value: number): number =>
  byteOf[value <= 0 ? 0 : value >= 1 ? STEPS : Math.round(value * STEPS)] ?? 0

/** Changes RGBA pixels in place; what sRGB cannot show becomes the nearest it can. */
export function toSrgb(pixels: Uint8Array | Uint8ClampedArray): void {
  for (let i = 0; i + 2 < pixels.length; i += 4) {
    const r = light[pixels[i] ?? 0] ?? 0
    const g = light[pixels[i + 1] ?? 0] ?? 0
    const b = light[pixels[i + 2] ?? 0] ?? 0
    pixels[i] = bent(1.224_940_2 * r - 0.224_940_2 * g)
    pixels[i + 1] = bent(1.042_057 * g - 0.042_057 * r)
    pixels[i + 2] = bent(1.098_273_6 * b - 0.019_637_6 * r - 0.078_636 * g)
  }
}
