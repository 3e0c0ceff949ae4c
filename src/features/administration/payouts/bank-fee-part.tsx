// BankFeePart: what the bank took for a transfer file, its records, and a further one.
import { useState } from 'react'
import type { PayoutExport } from '#contract/payouts/admin-payouts.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { BankFeeSheet } from './bank-fee-sheet.tsx'
import { bankFeeText as words } from './bank-fee-text.ts'

interface BankFeePartProps {
  file: PayoutExport
  /** The file in words. */
  row: string
  onUnconfirmed: () => void
}

/** Nothing for a file without all results: the bank has not taken its fee. */
export function BankFeePart({ file, row, onUnconfirmed }: BankFeePartProps) {
  const [isOpen, setOpen] = useState(false)
  if (!file.settled) return null
  const records = file.bank_fees
  const latest = records.at(-1)
  const act = latest ? words.correct : words.record
  return (
    <>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-2">
        <p className={file.bank_fee_late ? 'text-care-text' : 'text-soft'}>
          {latest ? words.recorded(yen(latest.fee), yen(file.borne)) : words.none}
        </p>
        <Button look="quiet" size="small" aria-label={words.of(act, row)} onClick={() => setOpen(true)}>
          {act}
        </Button>
      </div>
      {latest && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center text-soft">
            {words.history(records.length)}
          </summary>
          <ol className="pb-2 text-soft">
            {records.map((it) => (
              <li key={it.id} className="break-words">
                {words.entry(dateTime(Date.parse(it.recorded_at)), yen(it.fee), it.actor?.name ?? words.gone)}
              </li>
            ))}
          </ol>
        </details>
      )}
      {isOpen && (
        <BankFeeSheet file={file} row={row} onClose={() => setOpen(false)} onUnconfirmed={onUnconfirmed} />
      )}
    </>
  )
}
