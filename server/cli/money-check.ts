// Checks money by itself, from the rows of one moment.
import { sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { Command } from './command.ts'
import { checkMoney, type MoneyReport } from './money/check.ts'
import type { Row } from './money/difference.ts'
import { wrongCall } from './wrong-call.ts'

/** Reads one state of the database, and can change nothing. */
export const moneyReport = ({
  db,
  clock,
  secrets,
}: Pick<Deps, 'db' | 'clock' | 'secrets'>): Promise<MoneyReport> =>
  db.transaction(
    (tx) =>
      checkMoney(
        async (statement) => ((await tx.execute(sql.raw(statement))) as { rows: Row[] }).rows,
        clock(),
        (sealed) => secrets.open('letter', sealed).toString(),
      ),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

export const moneyCheck: Command = {
  usage: 'money check',
  summary:
    'お金の記録を、請求と返金と申込みから計算し直して照合します。台帳、購入した投稿、プラン、明細書、振込、送信待ちのメールを比べます',
  async run({ deps, args, print }) {
    if (args.length > 0) return wrongCall(print, this.usage)
    const { differences, charges, entries, rights } = await moneyReport(deps)
    for (const { kind, id, expected, found } of differences)
      print(`${kind} ${id} expected: ${expected} found: ${found}`)
    const result = differences.length === 0 ? 'no difference' : `${differences.length} differences`
    print(`${charges} charges, ${entries} entries, ${rights} rights: ${result}`)
    return differences.length === 0 ? 0 : 1
  },
}
