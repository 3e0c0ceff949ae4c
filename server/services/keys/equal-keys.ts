// Refuses the start of a server whose keys differ from those of the other servers.
import type { Db } from '#server/store/database.ts'
import { replaceServerKey, type ServerKeyName, storeServerKeyOnce } from '#server/store/keys/server-keys.ts'

/** How the operator lets a server start with another key than the stored one. */
const replacing: Record<ServerKeyName, (stored: string) => string> = {
  master: (stored) =>
    'キーを取り替えるときは、以前のキーを SECRET_KEY_OTHERS で指定してください。' +
    `以前のキーを失ったときだけ、コマンド key replace ${stored} を実行してください。以前のキーで暗号化されたデータは読めなくなります。`,
  vapid: (stored) =>
    `鍵を取り替えるときは、コマンド key replace ${stored} を実行してください。通知は、各端末で次にアプリを開くまで届かなくなります。`,
}

const differ: Record<ServerKeyName, (stored: string) => string> = {
  master: (stored) =>
    `SECRET_KEY が、このデータベースのものと異なります（データベース側のキーの名前: ${stored}）。` +
    'サーバーが複数あるときは、すべてに同じ SECRET_KEY を設定してください。設定しないと、データフォルダーの secret.key が使われます。',
  vapid: (stored) =>
    `VAPID_PUBLIC_KEY が、このデータベースのものと異なります（データベース側の鍵の名前: ${stored}）。` +
    'サーバーが複数あるときは、すべてに同じ VAPID_PUBLIC_KEY と VAPID_PRIVATE_KEY を設定してください。設定しないと、データフォルダーの vapid.json が使われます。',
}

const missing: Record<ServerKeyName, (stored: string) => string> = {
  master: (stored) =>
    `SECRET_KEY も、データフォルダーの secret.key もありません（データベース側のキーの名前: ${stored}）。保管してあるキーを戻してください。新しいキーは作成していません。`,
  vapid: (stored) =>
    `VAPID_PUBLIC_KEY も、データフォルダーの vapid.json もありません（データベース側の鍵の名前: ${stored}）。保管してある鍵を戻してください。新しい鍵は作成していません。`,
}

/** A key of this process is not the one of the servers on the same database. */
export class KeysDiffer extends Error {
  readonly stored: string
  /** The message without how a server may start all the same. */
  readonly what: string

  constructor(name: ServerKeyName, stored: string) {
    super(differ[name](stored) + replacing[name](stored))
    this.name = 'KeysDiffer'
    this.what = differ[name](stored)
    this.stored = stored
  }
}

/** The servers on the same database have a key, and this process has none. */
export class KeysMissing extends Error {
  /** As of `KeysDiffer`. */
  readonly what: string

  constructor(name: ServerKeyName, stored: string) {
    super(missing[name](stored) + replacing[name](stored))
    this.name = 'KeysMissing'
    this.what = missing[name](stored)
  }
}

/**
 * Compares a key with the one that the last started server used, and stores it as that. The first start stores its own.
 * @param key fingerprints: of the present key, and of the others that this server reads
 * @throws KeysDiffer when the stored one is none of them
 */
export async function mustEqualOthers(
  db: Db,
  name: ServerKeyName,
  key: { readonly present: string; readonly others: readonly string[] },
): Promise<void> {
  const stored = await storeServerKeyOnce(db, name, key.present)
  if (stored === key.present) return
  if (!key.others.includes(stored)) throw new KeysDiffer(name, stored)
  await replaceServerKey(db, name, stored, key.present)
}
