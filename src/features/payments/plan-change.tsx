// PlanChange: the final confirmation of a change to another plan of the creator.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changeMembership, getPlanOrder, type RunningMembership } from '#contract/memberships/memberships.ts'
import { listJoinedPlans } from '#contract/plans/members.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { lastDay, planWords } from '#src/domain/plans/text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Money } from '#src/ui/text/money.tsx'
import { OrderFrame, Row, StatementRow } from './order-frame.tsx'
import type { PlanOrderReply } from './plan-order-state.ts'
import { MonthlyRow, OpensRow, PlanRow } from './plan-rows.tsx'
import { planChangeText as words, planClosedText, planOrderText } from './plan-text.ts'
import { orderText, planRefusal } from './text.ts'

interface PlanChangeProps {
  order: PlanOrderReply
  membership: RunningMembership
  onChanged: () => void
}

export function PlanChange({ order, membership, onChanged }: PlanChangeProps) {
  const { plan } = order
  const { busy, problem, confirm } = useChange(order, membership, onChanged)
  // It is active, so it has a next charge; its day is the end of what was paid.
  const from = date(Date.parse(membership.paid_until))
  return (
    <OrderFrame
      lead={words.lead}
      creatorId={order.creator.id}
      offline={words.offline}
      problem={problem}
      busy={busy}
      action={{ label: words.confirm, busy: text.working }}
      onConfirm={confirm}
      cancel={
        <Link to="/plan" search={{ tab: 'joined' }} replace className={buttonClass('quiet', 'normal', true)}>
          {text.cancel}
        </Link>
      }
    >
      <PlanRow name={words.rows.item} plan={plan} />
      <OpensRow plan={plan} opens={order.opens} />
      <Row name={planOrderText.rows.seller}>{order.creator.name}</Row>
      <Row name={words.rows.now}>
        {membership.plan?.name ?? planClosedText.erased}
        <span className="ml-3">
          <Money amount={membership.price} text={yen(membership.price)} note={planWords.perMonth} />
        </span>
      </Row>
      <MonthlyRow name={words.rows.price} price={plan.price} />
      <Row name={words.rows.from}>
        <p>{words.from(from)}</p>
        {plan.price < membership.price && <p className="mt-1">{words.loses}</p>}
      </Row>
      <Row name={planOrderText.rows.today}>{words.today}</Row>
      <Row name={words.rows.payment}>
        <p>{words.payment(from)}</p>
        <p className="mt-1 text-sm text-soft">{words.processing}</p>
      </Row>
      <StatementRow />
      <Row name={planOrderText.rows.renewal}>{planOrderText.renewal}</Row>
      <Row name={planOrderText.rows.cancelling}>
        {planOrderText.cancellingOf(lastDay(membership.paid_until))}
      </Row>
      <Row name={planOrderText.rows.refund}>{planOrderText.refund}</Row>
    </OrderFrame>
  )
}

function useChange({ plan }: PlanOrderReply, { id }: RunningMembership, onChanged: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const readAgain = () =>
    Promise.all([getPlanOrder, listJoinedPlans].map((it) => client.invalidateQueries(queriesOf(it))))
  async function confirm(): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await call(changeMembership, {
        params: { membership_id: id },
        body: { plan_id: plan.id, price: plan.price },
      })
      toast(words.done, 'success')
      onChanged()
      void readAgain()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      const { code } = failure
      await readAgain()
      setProblem(code === 'price_changed' ? orderText.priceChanged : (planRefusal[code] ?? errorText[code]))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, confirm }
}
