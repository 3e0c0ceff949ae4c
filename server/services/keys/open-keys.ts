// Opens the keys of a server, and compares them with those of the other servers.
import { createSecrets, type GivenKeys, type KeyFile, openKeyFile } from '#server/adapters/master-keys.ts'
import { loadVapid, vapidFingerprintOf, type VapidKeys } from '#server/adapters/push/vapid.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import { mustEqualOthers } from './equal-keys.ts'
import { loadRetainedKeys } from './retained.ts'

export interface Keys {
  readonly secrets: Secrets
  /** The file of the master keys; undefined when the environment gives them. */
  readonly keyFile: KeyFile | undefined
}

export interface KeysOfEnvironment extends GivenKeys {
  /** REPLACED_KEYS: fingerprints of lost keys. */
  readonly replaced: readonly string[]
}

/**
 * @param folder the data folder
 * @throws WrongMasterKey when they are not those of the database
 * @throws KeysDiffer when the last started server had a present key that this one cannot read
 */
export async function openKeys(db: Db, folder: string, given: Partial<KeysOfEnvironment>): Promise<Keys> {
  const keys: KeysOfEnvironment = { present: '', others: '', replaced: [], ...given }
  const secrets = await createSecrets(folder, keys)
  await loadRetainedKeys(db, secrets)
  const [present, ...read] = secrets.keys
  await mustEqualOthers(db, 'master', {
    present: present.fingerprint,
    others: [...read.map((it) => it.fingerprint), ...keys.replaced],
  })
  return { secrets, keyFile: openKeyFile(folder, keys) }
}

/**
 * @param folder the data folder
 * @param given keys of the environment, which take precedence
 * @param replaced fingerprints of earlier keys
 * @throws KeysDiffer when the last started server had other keys, and they are not replaced
 */
export async function openVapid(
  db: Db,
  folder: string,
  given: VapidKeys | undefined,
  replaced: readonly string[],
): Promise<VapidKeys> {
  const keys = await loadVapid(folder, given)
  await mustEqualOthers(db, 'vapid', { present: vapidFingerprintOf(keys), others: replaced })
  return keys
}
