// The port to notifications shown on the desktop; `sw-bridge.ts` connects it.

export const noticesPort: {
  /** Lines were read here; with no names: fewer are unread than were known to be. */
  read: (ids: readonly string[]) => void
} = { read: () => undefined }
