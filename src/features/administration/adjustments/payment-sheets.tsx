// Sheets about one payment: a refund, a dispute, and the card company's decision.
import { useState } from 'react'
import {
  type AdjustedPayment,
  decideDispute,
  disputeByAdmin,
  disputeOutcomes,
  refundByAdmin,
} from '#contract/adjustments/adjustments.ts'
import { MAX_DISPUTE_FEE } from '#contract/adjustments/limits.ts'
import { newId } from '#contract/ids.ts'
import { call } from '#src/domain/api/api.ts'
import { yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Field, TextInput } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { yenOf } from './adjustments.ts'
import { PreviewSheet, type PreviewSheetProps } from './preview-sheet.tsx'
import { isReason, ReasonField } from './reason-field.tsx'
import { adjustmentsText as words } from './text.ts'

export type SheetProps = Pick<PreviewSheetProps, 'onClose' | 'onDone' | 'onUnconfirmed'> & {
  payment: AdjustedPayment
}

export const leftOf = ({ amount, refunded_amount: refunded }: AdjustedPayment): number => amount - refunded

export function RefundSheet({ payment, ...rest }: SheetProps) {
  // The same id for each try, so that a lost reply leaves one refund.
  const [id] = useState(newId)
  const left = leftOf(payment)
  const [typed, setTyped] = useState(String(left))
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const amount = yenOf(typed, 1, left)
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.refund.title}
      check={() => {
        setPressed(true)
        return amount !== undefined && isReason(reason)
      }}
      request={(preview) =>
        call(refundByAdmin, {
          params: { payment_id: payment.id },
          body: { id, amount: amount ?? 0, left, reason, preview },
        })
      }
      facts={[
        [words.refund.amount, yen(amount ?? 0)],
        [words.rows.left, yen(left - (amount ?? 0))],
        [words.reason, reason],
      ]}
      done={words.refund.done}
    >
      <Field
        label={words.refund.amount}
        hint={words.refund.hint(yen(left))}
        error={pressed && amount === undefined ? words.refund.problem(yen(left)) : undefined}
      >
        <TextInput inputMode="numeric" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <ReasonField value={reason} onChange={setReason} pressed={pressed} />
      <Button look="quiet" size="small" onClick={() => setReason(words.refund.minorReason)}>
        {words.refund.minor}
      </Button>
    </PreviewSheet>
  )
}

export function DisputeSheet({ payment, ...rest }: SheetProps) {
  const [id] = useState(newId)
  const left = leftOf(payment)
  const [typed, setTyped] = useState('0')
  const [reason, setReason] = useState('')
  const [pressed, setPressed] = useState(false)
  const fee = yenOf(typed, 0, MAX_DISPUTE_FEE)
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.dispute.title}
      check={() => {
        setPressed(true)
        return fee !== undefined && isReason(reason)
      }}
      request={(preview) =>
        call(disputeByAdmin, {
          params: { payment_id: payment.id },
          body: { id, fee: fee ?? 0, left, reason, preview },
        })
      }
      facts={[
        [words.rows.amount, yen(left)],
        [words.dispute.fee, yen(fee ?? 0)],
        [words.reason, reason],
      ]}
      done={words.dispute.done}
    >
      <p className="text-soft">{words.dispute.lead(yen(left))}</p>
      <Field
        label={words.dispute.fee}
        hint={words.dispute.feeHint}
        error={pressed && fee === undefined ? words.dispute.feeProblem(yen(MAX_DISPUTE_FEE)) : undefined}
      >
        <TextInput inputMode="numeric" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      <ReasonField value={reason} onChange={setReason} pressed={pressed} />
    </PreviewSheet>
  )
}

export function DecisionSheet({ payment, ...rest }: SheetProps) {
  const [chosen, setChosen] = useState('')
  const [pressed, setPressed] = useState(false)
  const outcome = disputeOutcomes.find((it) => it === chosen)
  const dispute = payment.disputes.find((it) => it.state === 'open')
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.decision.title}
      check={() => {
        setPressed(true)
        return outcome !== undefined
      }}
      request={(preview) =>
        call(decideDispute, {
          params: { dispute_id: dispute?.id ?? '' },
          body: { outcome: outcome ?? 'lost', preview },
        })
      }
      facts={[
        [words.rows.amount, yen(dispute?.amount ?? 0)],
        [words.decision.title, outcome ? words.decision.outcomes[outcome] : ''],
      ]}
      done={words.decision.done}
    >
      <p className="text-soft">{words.decision.lead}</p>
      <Field
        label={words.decision.title}
        error={pressed && outcome === undefined ? words.decision.pick : undefined}
      >
        <Select
          value={chosen}
          placeholder={words.decision.pick}
          options={disputeOutcomes.map((value) => ({ value, label: words.decision.outcomes[value] }))}
          onChange={(event) => setChosen(event.target.value)}
        />
      </Field>
    </PreviewSheet>
  )
}
