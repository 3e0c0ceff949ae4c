// Refuses the start of a server whose keys differ from those of the other servers.
import type { Db } from '#server/store/database.ts'
import { replaceServerKey, type ServerKeyName, storeServerKeyOnce } from '#server/store/keys/server-keys.ts'

const sentences: Record<ServerKeyName, (stored: string) => string> = {
  master: (stored) =>
    `SECRET_KEY が、このデータベースのものと異なります（データベース側のキーの名前: ${stored}）。` +
    'サーバーが複数あるときは、すべてに同じ SECRET_KEY を設定してください。設定しないと、データフォルダーの secret.key が使われます。' +
    'キーを取り替えるときは、以前のキーを SECRET_KEY_OTHERS で指定してください。' +
    `以前のキーを失ったときだけ、REPLACED_KEYS=${stored} を指定して起動してください。以前のキーで暗号化されたデータは読めなくなります。`,
  vapid: (stored) =>
    `VAPID_PUBLIC_KEY が、このデータベースのものと異なります（データベース側の鍵の名前: ${stored}）。` +
    'サーバーが複数あるときは、すべてに同じ VAPID_PUBLIC_KEY と VAPID_PRIVATE_KEY を設定してください。設定しないと、データフォルダーの vapid.json が使われます。' +
    `鍵を取り替えるときは、REPLACED_KEYS=${stored} を指定して起動してください。通知は、各端末で次にアプリを開くまで届かなくなります。`,
}

/** A key of this server is not the one of the servers on the same database. */
export class KeysDiffer extends Error {
  constructor(name: ServerKeyName, stored: string) {
    super(sentences[name](stored))
    this.name = 'KeysDiffer'
  }
}

/**
 * Compares a key with the one that the last started server used, and stores it as that. The first start stores its own.
 * @param key fingerprints: of the present key, and of the others that it may replace
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
