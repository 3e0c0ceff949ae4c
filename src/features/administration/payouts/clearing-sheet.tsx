// ClearingSheet: records what was done by hand about a balance.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import type { ClearingKind } from '#contract/payouts/balance-names.ts'
import type { StrandedBalance } from '#contract/payouts/balances.ts'
import { yen } from '#src/lib/format.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { yenOf } from '#src/features/administration/adjustments/adjustments.ts'
import { PreviewSheet } from '#src/features/administration/adjustments/preview-sheet.tsx'
import { isReason, ReasonField } from '#src/features/administration/adjustments/reason-field.tsx'
import { clearOf } from './balances.ts'
import { balancesText as words } from './balances-text.ts'

interface ClearingSheetProps {
  kind: ClearingKind
  balance: StrandedBalance
  onClose: () => void
  onDone: () => void
  onUnconfirmed: () => void
}

export function ClearingSheet({ kind, balance, onClose, onDone, onUnconfirmed }: ClearingSheetProps) {
  const { creator, total } = balance
  // The same id for each try, so that a lost reply leaves one clearing.
  const [id] = useState(newId)
  const most = Math.abs(total)
  const [typed, setTyped] = useState(String(most))
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const amount = yenOf(typed, 1, most)
  return (
    <PreviewSheet
      open
      title={words.acts[kind]}
      onClose={onClose}
      check={() => {
        setPressed(true)
        return amount !== undefined && isReason(reason)
      }}
      request={(preview) =>
        clearOf(creator.id, { id, is: kind, amount: amount ?? 0, total, reason, preview })
      }
      facts={[
        [words.amount, yen(amount ?? 0)],
        [words.balance, yen(total)],
      ]}
      done={words.done}
      conflict={words.changed}
      onDone={() => {
        onClose()
        onDone()
      }}
      onUnconfirmed={onUnconfirmed}
    >
      <p>{words.leads[kind]}</p>
      <Field
        label={words.amount}
        error={pressed && amount === undefined ? words.amountProblem(yen(most)) : undefined}
      >
        <TextInput inputMode="numeric" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <ReasonField value={reason} onChange={setReason} pressed={pressed} hint={words.reasonHint} />
    </PreviewSheet>
  )
}
