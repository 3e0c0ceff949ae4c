// Verifies that a backup is complete.
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { AloneCommand } from '#server/cli/command.ts'
import { type Difference, verifyBackup } from '#server/services/backup/verify.ts'
import { withFacts } from './open-storage.ts'
import { wrongCall } from '#server/cli/wrong-call.ts'

/** @returns undefined for wrong parameters */
function parametersOf(args: readonly string[]): { folder: string; quick: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { quick: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [folder, ...more] = positionals
    if (folder === undefined || folder === '' || more.length > 0) return undefined
    return { folder: path.resolve(folder), quick: values.quick === true }
  } catch {
    return undefined
  }
}

export function sentenceOf(it: Difference): string {
  switch (it.is) {
    case 'manifest':
      return 'backup.json を読めません。別の版のバックアップか、壊れています。'
    case 'file_missing':
      return `ファイルがありません: ${it.name}`
    case 'file_changed':
      return `ファイルの内容が作成時と異なります: ${it.name}`
    case 'unreadable':
      return `データベースとして読めません: ${it.name}`
    case 'line':
      return `ファイルの一覧の${it.no}行目を読めません。`
    case 'object_missing':
      return `ファイルがありません: ${it.key}`
    case 'object_changed':
      return `ファイルの内容が作成時と異なります: ${it.key}`
    case 'count':
      return `ファイルの一覧の行数が異なります: ${it.found}行（作成時は${it.listed}行）`
    default:
      return it satisfies never
  }
}

export const backupVerify: AloneCommand = {
  usage: 'backup verify <フォルダー> [--quick]',
  summary: 'バックアップがそろっていることを確認します。--quick は、サイズだけを確認します',
  needs: 'nothing',
  async runAlone({ env, args, print }) {
    const given = parametersOf(args)
    if (!given) return wrongCall(print, this.usage)
    return withFacts(env, async (factsOf) => {
      let differences = 0
      for await (const it of verifyBackup({ ...given, factsOf })) {
        differences += 1
        print(sentenceOf(it))
      }
      print(differences === 0 ? 'バックアップはそろっています。' : `違いが${differences}件あります。`)
      return differences === 0 ? 0 : 1
    })
  },
}
