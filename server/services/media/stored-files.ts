// Stores files together with the transaction that refers to them.
import { OutcomeUnknown } from '#server/adapters/database/outcome.ts'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'

export interface FileToStore {
  readonly key: ObjectKey
  /** Path of the temporary file. */
  readonly file: string
}

type Objects = Pick<ObjectStore, 'put' | 'remove'>

/**
 * Stores files durably, and then runs the transaction that refers to them. They are removed when it has surely written nothing. When
 * its outcome is unknown they stay: without a row the sweep of uploads removes them later.
 * @param refersTo whether the result of the transaction refers to the files
 */
export async function withStoredFiles<T>(
  objects: Objects,
  files: readonly FileToStore[],
  { transaction, refersTo }: { transaction: () => Promise<T>; refersTo: (result: T) => boolean },
): Promise<T> {
  const stored: ObjectKey[] = []
  const removeStored = () => Promise.allSettled(stored.map((key) => objects.remove(key, 'at_once')))
  try {
    for (const { key, file } of files) {
      stored.push(key)
      await objects.put(key, file)
    }
    const result = await transaction()
    if (!refersTo(result)) await removeStored()
    return result
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await removeStored()
    throw error
  }
}
