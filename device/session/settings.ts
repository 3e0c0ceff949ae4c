// Small values of this device without an owner.
import * as v from 'valibot'
import { transact } from '#device/database/database.ts'

/** Reads a setting; `undefined` when it is not there or does not fit the schema. */
export async function readSetting<S extends v.GenericSchema>(
  key: string,
  schema: S,
): Promise<v.InferOutput<S> | undefined> {
  const raw = await transact(['settings'], 'readonly', (tx) => tx.objectStore('settings').get(key))
  const parsed = v.safeParse(schema, raw)
  return parsed.success ? parsed.output : undefined
}

/** Writes a setting. */
export async function writeSetting(key: string, value: unknown): Promise<void> {
  await transact(['settings'], 'readwrite', (tx) => tx.objectStore('settings').put(value, key))
}
