// PayoutsPage: requests a payout, sets automatic ones, and lists those that were made.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PayoutOverview, PayoutState, PayoutView } from '#contract/payouts/payouts.ts'
import { text } from '#src/domain/text/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Switch } from '#src/ui/fields/switch.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { Money } from '#src/ui/text/money.tsx'
import { AskResidence } from './ask-residence.tsx'
import { payoutsQuery, usePayouts } from './payouts.ts'
import { payoutsText as words } from './payouts-text.ts'

/** @param day `YYYY-MM-DD` */
const dayText = (day: string) => date(Date.parse(`${day}T00:00:00+09:00`))

export function PayoutsPage() {
  const overview = useSuspenseQuery(payoutsQuery).data
  return (
    <div className="pb-16">
      {overview.asks_residence && (
        <div className="border-b border-line px-4 py-6 rail:px-6">
          <AskResidence />
        </div>
      )}
      <Request overview={overview} />
      {overview.old && <Old old={overview.old} />}
      <Automatic overview={overview} />
      <History payouts={overview.payouts} />
    </div>
  )
}

function Request({ overview: it }: { overview: PayoutOverview }) {
  const { busy, request } = usePayouts()
  const [open, setOpen] = useState(false)
  const names = words.request
  const due = dayText(it.due_on)
  const transfer = yen(it.available - it.fee)
  return (
    <section aria-labelledby="request" className="px-4 py-6 rail:px-6">
      <h2 id="request" className="font-semibold">
        {names.title}
      </h2>
      <p className="mt-1 text-2xl font-semibold">
        <Money amount={it.available} text={yen(it.available)} />
      </p>
      <p className="text-sm text-soft">{names.available}</p>
      {it.obstacle === null ? (
        <>
          <dl className="mt-4 border-t border-line">
            <Fact name={names.fee} value={yen(it.fee)} />
            <Fact name={names.transfer} value={transfer} />
            <Fact name={names.due} value={due} />
          </dl>
          <Button
            look="seal"
            wide
            className="mt-4"
            busy={busy}
            busyLabel={text.working}
            onClick={() => setOpen(true)}
          >
            {names.submit}
          </Button>
          <AlertDialog
            open={open}
            onOpenChange={(next) => !busy && setOpen(next)}
            title={names.confirm(transfer)}
            description={names.confirmText(due)}
            cancel={text.cancel}
            action={{
              label: names.submit,
              busy,
              onSelect: () => void request(it.available).then(() => setOpen(false)),
            }}
          />
        </>
      ) : (
        <p className="mt-3">{words.obstacles(yen(it.minimum))[it.obstacle]}</p>
      )}
      <Link to="/settings/bank-account" className={`mt-4 inline-flex min-h-11 items-center ${linkClass}`}>
        {words.toAccount}
      </Link>
    </section>
  )
}

/** What of the balance has waited for six months, and what its creator has to do. */
function Old({ old: { amount, step } }: { old: NonNullable<PayoutOverview['old']> }) {
  const { title, steps, identity } = words.old
  return (
    <section aria-labelledby="old" className="border-t border-line px-4 py-6 rail:px-6">
      <h2 id="old" className="font-semibold">
        {title(yen(amount))}
      </h2>
      <p className="mt-1">{steps[step]}</p>
      {step === 'unidentified' && (
        <Link to="/user/verify-identity" className={`mt-2 inline-flex min-h-11 items-center ${linkClass}`}>
          {identity}
        </Link>
      )}
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 border-b border-line py-2.5">
      <dt className="text-soft">{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}

function Automatic({ overview }: { overview: PayoutOverview }) {
  const { busy, setAutomatic } = usePayouts()
  return (
    <div className="border-y border-line px-4 py-2 rail:px-6">
      <Switch
        label={words.automatic}
        hint={words.automaticHint(yen(overview.minimum))}
        checked={overview.automatic}
        disabled={busy}
        onChange={(next) => void setAutomatic(next)}
      />
    </div>
  )
}

function History({ payouts }: { payouts: readonly PayoutView[] }) {
  const { title, none } = words.history
  return (
    <section aria-labelledby="payouts" className="py-6">
      <h2 id="payouts" className="px-4 font-semibold rail:px-6">
        {title}
      </h2>
      {payouts.length === 0 ? (
        <p className="px-4 pt-2 text-soft rail:px-6">{none}</p>
      ) : (
        <ul aria-labelledby="payouts" className="mt-3 border-t border-line">
          {payouts.map((it) => (
            <Payout key={it.id} payout={it} />
          ))}
        </ul>
      )}
    </section>
  )
}

const looks = {
  requested: 'plain',
  held: 'care',
  approved: 'plain',
  exported: 'plain',
  paid: 'good',
  returned: 'care',
  cancelled: 'plain',
} as const satisfies Record<PayoutState, string>

function Payout({ payout: it }: { payout: PayoutView }) {
  const names = words.history
  const isBack = it.state === 'returned' || it.state === 'cancelled'
  const waitsForTax = it.state === 'held' && it.tax_check === 'waits'
  const transfer = it.amount - it.fee - it.withheld
  const facts = [
    names.requestedAt(date(Date.parse(it.requested_at))),
    it.paid_at === null
      ? isBack || waitsForTax
        ? ''
        : names.due(dayText(it.due_on))
      : names.paidAt(date(Date.parse(it.paid_at))),
    it.last_digits === '' ? '' : names.account(it.last_digits),
  ].filter((fact) => fact !== '')
  return (
    <li className="border-b border-line px-4 py-4 rail:px-6">
      <div className="flex items-start justify-between gap-3">
        <p className="text-lg font-semibold">
          <Money amount={transfer} text={yen(transfer)} />
        </p>
        <Badge look={looks[it.state]}>{names.states[it.state]}</Badge>
      </div>
      <p className="text-sm tabular-nums">{facts.join('・')}</p>
      {waitsForTax && <p className="mt-1 text-sm">{names.waitsForTax}</p>}
      {it.withheld > 0 && (
        <p className="mt-1 text-sm break-words">{names.withheld(yen(it.withheld), it.tax_reason)}</p>
      )}
      {it.reason !== '' && <p className="mt-1 text-sm break-words">{names.reason(it.reason)}</p>}
      {isBack && <p className="text-sm">{names.back}</p>}
      <p className="mt-1 text-sm text-soft tabular-nums">
        {names.number(it.number)}・{names.fee(yen(it.fee))}
      </p>
    </li>
  )
}
