// Compares the data folder with the database, and mends what can be mended.
import { NO_ID } from '#contract/administration/audit-names.ts'
import { checkStorage, type Finding } from '#server/modules/storage/check.ts'
import { type Mended, mendStorage } from '#server/modules/storage/mend.ts'
import type { Command } from './command.ts'
import { contentOf } from './content.ts'
import { wrongCall } from './wrong-call.ts'

function sentenceOf(it: Finding): string {
  switch (it.is) {
    case 'upload_missing':
      return it.length === undefined
        ? `元のファイルがありません: ${it.id}`
        : `元のファイルの長さが異なります: ${it.id}（${it.length}バイト）`
    case 'media_missing':
      return `変換したファイルがありません: ${it.id} ${it.file}`
    case 'document_missing':
      return `本人確認の書類がありません: ${it.id}`
    case 'document_changed':
      return `本人確認の書類を復号できません: ${it.id}`
    case 'export_missing':
      return `書き出したファイルがありません: ${it.id}`
    case 'extra':
      return `データベースにないファイルです: ${it.key}`
    default:
      return it satisfies never
  }
}

const mendedNames: Readonly<Record<Mended, string>> = {
  made_again: '変換し直します',
  failed: '失敗として記録しました',
  removed: '削除しました',
  none: '',
}

export const storageCheck: Command = {
  usage: 'storage check [--mend] [--remove-extra]',
  summary:
    'ファイルとデータベースを照合します。--mend は直せるものを直し、--remove-extra はデータベースにないファイルを削除します',
  async run({ deps, args, print }) {
    const [mends, removes] = ['--mend', '--remove-extra'].map((it) => args.includes(it))
    if (args.some((it) => it !== '--mend' && it !== '--remove-extra')) return wrongCall(print, this.usage)
    const counts = { found: 0, mended: 0 }
    for await (const finding of checkStorage(deps)) {
      counts.found += 1
      const wanted = finding.is === 'extra' ? removes : mends
      const mended = wanted === true ? await mendStorage(deps, finding) : 'none'
      if (mended !== 'none') counts.mended += 1
      print([sentenceOf(finding), mendedNames[mended]].filter((it) => it !== '').join(' → '))
    }
    if (counts.mended > 0) await deps.audit(entryOf(counts.mended))
    print(await contentOf(deps))
    print(`違いは${counts.found}件、直したものは${counts.mended}件です。`)
    return counts.found > counts.mended ? 1 : 0
  },
}

const entryOf = (count: number) =>
  ({
    actorId: NO_ID,
    act: 'storage.mend',
    subjectKind: 'storage',
    subjectId: NO_ID,
    ip: '',
    detail: { count },
  }) as const
