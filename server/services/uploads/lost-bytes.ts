// Tells whether the store of an upload has lost its bytes.
import { LostBytes } from '#server/adapters/files/upload-bytes.ts'

/** Whether the error says that an upload has no bytes any more and is sent again from its beginning. */
export const isLostBytes = (error: unknown): boolean => error instanceof LostBytes
