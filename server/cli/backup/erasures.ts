// Copies the log of erasures to a file outside of the data folder.
import { open, rename } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from '#server/adapters/files/durable.ts'
import type { AloneCommand } from '#server/cli/command.ts'
import { readErasures } from '#server/services/backup/erasure-log.ts'
import { withStorage } from './open-storage.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

export const backupErasures: AloneCommand = {
  usage: 'backup erasures <ファイル>',
  summary:
    '完全に削除されたアカウントと書類の記録を、ファイルに書き出します。復元のときに、削除をやり直すために使います',
  needs: 'folder',
  async runAlone({ env, args, print }) {
    const [given, ...more] = args
    if (given === undefined || given === '' || given.startsWith('-') || more.length > 0) {
      return wrongCall(print, this.usage)
    }
    const file = path.resolve(given)
    const count = await withStorage(env, async (storage) => {
      const handle = await open(`${file}.new`, 'w', 0o600)
      let lines = 0
      try {
        for await (const it of readErasures(storage)) {
          await handle.writeFile(`${JSON.stringify(it)}\n`)
          lines += 1
        }
      } finally {
        await handle.close()
      }
      await rename(`${file}.new`, file)
      await syncFile(file)
      return lines
    })
    print(`削除の記録を書き出しました（${count}件）。`)
    return 0
  },
}
