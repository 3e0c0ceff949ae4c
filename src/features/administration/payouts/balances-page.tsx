// BalancesPage: balances that are not paid out by themselves, with what can be done.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { BalanceRow } from './balance-row.tsx'
import { balancesQuery, useBalanceActs } from './balances.ts'
import { balancesText as words } from './balances-text.ts'

interface BalancesPageProps {
  failed: Failed
  Confirmation: Confirms
}

export function BalancesPage({ failed, Confirmation }: BalancesPageProps) {
  const [confirming, setConfirming] = useState(false)
  return (
    <section aria-labelledby="balances" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="balances" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <Balances failed={failed} onUnconfirmed={() => setConfirming(true)} />
      <ConfirmSheet open={confirming} onOpenChange={setConfirming} Confirmation={Confirmation} />
    </section>
  )
}

function Balances({ failed, onUnconfirmed }: { failed: Failed; onUnconfirmed: () => void }) {
  const pages = useInfiniteQuery(balancesQuery())
  const acts = useBalanceActs(onUnconfirmed)
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const all = pages.data.pages.flatMap((page) => page.balances)
  if (all.length === 0) return <EmptyState drawing="letter" title={words.none} />
  return (
    <>
      <ul aria-label={words.title} className="border-t border-line">
        {all.map((it) => (
          <BalanceRow key={it.creator.id} balance={it} acts={acts} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}
