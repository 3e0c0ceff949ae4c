// Verifies the audit log; prints its first break or its anchor.
import { parseArgs } from 'node:util'
import { anchorOf, type Break, type BreakKind, type Head, readAnchor } from '#server/rules/audit/chain.ts'
import { verifyAudit } from '#server/modules/administration/verify-audit.ts'
import type { Command } from './command.ts'
import { contentOf } from './content.ts'
import { wrongCall } from './wrong-call.ts'

const sentences: Readonly<Record<BreakKind, string>> = {
  changed: '記録が書き換えられています',
  removed: '記録が削除されています',
  inserted: '記録が差し込まれています',
  cut: '末尾の記録が削除されています',
  replaced: '控えた検証値と異なります。記録全体が作り直されています',
}

/** @returns undefined for wrong parameters */
function anchorFrom(args: readonly string[]): { readonly anchor: Head | undefined } | undefined {
  try {
    const { anchor } = parseArgs({ args: [...args], options: { anchor: { type: 'string' } } }).values
    if (anchor === undefined) return { anchor: undefined }
    const read = readAnchor(anchor)
    return read && { anchor: read }
  } catch {
    return undefined
  }
}

const breakLine = ({ is, seq, id }: Break): string =>
  `監査ログが壊れています: ${sentences[is]}（種類 ${is}、番号 ${seq ?? 'なし'}、ID ${id ?? 'なし'}）`

export const auditVerify: Command = {
  usage: 'audit verify [--anchor <番号>:<検証値>]',
  summary: '監査ログを検証します。前回の検証値を渡すと、末尾の削除も見つかります',
  async run({ deps, args, print }) {
    const given = anchorFrom(args)
    if (!given) return wrongCall(print, this.usage)
    const macs = (text: string) => deps.secrets.macs('audit', text).toReversed()
    const { broken, head } = await verifyAudit(deps.db, macs, given.anchor)
    if (broken) {
      print(breakLine(broken))
      print(`正しい記録は番号 ${head.seq} までです。`)
      return 1
    }
    print(`監査ログは正しく続いています（${head.seq}件）。`)
    print(await contentOf(deps))
    print(`次回の検証値（別の場所に保管してください）: --anchor ${anchorOf(head)}`)
    return 0
  },
}
