// Requests to the picture workers, and their replies.

/** Longest side of a photo that is sent, px. */
export const LONGEST_SENT = 2560

export interface PhotoRequest {
  file: Blob
  /** Longest side of the result, px; null for the original size. */
  longest: number | null
  /** MIME type of the result, if the browser can write it. */
  type: string
  /** Whether a picture that is small enough is drawn too. */
  always: boolean
  /** Whether the values are those of Display P3, without a profile in the file. */
  isDisplayP3?: boolean
  /** Exif's orientation of a picture whose file does not name it, 1 to 8. */
  orientation?: number
}

/** A moving AVIF, of which an animated WebP is to be drawn. */
export interface MovingRequest {
  moving: Blob
}

export interface HeicRequest {
  file: Blob
  longest: number | null
}

export type PictureReply =
  | { is: 'drawn'; picture: Blob }
  /** The picture is not longer than requested. */
  | { is: 'small' }
  /** The bytes could not be read as a picture. */
  | { is: 'failed'; why: string }
  /** The decoder itself did not start. */
  | { is: 'unstarted'; why: string }
