// NewAccountNote: says below a price that people whose account is new cannot pay it.
import { useQuery } from '@tanstack/react-query'
import { getOperator } from '#contract/operator.ts'
import { NEW_ACCOUNT_DAYS } from '#contract/payments/allowance.ts'
import { typedPrice } from '#contract/posts/price.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { yen } from '#src/lib/format.ts'

interface NewAccountNoteProps {
  /** As typed; nothing is shown for one that everyone can pay, or that is no price. */
  price: string
  /** What members do at this price. */
  act: '購入' | '加入'
}

export function NewAccountNote({ price, act }: NewAccountNoteProps) {
  const limit = useQuery(queryFor(getOperator, {})).data?.payments?.new_account_yen ?? null
  const typed = typedPrice(price)
  const isAbove = limit !== null && !('problem' in typed) && typed.yen > limit
  return (
    <output className="block">
      {isAbove && (
        <span className="mt-2 block text-sm text-care-text">
          {`登録から${NEW_ACCOUNT_DAYS}日未満の方は、24時間に${yen(limit)}までしか支払えないため、この価格では${act}できません。`}
        </span>
      )}
    </output>
  )
}
