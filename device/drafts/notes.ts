// Short notes of a person, such as an unfinished comment, under a name.
import * as v from 'valibot'
import { transact, type Tx } from '#device/database/database.ts'

const keyOf = (ownerId: string, name: string): string => `note:${ownerId}:${name}`

/** Reads a note; `undefined` when there is none or it does not match the schema. */
export async function readNote<S extends v.GenericSchema>(
  ownerId: string,
  name: string,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  const raw = await transact(['settings'], 'readonly', (tx) =>
    tx.objectStore('settings').get(keyOf(ownerId, name)),
  )
  const parsed = v.safeParse(schema, raw)
  return parsed.success ? parsed.output : undefined
}

/** Writes a note, so that it survives the end of the browser's process. */
export async function writeNote(ownerId: string, name: string, value: unknown): Promise<void> {
  const key = keyOf(ownerId, name)
  await transact(['settings'], 'readwrite', (tx) => tx.objectStore('settings').put(value, key), 'relaxed')
}

/** Deletes a note. */
export async function dropNote(ownerId: string, name: string): Promise<void> {
  const key = keyOf(ownerId, name)
  await transact(['settings'], 'readwrite', (tx) => tx.objectStore('settings').delete(key), 'relaxed')
}

/** Deletes all notes of a person, inside a transaction over `settings`. */
export async function eraseNotesIn(tx: Tx, ownerId: string): Promise<void> {
  const prefix = keyOf(ownerId, '')
  await tx.objectStore('settings').delete(IDBKeyRange.bound(prefix, `${prefix}\uFFFF`))
}
