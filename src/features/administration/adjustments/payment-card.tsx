// PaymentCard: one payment with its refunds and disputes, and what admins can do.
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { AdjustedPayment } from '#contract/adjustments/adjustments.ts'
import type { PostTextsView } from '#contract/posts/bought-version.ts'
import type { PersonView } from '#contract/people/people.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { Facts } from '#src/features/administration/facts.tsx'
import { DecisionSheet, DisputeSheet, leftOf, RefundSheet } from './payment-sheets.tsx'
import { adjustmentsText as words } from './text.ts'

interface PaymentCardProps {
  payment: AdjustedPayment
  onUnconfirmed: () => void
  onChanged: () => void
}

const when = (at: string) => dateTime(Date.parse(at))
const looks = { paid: 'good', refunded: 'plain', disputed: 'care' } as const

export function PaymentCard(props: PaymentCardProps) {
  const { payment: it } = props
  const id = useId()
  const isPart = it.state === 'paid' && it.refunded_amount > 0
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h4 id={id} className="font-semibold">
          {words.kinds[it.kind]} {yen(it.amount)}
        </h4>
        <Badge look={isPart ? 'care' : looks[it.state]}>
          {isPart ? words.partlyRefunded : words.states[it.state]}
        </Badge>
      </div>
      <div className="mt-2">
        <Facts facts={factsOf(it)} />
      </div>
      <SoldTexts payment={it} />
      <Refunds payment={it} />
      <Disputes payment={it} />
      <Actions {...props} />
    </li>
  )
}

function factsOf(it: AdjustedPayment) {
  const { rows } = words
  return [
    [rows.left, yen(leftOf(it))],
    [rows.fee, words.percent(it.fee_rate)],
    [rows.paidAt, when(it.paid_at)],
    [rows.buyer, <Person key="buyer" person={it.buyer} />],
    [rows.creator, <Person key="creator" person={it.creator} />],
    [rows.charge, it.charge_ref],
    [rows.id, it.id],
  ] as const
}

function Person({ person }: { person: PersonView }) {
  return (
    <Link to="/administration" search={{ show: 'adjustments', q: person.id }} className={linkClass}>
      {person.name}
    </Link>
  )
}

/** The texts of a post as they were bought, beside those of now where they differ. */
function SoldTexts({ payment: { sold_texts: sold } }: { payment: AdjustedPayment }) {
  if (sold === undefined) return null
  const shown = [
    [words.soldTexts.bought, sold.bought] as const,
    ...(sold.changed_at === null
      ? []
      : [[words.soldTexts.current(when(sold.changed_at)), sold.current] as const]),
  ]
  return (
    <details className="mt-3 text-sm">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {words.soldTexts.title(sold.changed_at !== null)}
      </summary>
      {shown.map(([label, texts]) => (
        <div key={label} className="mt-2">
          <h5 className="text-soft">{label}</h5>
          <Prose className="mt-1 rounded-field bg-sunk p-3" text={textOf(texts)} />
        </div>
      ))}
    </details>
  )
}

const textOf = ({ title, introduction, content }: PostTextsView): string =>
  [title, introduction, content].filter((it) => it !== '').join('\n') || words.soldTexts.none

function Refunds({ payment: { refunds } }: { payment: AdjustedPayment }) {
  if (refunds.length === 0) return null
  return (
    <div className="mt-3 text-sm">
      <h5 className="font-semibold">{words.refunds}</h5>
      <ul>
        {refunds.map((it) => (
          <li key={it.id} className="tabular-nums">
            {words.refundRow(yen(it.amount), when(it.created_at), it.returned)}
            <span className="block break-words text-soft">{it.reason === '' ? words.byRule : it.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Disputes({ payment: { disputes } }: { payment: AdjustedPayment }) {
  if (disputes.length === 0) return null
  return (
    <div className="mt-3 text-sm">
      <h5 className="font-semibold">{words.disputes}</h5>
      <ul>
        {disputes.map((it) => (
          <li key={it.id} className="tabular-nums">
            {words.disputeRow(yen(it.amount), when(it.opened_at), words.disputeStates[it.state])}
            <span className="block break-words text-soft">{it.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const sheets = { refund: RefundSheet, dispute: DisputeSheet, decision: DecisionSheet } as const

function Actions({ payment, onUnconfirmed, onChanged }: PaymentCardProps) {
  const [open, setOpen] = useState<keyof typeof sheets>()
  const Shown = open && sheets[open]
  if (payment.state === 'refunded') return null
  const button = (name: keyof typeof sheets) => (
    <Button key={name} look="quiet" size="small" onClick={() => setOpen(name)}>
      {words[name].act}
    </Button>
  )
  const names = payment.state === 'disputed' ? (['decision'] as const) : (['refund', 'dispute'] as const)
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {names.map(button)}
      {Shown && (
        <Shown
          payment={payment}
          onClose={() => setOpen(undefined)}
          onUnconfirmed={onUnconfirmed}
          onDone={() => {
            setOpen(undefined)
            onChanged()
          }}
        />
      )}
    </div>
  )
}
