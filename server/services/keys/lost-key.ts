// Removes what the database has of a key that no server has any more.
import type { Db } from '#server/store/database.ts'
import { removeRetainedKeys } from '#server/store/keys/retained-keys.ts'
import { readServerKeys, removeServerKey } from '#server/store/keys/server-keys.ts'

/**
 * The next server that starts has its own key stored. Derived keys that a lost master key encrypted are removed first,
 * since a server does not start while it cannot open them. It may be repeated.
 */
export async function removeLostKey(db: Db, fingerprint: string): Promise<void> {
  const found = (await readServerKeys(db)).find((it) => it.fingerprint === fingerprint)
  if (found?.name === 'master') await removeRetainedKeys(db)
  await removeServerKey(db, fingerprint)
}
