// The port to the device's queue for code beneath it; `sw-bridge.ts` connects it.
import type { NewMutation } from '#device/mutations/mutations.ts'

export const queuePort: {
  /** Something was queued: it is to be sent, with this page open or not. */
  ring: () => void
  /** This page goes, and these mutations of a person's may not be on the device yet: the worker stores them. */
  leave: (userId: string, acts: readonly (NewMutation & { readonly id: string })[]) => void
} = { ring: () => undefined, leave: () => undefined }
