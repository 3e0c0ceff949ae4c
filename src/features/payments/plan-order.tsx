// PlanOrder: the final confirmation before a plan is joined or changed.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { beginMembership } from '#contract/memberships/memberships.ts'
import { call } from '#src/domain/api/api.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { text } from '#src/domain/text/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { saveBegunFrom } from './begun-from.ts'
import { OrderFrame, Row, StatementRow } from './order-frame.tsx'
import { planOrderQuery } from './payments.ts'
import { PlanChange } from './plan-change.tsx'
import { ClosedPlanOrder } from './plan-closed.tsx'
import { type PlanOrderReply, planOrderState } from './plan-order-state.ts'
import { MonthlyRow, OpensRow, PlanRow } from './plan-rows.tsx'
import { planOrderText as words } from './plan-text.ts'
import { orderText, planRefusal } from './text.ts'
import { usePayment } from './use-payment.ts'

interface PlanOrderProps {
  order: PlanOrderReply
  viewerId: string
  /** The post whose gate led here, to which the buyer returns. */
  from: string | undefined
  onChanged: () => void
}

export function PlanOrder({ order, viewerId, from, onChanged }: PlanOrderProps) {
  const state = planOrderState(order, viewerId)
  switch (state.is) {
    case 'join':
      return <Joining order={order} from={from} />
    case 'change':
      return <PlanChange order={order} membership={state.membership} onChanged={onChanged} />
    default:
      return <ClosedPlanOrder order={order} state={state} />
  }
}

function Joining({ order, from }: { order: PlanOrderReply; from: string | undefined }) {
  const { plan, creator } = order
  const client = useQueryClient()
  const readAgain = () => client.invalidateQueries({ queryKey: planOrderQuery(plan.id).queryKey })
  const { confirm, ...payment } = usePayment({
    async begin(id) {
      const begun = await call(beginMembership, {
        body: { payment_id: id, plan_id: plan.id, price: plan.price },
      })
      saveBegunFrom(begun.id, from)
      return begun
    },
    readAgain,
    had: 'already_joined',
    // The page shows the membership as soon as it was read.
    onHad: () => undefined,
    refusals: planRefusal,
  })
  return (
    <OrderFrame
      {...payment}
      isSale
      due={{ price: plan.price, planId: plan.id }}
      lead={orderText.lead}
      creatorId={creator.id}
      offline={words.offline}
      action={{ label: orderText.confirm, busy: orderText.opening }}
      onConfirm={confirm}
      cancel={
        <Link
          {...(from === undefined
            ? { to: '/profile/$id', params: { id: creator.id }, search: { type: 'plan' } as const }
            : { to: '/post/$id', params: { id: from } })}
          replace
          className={buttonClass('quiet', 'normal', true)}
        >
          {text.cancel}
        </Link>
      }
    >
      <PlanRow name={words.rows.item} plan={plan} />
      <OpensRow plan={plan} opens={order.opens} />
      <Row name={words.rows.seller}>{creator.name}</Row>
      <MonthlyRow name={words.rows.price} price={plan.price} />
      <Terms order={order} />
    </OrderFrame>
  )
}

/** When and how it is paid, how long it goes on, and how it ends. */
function Terms({ order }: { order: PlanOrderReply }) {
  const { plan, charge_day: day, next_charge_at: next, first_days: days } = order
  return (
    <>
      <Row name={words.rows.today}>
        <span className="font-semibold">
          <Money amount={plan.price} text={yen(plan.price)} note={orderText.taxIncluded} />
        </span>
      </Row>
      <Row name={words.rows.payment}>{words.payment(day, date(Date.parse(next)))}</Row>
      <StatementRow />
      <Row name={words.rows.delivery}>{words.delivery}</Row>
      <Row name={words.rows.renewal}>
        {days !== undefined && words.firstDays(days, lastDay(next))}
        {words.renewal}
      </Row>
      <Row name={words.rows.cancelling}>{words.cancelling(lastDay(next))}</Row>
      <Row name={words.rows.refund}>{words.refund}</Row>
    </>
  )
}
