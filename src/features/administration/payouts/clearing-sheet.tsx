// ClearingSheet: records what was done by hand about a balance.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import type { ClearingKind } from '#contract/payouts/balance-names.ts'
import type { StrandedBalance } from '#contract/payouts/balances.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { yenOf } from '#src/features/administration/adjustments/adjustments.ts'
import { isReason, ReasonField } from '#src/features/administration/adjustments/reason-field.tsx'
import type { BalanceActs } from './balances.ts'
import { balancesText as words } from './balances-text.ts'

interface ClearingSheetProps {
  kind: ClearingKind
  balance: StrandedBalance
  acts: BalanceActs
  onClose: () => void
}

export function ClearingSheet({ kind, balance: { creator, total }, acts, onClose }: ClearingSheetProps) {
  // The same id for each try, so that a lost reply leaves one clearing.
  const [id] = useState(newId)
  const most = Math.abs(total)
  const [typed, setTyped] = useState(String(most))
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const amount = yenOf(typed, 1, most)
  async function send() {
    setPressed(true)
    if (amount === undefined || !isReason(reason)) return
    if (!(await acts.clear(creator.id, { id, is: kind, amount, total, reason }))) return
    toast(words.done, 'success')
    onClose()
  }
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !acts.busy && onClose()}
      title={words.acts[kind]}
      description={words.leads[kind]}
      closeLabel={text.close}
      footer={
        <Button look="ink" wide busy={acts.busy} busyLabel={text.working} onClick={() => void send()}>
          {words.confirm}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <Field
          label={words.amount}
          error={pressed && amount === undefined ? words.amountProblem(yen(most)) : undefined}
        >
          <TextInput inputMode="numeric" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </Field>
        <ReasonField value={reason} onChange={setReason} pressed={pressed} hint={words.reasonHint} />
      </div>
    </Sheet>
  )
}
