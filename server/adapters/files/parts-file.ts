// The file of an upload whose parts arrive in any order.
// It has another name than the upload until all of them are there, so that no reader takes its holes for bytes.

const SUFFIX = '.parts'

/** @param file path or name of the upload's file */
export const partsFileOf = (file: string): string => file + SUFFIX

/** Whether a file has parts of an upload that is not finished. */
export const isPartsFile = (name: string): boolean => name.endsWith(SUFFIX)

/** The name of the upload to which a file belongs. */
export const uploadOfFile = (name: string): string =>
  isPartsFile(name) ? name.slice(0, -SUFFIX.length) : name
