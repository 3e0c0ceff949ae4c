// OrderFrame: a final confirmation: its rows, links to law and terms, and its buttons.
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText } from '#src/domain/api/errors-text.ts'
import { useOnline } from '#src/lib/online.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Banner } from '#src/ui/states/banner.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { allowanceQuery, type Due, operatorQuery } from './payments.ts'
import type { PaymentStart } from '#contract/payments/payments.ts'
import { ProviderStart } from './provider-start.tsx'
import { tooNewText } from './too-new-text.ts'
import { orderText as words } from './text.ts'

interface OrderFrameProps {
  /** Whether confirming it buys or joins, which the operator may have paused. */
  isSale?: boolean
  /** What is paid now, for which an account may be too new; left out where nothing is. */
  due?: Due
  lead: string
  /** Who sells, whose page by law is linked. */
  creatorId: string
  /** The rows of what is ordered. */
  children: ReactNode
  /** Shown while there is no network. */
  offline: string
  problem: string | undefined
  busy: boolean
  /** The label of the button, and what screen readers hear while it is busy. */
  action: { readonly label: string; readonly busy: string }
  onConfirm: () => Promise<void>
  /** The link that leads back. */
  cancel: ReactNode
  /** The way to the provider, once the payment has begun. */
  start?: PaymentStart | undefined
}

export function OrderFrame(props: OrderFrameProps) {
  const { isSale, due, lead, creatorId, children, offline, problem, busy, action, onConfirm, cancel, start } =
    props
  const online = useOnline()
  const operator = useQuery(operatorQuery).data
  const isPaused = isSale === true && operator !== undefined && operator.payments?.is_selling !== true
  const tooNew = useTooNew(due)
  return (
    <div className="px-4 pt-5 pb-16 rail:px-6">
      {operator?.payments?.is_sandbox && <Banner look="care">{words.sandbox}</Banner>}
      {isPaused ? <Banner look="care">{words.paused}</Banner> : <p className="mt-3">{lead}</p>}
      <dl className="mt-4 border-t border-line">{children}</dl>
      <LawLinks creatorId={creatorId} />
      <div className="mt-4 flex flex-col gap-3">
        <FormError sentence={online ? (isPaused ? errorText.sales_paused : (tooNew ?? problem)) : offline} />
        <Button
          look="seal"
          wide
          busy={busy}
          busyLabel={action.busy}
          disabled={!online || isPaused || tooNew !== undefined}
          onClick={() => void onConfirm()}
        >
          {action.label}
        </Button>
        {cancel}
      </div>
      {start && <ProviderStart start={start} />}
    </div>
  )
}

/** Why an account that is new cannot pay this now; undefined where it can. */
function useTooNew(due: Due | undefined): string | undefined {
  const query = allowanceQuery(due ?? { price: 0, postId: '' })
  const allowance = useQuery({ ...query, enabled: due !== undefined }).data?.allowance
  return due && allowance ? tooNewText(due.price, allowance) : undefined
}

const lawLink = 'inline-flex min-h-11 items-center underline underline-offset-4'

function LawLinks({ creatorId }: { creatorId: string }) {
  return (
    <p className="mt-4 flex flex-wrap gap-x-4 text-sm">
      <Link to="/profile/seller/$id" params={{ id: creatorId }} className={lawLink}>
        {words.law}
      </Link>
      <Link to="/settings/terms-of-service" className={lawLink}>
        {words.terms}
      </Link>
    </p>
  )
}

export function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 border-b border-line py-3 rail:grid-cols-[11rem_1fr]">
      <dt className="text-sm font-semibold text-soft rail:pt-0.5">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

/** The name that the card statement will have. */
export function StatementRow() {
  const payments = useQuery(operatorQuery).data?.payments
  return payments && <Row name={words.statementRow}>{words.statement(payments.statement_name)}</Row>
}

interface ClosedOrderProps {
  title: string
  text: string
  /** The link that leads on. */
  action: ReactNode
}

/** Shown in place of a confirmation of what cannot be ordered. */
export function ClosedOrder(props: ClosedOrderProps) {
  return <EmptyState drawing="letter" {...props} />
}
