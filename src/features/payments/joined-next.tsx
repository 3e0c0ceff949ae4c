// JoinedNext: when a joined plan is charged next, and the links to its posts.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { date, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { planOrderQuery } from './payments.ts'
import { resultText as words } from './result-text.ts'

export function JoinedNext({ planId }: { planId: string }) {
  const order = useQuery(planOrderQuery(planId)).data
  const next = order?.membership?.next_charge_at
  return (
    <>
      {order && next && <p>{words.next(date(Date.parse(next)), yen(order.membership?.price ?? 0))}</p>}
      {order && (
        <Link
          to="/profile/$id"
          params={{ id: order.creator.id }}
          search={{ type: 'plan' }}
          replace
          className={buttonClass('seal', 'normal', true)}
        >
          {words.toCreator}
        </Link>
      )}
      <Link to="/plan" search={{ tab: 'joined' }} replace className={buttonClass('quiet', 'normal', true)}>
        {words.toJoined}
      </Link>
    </>
  )
}
