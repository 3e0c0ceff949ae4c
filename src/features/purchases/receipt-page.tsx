// ReceiptPage: issues the receipt of a purchase, and shows it for printing.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReceiptView } from '#contract/payments/receipts.ts'
import { date } from '#src/lib/format.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { ReceiptForm } from './receipt-form.tsx'
import { ReceiptPaper } from './receipt-paper.tsx'
import { useRecordsOnly } from './records-only.ts'
import { receiptQuery } from './purchases.ts'
import { purchaseText, receiptText as words } from './text.ts'

export function ReceiptPage({ paymentId }: { paymentId: string }) {
  const recordsOnly = useRecordsOnly()
  const receipt = useSuspenseQuery(receiptQuery(paymentId, recordsOnly?.caller)).data
  const paper = useRef<HTMLElement>(null)
  const [issues, setIssues] = useState(0)
  // The focused button of the form is gone or has moved.
  useEffect(() => {
    if (issues > 0) paper.current?.focus()
  }, [issues])
  const canIssue = receipt.state !== 'disputed'
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      {receipt.issued && (
        <>
          <ReceiptPaper ref={paper} receipt={receipt} issued={receipt.issued} />
          <Print />
          <Issues issued={receipt.issued} />
        </>
      )}
      {canIssue ? (
        <Issue receipt={receipt} onIssued={() => setIssues((it) => it + 1)} />
      ) : (
        <p className="text-care-text">{words.disputedText}</p>
      )}
      {!recordsOnly && <Seller receipt={receipt} />}
    </div>
  )
}

function Seller({ receipt: { seller } }: { receipt: ReceiptView }) {
  return (
    <>
      {seller.legal_name === null && <p className="mt-8 text-sm text-soft">{words.sellerHint}</p>}
      <p className="mt-4">
        <Link to="/profile/seller/$id" params={{ id: seller.id }} className={linkClass}>
          {purchaseText.law}
        </Link>
      </p>
    </>
  )
}

function Print() {
  return (
    <div className="mt-4">
      <Button look="ink" wide icon={<Printer aria-hidden size={20} />} onClick={() => window.print()}>
        {words.print}
      </Button>
      <p className="mt-2 text-center text-sm text-soft">{words.printHint}</p>
    </div>
  )
}

/** Every issue, where there are several. */
function Issues({ issued: { issues } }: { issued: NonNullable<ReceiptView['issued']> }) {
  if (issues.length < 2) return null
  return (
    <section aria-labelledby="issues" className="mt-8">
      <h2 id="issues" className="font-semibold">
        {words.issuesTitle}
      </h2>
      <ol className="mt-2 border-t border-line">
        {issues.map((it) => (
          <li
            key={it.issue}
            className="grid grid-cols-[11rem_1fr] gap-x-4 border-b border-line py-2 text-sm tabular-nums"
          >
            <span className="text-soft">{words.issueOf(it.issue, date(Date.parse(it.issued_at)))}</span>
            <span className="min-w-0 text-right break-words">{words.paper.to(it.addressee)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Issue({ receipt, onIssued }: { receipt: ReceiptView; onIssued: () => void }) {
  if (receipt.issued === null)
    return (
      <>
        <p className="pb-5">{words.lead}</p>
        <ReceiptForm receipt={receipt} onIssued={onIssued} />
      </>
    )
  return (
    <section aria-labelledby="reissue" className="mt-8 border-t border-line pt-5">
      <h2 id="reissue" className="font-semibold">
        {words.againTitle}
      </h2>
      <p className="mt-1 pb-5 text-soft">{words.leadAgain}</p>
      <ReceiptForm key={receipt.issued.count} receipt={receipt} onIssued={onIssued} />
    </section>
  )
}

/** Shown for a purchase that does not exist for this person. */
export function UnknownPurchase() {
  const history = useRecordsOnly()?.history ?? { to: '/purchase-history' }
  return (
    <EmptyState
      drawing="letter"
      title={words.unknown}
      text={words.unknownText}
      action={
        <Link {...history} replace className={buttonClass('quiet')}>
          {words.toHistory}
        </Link>
      }
    />
  )
}
