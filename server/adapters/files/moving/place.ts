// What a place of objects does for a move, beside being a store.
import type { ObjectKey, Prefix } from '#server/adapters/files/object-store.ts'

export interface MovePlace {
  /** All keys below a prefix, some hundred at once. */
  keys(prefix: Prefix): AsyncGenerator<readonly ObjectKey[], void>
  /**
   * Stores a local file, unless there is an object with the key; durable when it returns.
   * @returns a mark by which the object is recognised, undefined when there was one
   */
  putOnce(key: ObjectKey, file: string): Promise<string | undefined>
  /** Whether the object is the one that was put with this mark. */
  isMarked(key: ObjectKey, mark: string): Promise<boolean>
  /** Removes an object, and folders that are empty then. */
  removeMoved(key: ObjectKey): Promise<void>
}
