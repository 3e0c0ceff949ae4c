// TaxSheet: how much tax is withheld of a payout to a creator abroad.
import { useState } from 'react'
import { type AdminPayout, MAX_PAYOUT_REASON } from '#contract/payouts/admin-payouts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { fieldSentence } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { yenOf } from '#src/features/administration/adjustments/adjustments.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea, TextInput } from '#src/ui/fields/field.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import type { PayoutAction } from './payouts.ts'
import { payoutsText } from './payouts-text.ts'

const words = payoutsText.tax

interface TaxSheetProps {
  payout: AdminPayout
  busy: boolean
  perform: (action: PayoutAction) => Promise<boolean>
  onClose: () => void
}

export function TaxSheet({ payout: { id, amount, fee }, busy, perform, onClose }: TaxSheetProps) {
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const before = amount - fee
  const withheld = yenOf(typed, 0, before - 1)
  const length = lengthOf(reason, MAX_PAYOUT_REASON)
  const wrong =
    length > MAX_PAYOUT_REASON
      ? fieldSentence('too_long', MAX_PAYOUT_REASON)
      : pressed && reason.trim() === ''
        ? payoutsText.reason.required
        : undefined

  async function send(): Promise<void> {
    setPressed(true)
    if (withheld === undefined || reason.trim() === '' || length > MAX_PAYOUT_REASON) return
    if (await perform({ is: 'decide', id, body: { is: 'tax', withheld, reason } })) onClose()
  }

  return (
    <Sheet
      open
      onOpenChange={(open) => !open && !busy && onClose()}
      title={words.title}
      description={words.text}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={() => void send()}>
          {words.submit}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label={words.amount}
          error={pressed && withheld === undefined ? words.amountProblem(yen(before - 1)) : undefined}
        >
          <TextInput inputMode="numeric" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </Field>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm tabular-nums">
          <dt className="text-soft">{words.before}</dt>
          <dd>{yen(before)}</dd>
          <dt className="text-soft">{words.after}</dt>
          <dd>{withheld === undefined ? '—' : yen(before - withheld)}</dd>
        </dl>
        <Field
          label={words.reason}
          hint={words.reasonHint}
          error={wrong}
          count={{ now: length, max: MAX_PAYOUT_REASON }}
        >
          <TextArea value={reason} onChange={(event) => setReason(event.target.value)} className="min-h-24" />
        </Field>
      </div>
    </Sheet>
  )
}
