// ReceiptPaper: an issued receipt, the only part of the page that is printed.
import type { ReactNode, Ref } from 'react'
import type { ReceiptView } from '#contract/payments/receipts.ts'
import { date, yen } from '#src/lib/format.ts'
import { Money } from '#src/ui/text/money.tsx'
import { purchaseText, receiptText } from './text.ts'

const words = receiptText.paper

type Issued = NonNullable<ReceiptView['issued']>

interface ReceiptPaperProps {
  receipt: ReceiptView
  issued: Issued
  /** The paper is focused after an issue. */
  ref: Ref<HTMLElement>
}

const day = (at: string) => date(Date.parse(at))

export function ReceiptPaper({ receipt, issued, ref }: ReceiptPaperProps) {
  const { recipient, refunded_at: refundedAt, refunded_amount: refunded } = receipt
  return (
    <article
      ref={ref}
      tabIndex={-1}
      data-print
      aria-labelledby="receipt"
      className="border border-edge bg-raised p-5 outline-none rail:p-8"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <h2 id="receipt" className="text-2xl font-semibold">
          {receiptText.title}
          {issued.count > 1 && (
            <span className="ml-3 inline-block border border-current px-2 py-0.5 align-middle text-sm">
              {(issued.readdressed ? receiptText.readdressed : receiptText.again)(issued.count)}
            </span>
          )}
        </h2>
        <p className="text-sm tabular-nums">
          {words.number} {issued.number}
        </p>
      </div>
      <p className="mt-6 border-b border-edge pb-1 text-lg break-words">{words.to(issued.addressee)}</p>
      <p className="mt-6 flex flex-wrap items-baseline justify-center gap-x-4 bg-sunk px-4 py-3">
        <span className="text-sm">{words.total}</span>
        <span className="text-2xl font-semibold">
          <Money amount={receipt.amount} text={yen(receipt.amount)} note={words.taxIncluded} />
        </span>
      </p>
      <p className="mt-3 text-center">{words.received}</p>
      {refundedAt !== null && <Refunded title={words.refunded} says={words.refundedText(day(refundedAt))} />}
      {refundedAt === null && refunded > 0 && (
        <Refunded
          title={words.partlyRefunded}
          says={words.partlyRefundedText(yen(refunded), yen(receipt.amount - refunded))}
        />
      )}
      <Rows receipt={receipt} issued={issued} />
      <div className="mt-5 space-y-1 text-sm">
        <p>{words.recipient(recipient ?? words.operator)}</p>
        <p>{invoiceSentence(receipt)}</p>
      </div>
    </article>
  )
}

function Refunded({ title, says }: { title: string; says: string }) {
  return (
    <p className="mt-4 border-2 border-seal-text px-4 py-2 text-center text-seal-text">
      <strong className="font-semibold">{title}</strong>
      <span className="block text-sm">{says}</span>
    </p>
  )
}

function Rows({ receipt, issued }: { receipt: ReceiptView; issued: Issued }) {
  const { rows } = words
  const { seller, tax_percent: percent } = receipt
  return (
    <dl className="mt-6 border-t border-line">
      <Row name={rows.paidAt}>{day(receipt.paid_at)}</Row>
      <Row name={rows.item}>{itemOf(receipt)}</Row>
      <Row name={rows.taxed(percent)}>{yen(receipt.amount)}</Row>
      <Row name={rows.tax(percent)}>{yen(receipt.tax)}</Row>
      <Row name={rows.method}>{words.method}</Row>
      <Row name={rows.seller}>
        {seller.legal_name === null ? seller.name : words.named(seller.legal_name, seller.name)}
      </Row>
      <Row name={rows.page}>
        <span className="text-sm break-all">{`${location.origin}/profile/seller/${seller.id}`}</span>
      </Row>
      {seller.registration_number !== null && (
        <Row name={rows.registration}>{seller.registration_number}</Row>
      )}
      <Row name={rows.issuedAt}>{day(issued.issued_at)}</Row>
      {issued.count > 1 && <Row name={rows.reissuedAt}>{day(issued.last_issued_at)}</Row>}
    </dl>
  )
}

/** Whether it is a qualified invoice, and why not. */
function invoiceSentence({ is_invoice, seller, recipient }: ReceiptView): string {
  if (is_invoice) return words.invoice(recipient ?? words.operator)
  return seller.registration_number === null ? words.noRegistration : words.noInvoice
}

/** What was bought; of a plan also the month that was paid, whose end is exclusive. */
function itemOf({ kind, period, title }: ReceiptView): string {
  if (period === null) return title === undefined ? purchaseText.kinds[kind] : words.postItem(title)
  return words.planItem(day(period.from), date(Date.parse(period.until) - 1))
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9rem_1fr] gap-x-4 border-b border-line py-2">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="min-w-0 text-right break-words tabular-nums">{children}</dd>
    </div>
  )
}
