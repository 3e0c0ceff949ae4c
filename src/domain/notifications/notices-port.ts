// The port to the notices on the desktop, connected by `sw-bridge.ts`.

export const noticesPort: {
  /** Closes the notices of read notifications; without ids, of all notifications and conversations that are read by now. */
  read: (ids: readonly string[]) => void
  /** Closes the notice of the conversation with a person, which was opened or read here. */
  readConversation: (userId: string) => void
} = { read: () => undefined, readConversation: () => undefined }
