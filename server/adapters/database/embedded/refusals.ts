// Errors of an embedded database that cannot be opened, with sentences for the operator.

/** A file of the database is missing, cut or not what PostgreSQL wrote. */
export class DatabaseDamaged extends Error {
  /** @param what names the file, or quotes PostgreSQL */
  constructor(folder: string, what: string, options?: ErrorOptions) {
    super(
      `データフォルダー ${folder} の内蔵データベースが壊れています（${what}）。バックアップから復元してください。まだ使っていないサーバーなら、フォルダーの中の pglite を削除すると新しく作られます。`,
      options,
    )
    this.name = 'DatabaseDamaged'
  }
}

/** The data folder has files of people, and no database. */
export class DatabaseMissing extends Error {
  constructor(folder: string) {
    super(
      `データフォルダー ${folder} に内蔵データベース（pglite）がありませんが、投稿のファイルがあります。PostgreSQL を使うサーバーなら環境変数 DATABASE_URL を指定し、そうでなければバックアップから復元してください。`,
    )
    this.name = 'DatabaseMissing'
  }
}

/** PostgreSQL got no memory. */
export class MemoryShort extends Error {
  constructor(options?: ErrorOptions) {
    super(
      'メモリが足りないため、内蔵データベースを開けません。空きメモリを増やすか、コンテナー・systemd・ulimit の上限を上げてから起動してください。',
      options,
    )
    this.name = 'MemoryShort'
  }
}

/** Another version of PostgreSQL has made the database. */
export class DatabaseVersionDiffers extends Error {
  constructor(folder: string, found: string, wanted: string) {
    super(
      `データフォルダー ${folder} の内蔵データベースは PostgreSQL ${found} の形式ですが、この版のとどけが使うのは ${wanted} です。データベースを作った版のとどけで起動し、バックアップを作って移してください。`,
    )
    this.name = 'DatabaseVersionDiffers'
  }
}

/** The data folder cannot be used as it is. */
export class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable'
}

const owner = '起動するユーザーが読み書きできるようにしてください。'
const sentences: Readonly<Record<string, (folder: string) => string>> = {
  EACCES: (folder) => `データフォルダー ${folder} に書き込めません。所有者と権限を確認し、${owner}`,
  EROFS: (folder) =>
    `データフォルダー ${folder} は読み取り専用のディスクにあります。書き込めるようにしてください。`,
  ENOTDIR: (folder) =>
    `データフォルダー ${folder} はフォルダーではありません。環境変数 DATA_DIR をフォルダーのパスにしてください。`,
  ENOSPC: (folder) =>
    `データフォルダー ${folder} のディスクがいっぱいです。空き容量を増やしてから起動してください。`,
  EMFILE: (folder) =>
    `データフォルダー ${folder} のファイルを、これ以上開けません。開けるファイルの数の上限（ulimit -n、systemd の LimitNOFILE）を上げてください。`,
  EIO: (folder) =>
    `データフォルダー ${folder} のディスクを読み書きできません。ディスクが故障していないか確認してください。`,
}
const sameAs: Readonly<Record<string, string>> = {
  EPERM: 'EACCES',
  EEXIST: 'ENOTDIR',
  EDQUOT: 'ENOSPC',
  ENFILE: 'EMFILE',
}

/** The sentence for an error of the file system about a data folder; undefined for other errors. */
export function folderSentence(folder: string, code: string): string | undefined {
  return sentences[sameAs[code] ?? code]?.(folder)
}

const refusals = [DatabaseDamaged, DatabaseMissing, DatabaseVersionDiffers, FolderUnusable, MemoryShort]

export const isRefusal = (error: unknown): boolean => refusals.some((it) => error instanceof it)
