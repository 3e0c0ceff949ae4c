// Reads a picture's orientation from Exif, and writes Exif with the orientation alone.

/** Orientation 1 to 8 of Exif's TIFF block; 1, which is unrotated, when there is none. */
export function orientationOf(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (view.byteLength < 8) return 1
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const little = order === 0x4949
  const directory = view.getUint32(4, little)
  if (directory + 2 > view.byteLength) return 1
  const count = view.getUint16(directory, little)
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + 12 * i
    if (entry + 12 > view.byteLength) return 1
    if (view.getUint16(entry, little) !== 0x0112) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** A TIFF block with one entry: the orientation. */
export function orientationOnly(orientation: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(26)
  const view = new DataView(block.buffer)
  view.setUint16(0, 0x4d4d)
  view.setUint16(2, 42)
  view.setUint32(4, 8)
  view.setUint16(8, 1)
  view.setUint16(10, 0x0112)
  view.setUint16(12, 3)
  view.setUint32(14, 1)
  view.setUint16(18, orientation)
  return block
}
