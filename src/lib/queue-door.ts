// The door to the device's queue, for what stands below it: opened when the queue is (sw-bridge.ts).

export const queueDoor: {
  /** Something was queued: it is to be sent, with this page open or not. */
  ring: () => void
} = { ring: () => undefined }
