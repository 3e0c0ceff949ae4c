// LedgerTable: the entries that an adjustment books, as debits and credits.
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import { yen } from '#src/lib/format.ts'
import { adjustmentsText } from './text.ts'

const words = adjustmentsText.ledger
const cell = 'py-2 pl-3 text-right tabular-nums'

export function LedgerTable({ entries }: Pick<BookedReply, 'entries'>) {
  return (
    <table className="w-full border-t border-line text-sm">
      <caption className="sr-only">{words.caption}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          <th scope="col" className="py-2 text-left font-normal">
            {words.account}
          </th>
          <th scope="col" className={`${cell} font-normal`}>
            {words.debit}
          </th>
          <th scope="col" className={`${cell} font-normal`}>
            {words.credit}
          </th>
        </tr>
      </thead>
      {entries.map(({ cause, lines }) => (
        <tbody key={cause}>
          <tr>
            <th scope="rowgroup" colSpan={3} className="pt-3 text-left font-semibold">
              {words.causes[cause] ?? cause}
            </th>
          </tr>
          {lines.map(({ account, amount }) => (
            <tr key={account} className="border-b border-line">
              <th scope="row" className="py-2 text-left font-normal">
                {words.accounts[account] ?? account}
              </th>
              <td className={cell}>{amount > 0 ? yen(amount) : ''}</td>
              <td className={cell}>{amount < 0 ? yen(-amount) : ''}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}
