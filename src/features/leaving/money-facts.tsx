// MoneyFacts: what a deletion does to purchases, joined plans and own members.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { lastDay } from '#src/domain/plans/text.ts'
import { text } from '#src/domain/text/text.ts'
import { yen } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { Earnings } from './earnings.tsx'
import { deletionQuery, nameOfPlan } from './queries.ts'
import { leavingText } from './text.ts'

const words = leavingText.money
const paperClass = 'inline-flex min-h-11 items-center underline underline-offset-4'

export function MoneyFacts() {
  const it = useQuery(deletionQuery)
  if (it.data) {
    const { memberships, members, bought, earnings } = it.data
    return (
      <Section>
        {bought.posts > 0 && <p>{words.bought(bought.posts, yen(bought.amount))}</p>}
        {memberships.length > 0 && <JoinedPlans memberships={memberships} />}
        {members > 0 && <p>{words.members(members)}</p>}
        {earnings && <Earnings earnings={earnings} />}
        <Documents hasSold={earnings !== null} />
      </Section>
    )
  }
  return (
    <Section>
      <p>{words.purchases}</p>
      {it.error ? (
        <div className="flex flex-col items-start gap-2">
          <FormError sentence={`${words.unread}${refusalOf(it.error, []).whole}`} />
          <Button
            look="quiet"
            busy={it.isFetching}
            busyLabel={text.loading}
            onClick={() => void it.refetch()}
          >
            {text.retry}
          </Button>
        </div>
      ) : (
        <Spinner label={text.loading} />
      )}
    </Section>
  )
}

function Section({ children }: { children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="font-semibold">
        {words.title}
      </h2>
      {children}
    </section>
  )
}

/** Papers that cannot be shown any more, with links to them. */
function Documents({ hasSold }: { hasSold: boolean }) {
  return (
    <div>
      <p>{words.documents}</p>
      {hasSold && <p>{words.statements}</p>}
      <p className="flex flex-wrap gap-x-4">
        <Link to="/purchase-history" className={paperClass}>
          {words.toReceipts}
        </Link>
        {hasSold && (
          <Link to="/settings/sales-management/statements" className={paperClass}>
            {words.toStatements}
          </Link>
        )}
      </p>
    </div>
  )
}

function JoinedPlans({ memberships }: { memberships: readonly MembershipNote[] }) {
  const id = useId()
  return (
    <div className="rounded-media border border-edge p-4">
      <h3 id={id} className="font-semibold">
        {words.plans}
      </h3>
      <ul aria-labelledby={id} className="mt-2 flex flex-col gap-3">
        {memberships.map((it) => (
          <li key={it.id} className="break-words">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="min-w-0">{nameOfPlan(it)}</span>
              <span className="tabular-nums">{words.price(yen(it.price))}</span>
            </p>
            <p className="text-sm text-soft tabular-nums">
              {(it.renews ? words.renews : words.paid)(lastDay(it.paid_until))}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm">{words.noRefund}</p>
    </div>
  )
}
