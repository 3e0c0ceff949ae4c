// CardOrder: the final confirmation before the card of a membership is changed.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReplyOf } from '#contract/endpoint.ts'
import { changeMembershipCard, type getMembershipCard } from '#contract/memberships/card.ts'
import { ApiFailure, call, type FailureCode } from '#src/domain/api/api.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { text } from '#src/domain/text/text.ts'
import { date, dateTime, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { ClosedOrder, OrderFrame, Row, StatementRow } from './order-frame.tsx'
import { membershipCardQuery } from './payments.ts'
import { MonthlyRow } from './plan-rows.tsx'
import { cardText as words, planOrderText } from './plan-text.ts'
import { orderText, planRefusal } from './text.ts'
import { usePayment } from './use-payment.ts'

type Card = ReplyOf<typeof getMembershipCard>

interface CardOrderProps {
  membershipId: string
  card: Card
  onDone: () => void
}

export function CardOrder({ membershipId, card, onDone }: CardOrderProps) {
  const { act, plan, creator, price } = card
  const { confirm, ...payment } = useCard({ membershipId, card, onDone })
  return (
    <OrderFrame
      {...payment}
      {...(act !== 'register' && { due: { price, planId: plan.id, cardOf: membershipId } })}
      lead={words.leads[act]}
      creatorId={creator.id}
      offline={words.offline}
      action={{ label: words.confirms[act], busy: orderText.opening }}
      onConfirm={confirm}
      cancel={
        <Link to="/plan" search={{ tab: 'joined' }} replace className={buttonClass('quiet', 'normal', true)}>
          {text.cancel}
        </Link>
      }
    >
      <Row name={words.rows.plan}>{plan.name}</Row>
      <Row name={planOrderText.rows.seller}>{creator.name}</Row>
      <MonthlyRow name={planOrderText.rows.price} price={price} />
      <Row name={planOrderText.rows.today}>
        {act === 'register' ? (
          words.none
        ) : (
          <span className="font-semibold">
            <Money amount={price} text={yen(price)} note={orderText.taxIncluded} />
          </span>
        )}
      </Row>
      <Terms card={card} />
    </OrderFrame>
  )
}

function Terms({ card }: { card: Card }) {
  const { act, charge_day: day, next_charge_at: next, joined_at: joined, return_until: until } = card
  return (
    <>
      <Row name={planOrderText.rows.payment}>
        {words.acts[act]}
        {words.day(day, date(Date.parse(next)))}
      </Row>
      <StatementRow />
      <Row name={words.rows.kept}>{words.kept(date(Date.parse(joined)))}</Row>
      {until === null ? (
        <Row name={words.rows.before}>{words.before}</Row>
      ) : (
        <Row name={words.rows.until}>{words.until(dateTime(Date.parse(until)))}</Row>
      )}
      {act === 'return' && <Row name={planOrderText.rows.delivery}>{planOrderText.delivery}</Row>}
      <Row name={planOrderText.rows.renewal}>{planOrderText.renewal}</Row>
      <Row name={planOrderText.rows.cancelling}>{words.cancelling(lastDay(next))}</Row>
      {act !== 'register' && <Row name={planOrderText.rows.refund}>{planOrderText.refund}</Row>}
    </>
  )
}

function useCard({ membershipId, card: { act, price }, onDone }: CardOrderProps) {
  const client = useQueryClient()
  const { queryKey } = membershipCardQuery(membershipId)
  const readAgain = () => client.invalidateQueries({ queryKey })
  return usePayment({
    async begin(paymentId) {
      try {
        return await call(changeMembershipCard, {
          params: { membership_id: membershipId },
          body: { payment_id: paymentId, act, price },
        })
      } catch (failure) {
        // The form would do something else now, which the page shows before it is confirmed again.
        if (failure instanceof ApiFailure && failure.code === 'conflict') await readAgain()
        throw failure
      }
    },
    readAgain,
    had: 'already_joined',
    onHad: onDone,
    refusals: { ...planRefusal, ...words.refusals },
  })
}

/** The refusals of reading it that a page of their own explains. */
const isClosed = (code: FailureCode): code is keyof typeof words.closed => code in words.closed

/** Why the card of a membership cannot be changed; undefined for every other failure. */
export function closedCardOrder(error: unknown) {
  if (!(error instanceof ApiFailure) || !isClosed(error.code)) return undefined
  return (
    <ClosedOrder
      {...words.closed[error.code]}
      action={
        <Link to="/plan" search={{ tab: 'joined' }} replace className={buttonClass('quiet')}>
          {words.toJoined}
        </Link>
      }
    />
  )
}
