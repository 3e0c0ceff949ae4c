// Derived keys of earlier master keys, for MACs that are stored for years.
import { type RetainedPurpose, retainedPurposes, type Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import { addRetainedKeyOnce, listRetainedKeys } from '#server/store/keys/retained-keys.ts'

const ownerOf = (fingerprint: string, purpose: string) => `${fingerprint} ${purpose}`

const isRetained = (purpose: string): purpose is RetainedPurpose =>
  (retainedPurposes as readonly string[]).includes(purpose)

/** The master keys are not those of this database. */
export class WrongMasterKey extends Error {
  constructor() {
    super(
      'SECRET_KEY が、このデータベースのものと異なります。以前のキーは SECRET_KEY_OTHERS で指定してください。',
    )
    this.name = 'WrongMasterKey'
  }
}

/** Adds the stored keys to the secrets. @throws WrongMasterKey when one cannot be opened */
export async function loadRetainedKeys(db: Db, secrets: Secrets): Promise<void> {
  for (const { fingerprint, purpose, sealed } of await listRetainedKeys(db)) {
    if (!isRetained(purpose)) continue
    secrets.retain(fingerprint, purpose, opened(secrets, sealed, ownerOf(fingerprint, purpose)))
  }
}

function opened(secrets: Secrets, sealed: string, owner: string): Buffer {
  try {
    return secrets.open('retained-key', sealed, owner)
  } catch {
    throw new WrongMasterKey()
  }
}

/** Stores the derived keys of the master keys that are only read. It may be repeated. */
export async function storeRetainedKeys(db: Db, secrets: Secrets, clock: () => number): Promise<void> {
  const [, ...read] = secrets.keys
  // The last one is the earliest.
  for (const { fingerprint } of read.toReversed()) {
    for (const purpose of retainedPurposes) {
      const derived = secrets.derivedKey(fingerprint, purpose)
      if (!derived) continue
      const sealed = secrets.seal('retained-key', derived, ownerOf(fingerprint, purpose))
      await addRetainedKeyOnce(db, { fingerprint, purpose, sealed, createdAt: new Date(clock()) })
    }
  }
}
