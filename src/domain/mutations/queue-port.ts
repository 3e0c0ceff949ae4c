// The door to the device's queue, for what stands below it: opened when the queue is (sw-bridge.ts).
import type { NewAct } from '#device/mutations/mutations.ts'

export const queueDoor: {
  /** Something was queued: it is to be sent, with this page open or not. */
  ring: () => void
  /** This page goes, and these acts of a person's may not be on the device yet: the worker stores them. */
  leave: (userId: string, acts: readonly (NewAct & { readonly id: string })[]) => void
} = { ring: () => undefined, leave: () => undefined }
