// AmountRows: names and amounts of money in two columns.
import type { ReactNode } from 'react'
import { yen } from '#src/lib/format.ts'
import { cx } from '#src/ui/cx.ts'
import { Money } from '#src/ui/text/money.tsx'

export function AmountRows({ children }: { children: ReactNode }) {
  return <dl className="mt-3 border-t border-line">{children}</dl>
}

interface AmountRowProps {
  name: string
  /** Yen; negative amounts have a minus sign. */
  amount: number
  /** A sum of the rows above it. */
  isSum?: boolean
}

export function AmountRow({ name, amount, isSum = false }: AmountRowProps) {
  return (
    <div
      className={cx(
        'flex items-baseline justify-between gap-4 border-b border-line py-2.5',
        isSum && 'font-semibold',
      )}
    >
      <dt className={isSum ? '' : 'text-soft'}>{name}</dt>
      <dd className={isSum ? 'text-lg' : ''}>
        <Money amount={amount} text={yen(amount)} />
      </dd>
    </div>
  )
}
