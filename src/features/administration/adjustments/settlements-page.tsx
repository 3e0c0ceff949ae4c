// SettlementsPage: what the payment provider owes, its recorded transfers, and recording one.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listSettlements, SettlementView } from '#contract/adjustments/settlements.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { Facts } from '#src/features/administration/facts.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { settlementsQuery } from './adjustments.ts'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import { dayText, RecordSheet, ReverseSheet } from './settlement-sheets.tsx'
import { settlementsText as words } from './settlements-text.ts'

interface SettlementsPageProps {
  failed: Failed
  Confirmation: Confirms
}

export function SettlementsPage({ failed, Confirmation }: SettlementsPageProps) {
  const [confirming, setConfirming] = useState(false)
  return (
    <section aria-labelledby="settlements" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="settlements" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <Settlements failed={failed} onUnconfirmed={() => setConfirming(true)} />
      <ConfirmSheet open={confirming} onOpenChange={setConfirming} Confirmation={Confirmation} />
    </section>
  )
}

function Settlements({ failed, onUnconfirmed }: { failed: Failed; onUnconfirmed: () => void }) {
  const reading = useQuery(settlementsQuery())
  const [open, setOpen] = useState(false)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { days } = reading.data
  const close = () => {
    setOpen(false)
    // Also without a change of one's own: another admin may have recorded one.
    void reading.refetch()
  }
  return (
    <>
      <Balance balance={reading.data.balance} />
      <div className="px-4 pt-4">
        {days ? (
          <Button look="ink" onClick={() => setOpen(true)}>
            {words.act}
          </Button>
        ) : (
          <p className="text-sm text-soft">{words.noSales}</p>
        )}
      </div>
      <List
        settlements={reading.data.settlements}
        onUnconfirmed={onUnconfirmed}
        onChanged={() => void reading.refetch()}
      />
      {open && days && (
        <RecordSheet
          days={days}
          known={reading.data.settlements}
          onUnconfirmed={onUnconfirmed}
          onClose={close}
          onDone={close}
        />
      )}
    </>
  )
}

function Balance({ balance }: { balance: number }) {
  return (
    <div className="mx-4 rounded-field bg-sunk p-4">
      <dl>
        <dt className="text-sm text-soft">{words.balance}</dt>
        <dd className="text-2xl font-semibold tabular-nums">{yen(balance)}</dd>
      </dl>
      {balance < 0 && <p className="mt-1 text-sm text-care-text">{words.negative}</p>}
    </div>
  )
}

interface ListProps {
  settlements: ReplyOf<typeof listSettlements>['settlements']
  onUnconfirmed: () => void
  onChanged: () => void
}

function List({ settlements, onUnconfirmed, onChanged }: ListProps) {
  if (settlements.length === 0)
    return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <section aria-labelledby="recorded" className="pt-8">
      <h3 id="recorded" className="px-4 pb-2 font-semibold">
        {words.list}
      </h3>
      <ul aria-labelledby="recorded" className="border-t border-line">
        {settlements.map((it) => (
          <Row key={it.id} settlement={it} onUnconfirmed={onUnconfirmed} onChanged={onChanged} />
        ))}
      </ul>
      {settlements.length >= 100 && <p className="px-4 pt-3 text-sm text-soft">{words.listLimit}</p>}
    </section>
  )
}

interface RowProps {
  settlement: SettlementView
  onUnconfirmed: () => void
  onChanged: () => void
}

function Row({ settlement: it, onUnconfirmed, onChanged }: RowProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const row = words.row(dayText(it.day), yen(it.received))
  const close = () => {
    setOpen(false)
    onChanged()
  }
  const facts = [
    [words.fee, yen(it.fee)],
    [words.settled, yen(it.received + it.fee)],
    ...(it.reference === '' ? [] : [[words.reference, it.reference] as const]),
    [words.recorded, words.by(dateTime(Date.parse(it.recorded_at)), it.actor?.name)],
  ] as const
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 id={id} className={`font-semibold tabular-nums ${it.reversal ? 'line-through' : ''}`}>
          {row}
        </h4>
        {it.reversal ? (
          <Badge look="plain">{words.reversed}</Badge>
        ) : (
          <Button
            look="danger"
            size="small"
            aria-label={words.reverse.label(row)}
            onClick={() => setOpen(true)}
          >
            {words.reverse.act}
          </Button>
        )}
      </div>
      <div className="mt-2 text-sm">
        <Facts facts={facts} />
        {it.reversal && (
          <p className="mt-2 break-words text-care-text">
            {words.reversal}：{words.by(dateTime(Date.parse(it.reversal.at)), it.reversal.actor?.name)}
            <span className="block">{it.reversal.reason}</span>
          </p>
        )}
      </div>
      {open && (
        <ReverseSheet
          settlement={it}
          row={row}
          onUnconfirmed={onUnconfirmed}
          onClose={close}
          onDone={close}
        />
      )}
    </li>
  )
}
