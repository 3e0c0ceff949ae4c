// The door to the notices on the desktop, for what stands below it: opened with the worker (sw-bridge.ts).

export const noticeDoor: {
  /** Lines were read here; with no names: fewer are unread than were known to be. */
  read: (ids: readonly string[]) => void
} = { read: () => undefined }
