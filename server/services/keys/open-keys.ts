// Opens the keys of a server: the secrets, and the file of the master keys.
import { createSecrets, type GivenKeys, type KeyFile, openKeyFile } from '#server/adapters/master-keys.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import { loadRetainedKeys } from './retained.ts'

export interface Keys {
  readonly secrets: Secrets
  /** The file of the master keys; undefined when the environment gives them. */
  readonly keyFile: KeyFile | undefined
}

/**
 * @param folder the data folder
 * @throws WrongMasterKey when they are not those of the database
 */
export async function openKeys(db: Db, folder: string, given: Partial<GivenKeys>): Promise<Keys> {
  const { present = '', others = '' } = given
  const secrets = await createSecrets(folder, { present, others })
  await loadRetainedKeys(db, secrets)
  return { secrets, keyFile: openKeyFile(folder, { present, others }) }
}
