// Cleans file names of uploads before they are stored.

/** Longest name on file systems, UTF-16 units. */
const MAX_LENGTH = 255

/** A name without NUL, of bounded length. The end stays, since it has the extension. */
export function storedName(name: string): string {
  return name.slice(-MAX_LENGTH).replaceAll('\0', '').toWellFormed()
}
