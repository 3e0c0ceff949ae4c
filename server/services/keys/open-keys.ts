// Opens the keys of a server, and compares them with those of the other servers.
import {
  createSecrets,
  type GivenKeys,
  hasMasterKey,
  type KeyFile,
  openKeyFile,
  removeKeyFile,
} from '#server/adapters/master-keys.ts'
import {
  loadVapid,
  readVapid,
  removeVapid,
  vapidFingerprintOf,
  type VapidKeys,
} from '#server/adapters/push/vapid.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import { readServerKey, type ServerKeyName } from '#server/store/keys/server-keys.ts'
import { KeysDiffer, KeysMissing, mustEqualOthers } from './equal-keys.ts'
import { loadRetainedKeys } from './retained.ts'

export interface Keys {
  readonly secrets: Secrets
  /** The file of the master keys; undefined when the environment gives them. */
  readonly keyFile: KeyFile | undefined
}

interface Source<K> {
  /** Keys of the environment or the data folder. */
  find(): Promise<K | undefined>
  /** Makes keys in the data folder. */
  make(): Promise<K>
  /** Removes what `make` has made. */
  unmake(): Promise<void>
  compare(keys: K): Promise<void>
}

/**
 * A key is made only for a database that has none, so that a process with a wrong folder or without its environment leaves
 * no key that could be taken for the one of the site.
 */
async function openOnce<K>(db: Db, name: ServerKeyName, source: Source<K>): Promise<K> {
  const found = await source.find()
  if (found !== undefined) {
    await source.compare(found)
    return found
  }
  const stored = await readServerKey(db, name)
  if (stored !== undefined) throw new KeysMissing(name, stored)
  const made = await source.make()
  try {
    await source.compare(made)
    return made
  } catch (error) {
    if (!(error instanceof KeysDiffer)) throw error
    // Another server was first, so that nothing has this key.
    await source.unmake()
    throw new KeysMissing(name, error.stored)
  }
}

/**
 * @param folder the data folder
 * @throws WrongMasterKey when they are not those of the database
 * @throws KeysDiffer when the last started server had a present key that this one cannot read
 * @throws KeysMissing when it had a key, and neither the environment nor the folder has one
 */
export async function openKeys(db: Db, folder: string, given: Partial<GivenKeys>): Promise<Keys> {
  const keys: GivenKeys = { present: '', others: '', ...given }
  const make = () => createSecrets(folder, keys)
  const secrets = await openOnce(db, 'master', {
    find: async () => ((await hasMasterKey(folder, keys)) ? make() : undefined),
    make,
    unmake: () => removeKeyFile(folder),
    async compare(it) {
      await loadRetainedKeys(db, it)
      const [present, ...read] = it.keys.map((key) => key.fingerprint)
      await mustEqualOthers(db, 'master', { present: present ?? '', others: read })
    },
  })
  return { secrets, keyFile: openKeyFile(folder, keys) }
}

/**
 * @param folder the data folder
 * @param given keys of the environment, which take precedence
 * @throws KeysDiffer when the last started server had other keys
 * @throws KeysMissing when it had keys, and neither the environment nor the folder has any
 */
export function openVapid(db: Db, folder: string, given: VapidKeys | undefined): Promise<VapidKeys> {
  return openOnce(db, 'vapid', {
    find: async () => given ?? (await readVapid(folder)),
    make: () => loadVapid(folder),
    unmake: () => removeVapid(folder),
    compare: (it) => mustEqualOthers(db, 'vapid', { present: vapidFingerprintOf(it), others: [] }),
  })
}
