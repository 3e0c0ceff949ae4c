// Detects a HEIC in Display P3, whose colour space libheif does not report.

/** Colour boxes are in the first part of the file, before the picture's data. */
const HEAD = 65_536
/** Colour primaries of SMPTE EG 432-1, Display P3 (ISO 23091-2). */
const P3_PRIMARIES = 12

/** Searches for a Display P3 profile, or for its primaries in an `nclx` box. */
export function isDisplayP3(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD))
  const utf16 = Array.from('Display P3').join('\0')
  if (head.includes('Display P3') || head.includes(utf16)) return true
  const box = head.indexOf('colrnclx')
  return box >= 0 && head.charCodeAt(box + 8) === 0 && head.charCodeAt(box + 9) === P3_PRIMARIES
}
