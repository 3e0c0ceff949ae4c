// FactRows: the facts of a seller, as the law lists them.
import type { ReactNode } from 'react'
import type { SellerData } from '#contract/sellers/seller-data.ts'
import { sellerText as words } from './text.ts'

/** `seller` is null while the data are given only on request. */
export function FactRows({ seller }: { seller: SellerData | null }) {
  const { facts, onRequest } = words
  return (
    <dl className="mt-3 border-t border-line text-read">
      <Row name={facts.name}>{seller?.name ?? onRequest}</Row>
      <Row name={facts.address}>{seller?.address ?? onRequest}</Row>
      <Row name={facts.phone}>
        {seller?.phone ?? onRequest}
        {seller && seller.hours !== '' && (
          <span className="block text-sm text-soft">{words.hours(seller.hours)}</span>
        )}
      </Row>
      <Row name={facts.email}>{seller?.email ?? onRequest}</Row>
    </dl>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="gap-6 border-b border-line py-3 rail:flex">
      <dt className="shrink-0 text-sm font-semibold rail:w-40 rail:pt-0.5">{name}</dt>
      <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
    </div>
  )
}
