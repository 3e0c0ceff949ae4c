// The version of what makes media: a newer one may take refused files.

/**
 * Raise it when files that were `unreadable` or `too_large` may succeed: their authors are offered to process them again.
 * Files that were refused before versions were recorded have 1.
 *
 * 2: pictures that are cut off, moving PNGs, strips and panoramas.
 */
export const MAKER_VERSION = 2
