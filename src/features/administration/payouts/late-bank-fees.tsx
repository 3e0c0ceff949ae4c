// LateBankFees: how many transfer files still lack the fee of the bank.
import { useQuery } from '@tanstack/react-query'
import { Button } from '#src/ui/button.tsx'
import { bankFeeText as words } from './bank-fee-text.ts'
import { exportsQuery } from './payouts.ts'

export function LateBankFees({ onShow }: { onShow: () => void }) {
  const files = useQuery(exportsQuery).data?.exports ?? []
  const late = files.filter((it) => it.bank_fee_late).length
  if (late === 0) return null
  return (
    <div className="mx-4 mb-4 rounded-field border border-line p-4">
      <p className="text-care-text">{words.late(late)}</p>
      <Button look="quiet" size="small" className="mt-3" onClick={onShow}>
        {words.toFiles}
      </Button>
    </div>
  )
}
