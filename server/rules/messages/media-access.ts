// Decides who sees the images and videos of a message.

/** What decides whether one of the two people sees the media of a message that they see. */
export interface Showing {
  readonly isSender: boolean
  /** The viewer's state in the conversation. */
  readonly state: 'received' | 'requested' | 'accepted' | 'declined'
}

/** Media of a message request are shown to its sender alone, until its recipient has accepted it. */
export const showsMedia = ({ isSender, state }: Showing): boolean =>
  isSender || state === 'received' || state === 'accepted'

/** What decides whether one of the two people may read the files of a message. */
export interface FileReading extends Showing {
  /** The viewer is neither leaving, suspended nor deleted. */
  readonly isPresent: boolean
  /** One of the two has blocked the other. */
  readonly isBlocked: boolean
  readonly isUnsent: boolean
  /** The viewer has deleted the message, or all messages up to it, for themselves. */
  readonly isHidden: boolean
}

/**
 * Whether a viewer may read the files of a message.
 * @param reading undefined for everyone but the two people of the conversation, admins included
 */
export const mayReadFiles = (reading: FileReading | undefined): boolean =>
  reading !== undefined &&
  reading.isPresent &&
  !reading.isBlocked &&
  !reading.isUnsent &&
  !reading.isHidden &&
  showsMedia(reading)
