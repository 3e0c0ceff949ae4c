// The port to the notices on the desktop, connected by `sw-bridge.ts`.

export const noticesPort: {
  /** Closes the notices of read notifications; without ids, of all that are read by now. */
  read: (ids: readonly string[]) => void
} = { read: () => undefined }
