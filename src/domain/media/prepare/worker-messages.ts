// What the page asks of the picture workers, and what they answer.

/** Longest side of a photo that is sent, px. */
export const LONGEST_SENT = 2560

export interface PhotoRequest {
  file: Blob
  /** Longest side of what is made, px; null for the size it was taken in. */
  longest: number | null
  /** The type that is made, if the browser can write it. */
  type: string
  /** Draw it even when it is no longer than that. */
  always: boolean
  /** Its values are those of Display P3, which the file does not say. */
  isDisplayP3?: boolean
}

export interface HeicRequest {
  file: Blob
  longest: number | null
}

export type PictureReply =
  | { is: 'drawn'; picture: Blob }
  /** It is not longer than requested. */
  | { is: 'small' }
  /** The bytes could not be read as a picture. */
  | { is: 'failed'; why: string }
  /** The decoder itself did not start. */
  | { is: 'unstarted'; why: string }
