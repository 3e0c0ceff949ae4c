// TransferFileRow: one transfer file with its download, what it lacks, its bank fee, and voiding.
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { pathOf } from '#contract/endpoint.ts'
import { API_BASE } from '#contract/paths.ts'
import { PAYOUT_FILE_PATH, type PayoutExport } from '#contract/payouts/admin-payouts.ts'
import { date, dateTime, yen } from '#src/lib/format.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { BankFeePart } from './bank-fee-part.tsx'
import { payoutsText } from './payouts-text.ts'
import { VoidSheet } from './void-sheet.tsx'

const words = payoutsText.file

export function TransferFileRow({
  file: it,
  onUnconfirmed,
}: {
  file: PayoutExport
  onUnconfirmed: () => void
}) {
  const id = useId()
  const [voiding, setVoiding] = useState(false)
  const row = words.row(date(Date.parse(`${it.day}T00:00:00+09:00`)), it.count, yen(it.total))
  return (
    <li aria-labelledby={id} className="border-b border-line py-2 text-sm tabular-nums">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span id={id} className={it.voided_at === null ? '' : 'line-through'}>
          {row}
        </span>
        <span className="flex flex-wrap gap-2">
          {it.has_file && (
            <a
              href={`${API_BASE}${pathOf(PAYOUT_FILE_PATH, { export_id: it.id })}`}
              download
              className={buttonClass('quiet', 'small')}
            >
              <Download aria-hidden size={18} />
              {words.download}
            </a>
          )}
          {it.voidable && (
            <Button
              look="danger"
              size="small"
              aria-label={words.voidLabel(row)}
              onClick={() => setVoiding(true)}
            >
              {words.void}
            </Button>
          )}
        </span>
      </div>
      {it.voided_at !== null ? (
        <p className="text-care-text">
          {words.voided(dateTime(Date.parse(it.voided_at)))} {it.void_reason}
        </p>
      ) : (
        !it.has_file && <p className="text-soft">{words.removed}</p>
      )}
      <BankFeePart file={it} row={row} onUnconfirmed={onUnconfirmed} />
      <LeftOut file={it} />
      <VoidSheet
        key={String(voiding)}
        file={it}
        open={voiding}
        onClose={() => setVoiding(false)}
        onUnconfirmed={onUnconfirmed}
      />
    </li>
  )
}

function LeftOut({ file: { left_out: leftOut } }: { file: PayoutExport }) {
  if (leftOut.length === 0) return null
  return (
    <details className="mt-1">
      <summary className="min-h-11 cursor-pointer content-center text-care-text">
        {words.leftOut(leftOut.length)}
      </summary>
      <ul className="pb-2 text-soft">
        {leftOut.map((it) => (
          <li key={it.number}>
            {words.leftOutRow(payoutsText.number(it.number), payoutsText.stops[it.why])}
          </li>
        ))}
      </ul>
    </details>
  )
}
