// The error for a data folder that another process has.

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(
      `データフォルダー ${folder} はすでに別のプロセスが使っています。そちらを終了してから起動してください。`,
    )
    this.name = 'FolderInUse'
  }
}
