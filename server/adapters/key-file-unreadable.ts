// The error for a damaged file of keys in the data folder.

/** The file is not made again: what it had encrypts data, or is known to devices. */
export class KeyFileUnreadable extends Error {
  /** @param name of the file @param loss what is lost with it when no copy is left */
  constructor(folder: string, name: string, loss: string) {
    super(
      `データフォルダー ${folder} の ${name} が壊れています。バックアップの ${name} に戻してください。失ったときだけ、このファイルを削除して起動し、表示されるコマンド key replace を実行してください。${loss}`,
    )
    this.name = 'KeyFileUnreadable'
  }
}
