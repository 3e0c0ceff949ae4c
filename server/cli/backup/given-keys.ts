// Compares the keys of the environment with those of a backup, and makes none.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { createSecrets, KEY_FILE } from '#server/adapters/master-keys.ts'
import { loadVapid, vapidFingerprintOf } from '#server/adapters/push/vapid.ts'
import type { Env } from '#server/env/env.ts'
import { vapidOf } from '#server/env/push.ts'
import { KeysDiffer } from '#server/services/keys/equal-keys.ts'

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Fingerprints of the keys that a server would have; none where it would make new ones. */
async function fingerprintsOf(env: Env, name: 'master' | 'vapid'): Promise<readonly string[]> {
  const inFolder = (file: string) => exists(path.join(env.DATA_DIR, file))
  if (name === 'master') {
    if (env.SECRET_KEY === '' && !(await inFolder(KEY_FILE))) return []
    const given = { present: env.SECRET_KEY, others: env.SECRET_KEY_OTHERS }
    return (await createSecrets(env.DATA_DIR, given)).keys.map((it) => it.fingerprint)
  }
  const given = vapidOf(env)
  if (!given && !(await inFolder('vapid.json'))) return []
  return [vapidFingerprintOf(await loadVapid(env.DATA_DIR, given))]
}

/**
 * @param keys fingerprints of the backup
 * @throws KeysDiffer when the environment has another key, or none, and does not name it as replaced
 */
export async function refuseOtherKeys(env: Env, keys: Readonly<Record<string, string>>): Promise<void> {
  for (const name of ['master', 'vapid'] as const) {
    const wanted = keys[name]
    if (wanted === undefined || env.REPLACED_KEYS.includes(wanted)) continue
    if (!(await fingerprintsOf(env, name)).includes(wanted)) throw new KeysDiffer(name, wanted)
  }
}
