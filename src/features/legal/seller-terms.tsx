// SellerTerms and OperatorRows: what the law requires of every sale, for pages of sellers.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Blocks } from '#src/ui/text/document.tsx'
import { operatorRows, saleSections } from './commercial-transactions-act.ts'
import { operatorQuery, operatorWords } from './operator.ts'

export function OperatorRows() {
  const operator = operatorWords(useSuspenseQuery(operatorQuery).data)
  return <Blocks blocks={[{ is: 'rows', rows: operatorRows(operator) }]} />
}

/** Prices, payment, delivery and cancellation, which are the same for all creators. */
export function SellerTerms() {
  return saleSections.map((section) => (
    <section key={section.id} aria-labelledby={section.id} className="mt-9">
      <h2 id={section.id} className="text-lg font-semibold">
        {section.title}
      </h2>
      <Blocks blocks={section.blocks} />
    </section>
  ))
}
