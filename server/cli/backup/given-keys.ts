// Compares the keys of the environment with those of a backup.
import { createSecrets, hasMasterKey } from '#server/adapters/master-keys.ts'
import { readVapid, vapidFingerprintOf } from '#server/adapters/push/vapid.ts'
import type { Env } from '#server/env/env.ts'
import { vapidOf } from '#server/env/push.ts'

const names = ['master', 'vapid'] as const

/** Fingerprints of the keys that a server would have. */
async function fingerprintsOf(env: Env, name: (typeof names)[number]): Promise<readonly string[]> {
  if (name === 'master') {
    const given = { present: env.SECRET_KEY, others: env.SECRET_KEY_OTHERS }
    if (!(await hasMasterKey(env.DATA_DIR, given))) return []
    return (await createSecrets(env.DATA_DIR, given)).keys.map((it) => it.fingerprint)
  }
  const pair = vapidOf(env) ?? (await readVapid(env.DATA_DIR))
  return pair ? [vapidFingerprintOf(pair)] : []
}

const sentences = {
  master: (wanted: string) =>
    `マスターキーが、このバックアップのものと異なります（バックアップ側のキーの名前: ${wanted}）。保管してある SECRET_KEY か secret.key を戻してください。失ったときだけ、--lost-key ${wanted} を付けて実行してください。そのキーで暗号化された本人確認の書類、銀行口座、二段階認証は読めなくなります。`,
  vapid: (wanted: string) =>
    `通知の鍵が、このバックアップのものと異なります（バックアップ側の鍵の名前: ${wanted}）。保管してある VAPID_PUBLIC_KEY と VAPID_PRIVATE_KEY か vapid.json を戻してください。失ったときだけ、--lost-key ${wanted} を付けて実行してください。通知は、各端末で次にアプリを開くまで届かなくなります。`,
} as const

/**
 * A sentence for each key of the backup that the environment does not have.
 * @param keys fingerprints of the backup
 * @param lost fingerprints of lost keys, in place of which the database gets those of the environment
 */
export async function keyRefusals(
  env: Env,
  keys: Readonly<Record<string, string>>,
  lost: readonly string[],
): Promise<string[]> {
  const refusals: string[] = []
  for (const name of names) {
    const wanted = keys[name]
    if (wanted === undefined || lost.includes(wanted)) continue
    if (!(await fingerprintsOf(env, name)).includes(wanted)) refusals.push(sentences[name](wanted))
  }
  return refusals
}
