// Cleans file names and other texts about an upload before they are stored.

/** Longest name that file systems have, UTF-16 units. */
const MOST = 255

/** A name without NUL, of bounded length. The end stays, since it has the extension. */
export function storedName(name: string): string {
  return name.slice(-MOST).replaceAll('\0', '').toWellFormed()
}
