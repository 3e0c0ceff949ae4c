// VoidSheet: voids a transfer file with a reason, after the admin has checked the bank.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  listAdminPayouts,
  listPayoutExports,
  MAX_PAYOUT_REASON,
  type PayoutExport,
  voidPayoutExport,
} from '#contract/payouts/admin-payouts.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText, fieldSentence } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { payoutsText } from './payouts-text.ts'

const words = payoutsText.file.voidSheet

interface VoidSheetProps {
  file: PayoutExport
  open: boolean
  onClose: () => void
  onUnconfirmed: () => void
}

function useVoiding({ file, onClose, onUnconfirmed }: VoidSheetProps) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function send(reason: string): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      const body = { reason, not_executed: true } as const
      const { payouts } = await call(voidPayoutExport, { params: { export_id: file.id }, body })
      toast(payoutsText.file.voidedDone(payouts), 'success')
      onClose()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else setProblem(sentenceOf(failure))
    } finally {
      setBusy(false)
      for (const it of [listAdminPayouts, listPayoutExports]) void client.invalidateQueries(queriesOf(it))
    }
  }

  return { busy, problem, send }
}

function sentenceOf({ code }: ApiFailure): string {
  if (code === 'conflict') return payoutsText.changed
  return code === 'forbidden' ? payoutsText.own : errorText[code]
}

export function VoidSheet(props: VoidSheetProps) {
  const { busy, problem, send } = useVoiding(props)
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [pressed, setPressed] = useState(false)
  const length = lengthOf(reason, MAX_PAYOUT_REASON)
  const tooLong = length > MAX_PAYOUT_REASON
  const isEmpty = reason.trim() === ''
  const required = pressed && isEmpty ? payoutsText.reason.required : undefined
  return (
    <Sheet
      open={props.open}
      onOpenChange={(open) => !open && !busy && props.onClose()}
      title={words.title}
      description={words.text}
      closeLabel={text.close}
      footer={
        <Button
          wide
          look="danger"
          busy={busy}
          busyLabel={text.working}
          onClick={() => {
            setPressed(true)
            if (!isEmpty && !tooLong && isChecked) void send(reason)
          }}
        >
          {payoutsText.file.void}
        </Button>
      }
    >
      <Field
        label={payoutsText.reason.field}
        hint={words.hint}
        error={tooLong ? fieldSentence('too_long', MAX_PAYOUT_REASON) : required}
        count={{ now: length, max: MAX_PAYOUT_REASON }}
      >
        <TextArea value={reason} onChange={(event) => setReason(event.target.value)} className="min-h-28" />
      </Field>
      <Check
        label={words.notExecuted}
        error={pressed && !isChecked ? words.notExecutedRequired : undefined}
        checked={isChecked}
        onChange={setChecked}
      />
      <FormError sentence={problem} />
    </Sheet>
  )
}
