// PayoutsPage: the operator's payouts in four lists, the transfer file, and the bank's results.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { type PayoutList, payoutLists } from '#contract/payouts/payout-lists.ts'
import { text } from '#src/domain/text/text.ts'
import { number, yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { LateBankFees } from './late-bank-fees.tsx'
import { PayoutRow } from './payout-row.tsx'
import { payoutsQuery, usePayoutAction } from './payouts.ts'
import { payoutsText as words } from './payouts-text.ts'
import { PracticeNote } from './practice-note.tsx'
import { ResultsFile } from './results-file.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { TransferFiles } from './transfer-files.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'

interface PayoutsPageProps {
  shown: PayoutList
  onShow: (list: PayoutList) => void
  failed: Failed
  Confirmation: Confirms
}

export function PayoutsPage({ shown, onShow, failed, Confirmation }: PayoutsPageProps) {
  const [confirming, setConfirming] = useState(false)
  const onUnconfirmed = () => setConfirming(true)
  return (
    <section aria-labelledby="payouts" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="payouts" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <PracticeNote />
      {shown !== 'exported' && <LateBankFees onShow={() => onShow('exported')} />}
      <Tabs<PayoutList>
        label={words.title}
        value={shown}
        onChange={onShow}
        tabs={payoutLists.map((value) => ({
          value,
          label: words.lists[value],
          panel: (
            <>
              {value === 'exported' && <ResultsFile onUnconfirmed={onUnconfirmed} />}
              <Payouts list={value} failed={failed} onUnconfirmed={onUnconfirmed} />
            </>
          ),
        }))}
      />
      <Sheet
        open={confirming}
        onOpenChange={setConfirming}
        title={words.confirm.title}
        description={words.confirm.text}
        closeLabel={text.close}
      >
        <Confirmation
          onConfirmed={() => {
            setConfirming(false)
            toast(words.confirm.done, 'success')
          }}
        />
      </Sheet>
    </section>
  )
}

interface PayoutsProps {
  list: PayoutList
  failed: Failed
  onUnconfirmed: () => void
}

function Payouts({ list, failed, onUnconfirmed }: PayoutsProps) {
  const reading = useQuery(payoutsQuery(list))
  const { busy, perform } = usePayoutAction(onUnconfirmed)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { payouts, count, total, has_requester: hasRequester } = reading.data
  const approvable = payouts.filter((it) => it.state === 'requested' && it.stop === null)
  const together = approvable.filter((it) => !it.single_only)
  const single = approvable.length - together.length
  return (
    <>
      {payouts.length === 0 ? (
        <EmptyState drawing="letter" title={words.none[list]} />
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <p className="tabular-nums">{words.sum(number(count), yen(total))}</p>
            {list === 'open' && together.length > 1 && (
              <Button
                look="ink"
                size="small"
                busy={busy}
                busyLabel={text.working}
                onClick={() => void perform({ is: 'approve', ids: together.map((it) => it.id) })}
              >
                {words.approveAll}
              </Button>
            )}
          </div>
          {list === 'open' && together.length > 1 && single > 0 && (
            <p className="px-4 pb-3 text-sm text-soft">{words.singleOnly(number(single))}</p>
          )}
          <ul aria-label={words.lists[list]} className="border-t border-line">
            {payouts.map((it) => (
              <PayoutRow key={it.id} payout={it} busy={busy} perform={perform} />
            ))}
          </ul>
        </>
      )}
      {(list === 'approved' || list === 'exported') && (
        <TransferFiles
          canMake={list === 'approved' && payouts.length > 0}
          hasRequester={hasRequester}
          onUnconfirmed={onUnconfirmed}
        />
      )}
    </>
  )
}
