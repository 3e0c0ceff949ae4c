// ChargesPreview: what an uploaded list of charges would apply, with the buttons.
import { yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import type { Compared } from './charges-file.tsx'
import { tasksText } from './tasks/text.ts'

const words = tasksText.list

interface ChargesPreviewProps {
  found: Compared
  busy: boolean
  onApply: () => void
  onCancel: () => void
}

export function ChargesPreview({ found, busy, onApply, onCancel }: ChargesPreviewProps) {
  const { charges, waits } = found
  const total = charges.reduce((sum, it) => sum + it.amount, 0)
  return (
    <div>
      <output className="block">{words.shown(found)}</output>
      {charges.length > 0 && <Charges charges={charges} />}
      {charges.length > 0 && (
        <p className="mt-2 text-right font-semibold tabular-nums">{words.total(yen(total))}</p>
      )}
      {waits && <p className="mt-3 text-care-text">{words.waits}</p>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="quiet" size="small" disabled={busy} onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button look="ink" size="small" busy={busy} busyLabel={words.busy} onClick={onApply}>
          {waits ? words.ask : words.apply}
        </Button>
      </div>
    </div>
  )
}

function Charges({ charges }: Pick<Compared, 'charges'>) {
  return (
    <ul aria-label={words.table} className="mt-3 border-t border-line text-sm">
      {charges.map(({ charge_ref: charge, amount, is_surplus: isSurplus, buyer, creator }) => (
        <li key={charge} className="border-b border-line py-2">
          <div className="flex flex-wrap justify-between gap-x-3">
            <span className="min-w-0 break-all">{`${words.columns.charge} ${charge}`}</span>
            <span className="font-semibold tabular-nums">{yen(amount)}</span>
          </div>
          <div className="text-soft">
            {`${words.columns.buyer} ${buyer?.name ?? words.gone}・${words.columns.creator} ${creator?.name ?? words.gone}`}
          </div>
          {isSurplus && <div>{words.surplus}</div>}
        </li>
      ))}
    </ul>
  )
}
