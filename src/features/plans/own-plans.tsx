// OwnPlans: the list of the creator's plans, in their order.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { MAX_PLANS } from '#contract/limits.ts'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { planWords } from '#src/domain/plans/text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Money } from '#src/ui/text/money.tsx'
import { PlanThumb } from './plan-picture.tsx'
import { ownPlansQuery } from './plans.ts'
import { planText } from './text.ts'
import { useReordering } from './use-reordering.ts'

const words = planText.own

export function OwnPlans() {
  const { plans } = useSuspenseQuery(ownPlansQuery).data
  const running = plans.filter((it) => it.state !== 'ended')
  const ended = plans.filter((it) => it.state === 'ended')
  return (
    <div className="pb-16">
      {running.length === 0 ? <NoPlans /> : <Running plans={running} />}
      {ended.length > 0 && (
        <section aria-labelledby="ended" className="mt-8">
          <h2 id="ended" className="px-4 pb-1 text-sm font-semibold text-soft rail:px-6">
            {words.ended}
          </h2>
          <ul className="border-t border-line">
            {ended.map((plan) => (
              <PlanRow key={plan.id} plan={plan} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Whether the person may create plans; otherwise they are led to the identity check. */
function useMayCreate(): boolean {
  return useMember()?.identified === true
}

function NoPlans() {
  const mayCreate = useMayCreate()
  return (
    <EmptyState
      drawing="letter"
      title={words.none}
      text={mayCreate ? words.noneText : `${words.noneText}${words.needsIdentity}`}
      action={
        mayCreate ? (
          <Link to="/plan/add" className={buttonClass('seal')}>
            {planText.create}
          </Link>
        ) : (
          <Link to="/user/verification" className={buttonClass('ink')}>
            {words.toIdentity}
          </Link>
        )
      }
    />
  )
}

function Running({ plans }: { plans: readonly OwnPlan[] }) {
  const [isOrdering, setOrdering] = useState(false)
  const { shown, move, said } = useReordering(plans)
  return (
    <>
      <Total plans={plans} />
      <ul>
        {shown.map((plan, index) =>
          isOrdering ? (
            <OrderRow
              key={plan.id}
              plan={plan}
              isFirst={index === 0}
              isLast={index === shown.length - 1}
              onMove={(by) => move(index, index + by)}
            />
          ) : (
            <PlanRow key={plan.id} plan={plan} />
          ),
        )}
      </ul>
      <output className="sr-only">{said}</output>
      <div className="flex flex-wrap items-center gap-3 px-4 pt-5 rail:px-6">
        {!isOrdering && <Create count={plans.length} />}
        {plans.length > 1 && (
          <Button look="quiet" size="small" onClick={() => setOrdering(!isOrdering)}>
            {isOrdering ? words.reordered : words.reorder}
          </Button>
        )}
      </div>
    </>
  )
}

/** What the members of all plans pay each month. */
function Total({ plans }: { plans: readonly OwnPlan[] }) {
  const total = plans.reduce((sum, it) => sum + it.monthly_yen, 0)
  return (
    <div className="border-b border-line px-4 py-4 rail:px-6">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{words.total}</span>
        <span className="text-xl font-semibold">
          <Money amount={total} text={yen(total)} />
        </span>
      </p>
      <p className="text-sm text-soft">{words.totalHint}</p>
    </div>
  )
}

function Create({ count }: { count: number }) {
  const mayCreate = useMayCreate()
  if (count >= MAX_PLANS) return <p className="text-sm text-soft">{words.atMost}</p>
  if (!mayCreate)
    return (
      <Link to="/user/verification" className={buttonClass('ink', 'small')}>
        {words.toIdentity}
      </Link>
    )
  return (
    <Link to="/plan/add" className={buttonClass('seal', 'small')}>
      <Plus aria-hidden size={18} className="mr-1" />
      {planText.create}
    </Link>
  )
}

const rowClass = 'relative flex min-h-24 items-center gap-4 border-b border-line px-4 py-3 rail:px-6'

function PlanRow({ plan }: { plan: OwnPlan }) {
  return (
    <li className={`${rowClass} hover:bg-sunk`}>
      <PlanThumb picture={plan.picture} />
      <div className="min-w-0 flex-1">
        <Link
          to="/plan"
          search={{ id: plan.id }}
          className="block font-semibold break-words after:absolute after:inset-0"
        >
          {plan.name}
        </Link>
        <PlanFigures plan={plan} />
      </div>
      <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
    </li>
  )
}

/** Price, number of members, what they pay, and the state unless it is open. */
export function PlanFigures({ plan }: { plan: OwnPlan }) {
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <Money amount={plan.price} text={yen(plan.price)} note={planWords.perMonthShort} />
      <span className="tabular-nums">{planWords.members(plan.member_count)}</span>
      {plan.monthly_yen > 0 && <span className="tabular-nums">{words.monthly(yen(plan.monthly_yen))}</span>}
      {plan.state !== 'open' && (
        <Badge look={plan.state === 'closing' ? 'care' : 'plain'}>{planWords.states[plan.state]}</Badge>
      )}
    </p>
  )
}

interface OrderRowProps {
  plan: OwnPlan
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
}

function OrderRow({ plan, isFirst, isLast, onMove }: OrderRowProps) {
  return (
    <li className={rowClass}>
      <PlanThumb picture={plan.picture} />
      <span className="min-w-0 flex-1 font-semibold break-words">{plan.name}</span>
      <IconButton
        label={words.up(plan.name)}
        icon={<ArrowUp size={20} />}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={words.down(plan.name)}
        icon={<ArrowDown size={20} />}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
    </li>
  )
}
