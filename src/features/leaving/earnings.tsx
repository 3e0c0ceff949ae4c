// Earnings: what a deletion does to a creator's balance, plans and members' months.
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import type { LeavingEarnings } from '#contract/accounts/leaving.ts'
import { yen } from '#src/lib/format.ts'
import { leavingText } from './text.ts'

const words = leavingText.earnings

/** What is left after the refunds of the day of the erasure, as far as they are known, yen. */
export const restOf = ({ balance, refunds }: LeavingEarnings): number => balance - refunds.cost

/** Whether the person has money that no payout can pay. */
export const lacksAccount = (it: LeavingEarnings): boolean => restOf(it) > 0 && !it.has_account

export function Earnings({ earnings: it }: { earnings: LeavingEarnings }) {
  const id = useId()
  const { count, amount, cost } = it.refunds
  const rest = restOf(it)
  return (
    <div className="rounded-media border border-edge p-4">
      <h3 id={id} className="font-semibold">
        {words.title}
      </h3>
      <Figures earnings={it} />
      {it.plans.length > 0 && <Plans plans={it.plans} />}
      {it.kept.posts > 0 && <p className="mt-3 text-sm">{words.kept(it.kept.posts, it.kept.buyers)}</p>}
      {count > 0 && <p className="mt-3 text-sm">{words.refunds(count, yen(amount), yen(cost))}</p>}
      {rest > 0 && it.has_account && <p className="mt-3 text-sm">{words.paid}</p>}
      {rest > 0 && !it.has_account && (
        <>
          <p className="mt-3 text-sm text-care-text">{words.noAccount}</p>
          <Link
            to="/settings/bank-account"
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {words.toAccount}
          </Link>
        </>
      )}
      {rest < 0 && <p className="mt-3 text-sm text-care-text">{words.negative}</p>}
    </div>
  )
}

function Figures({ earnings: it }: { earnings: LeavingEarnings }) {
  const rows = [
    [words.balance, it.balance],
    [words.available, it.available],
    [words.openMonth, it.open_month],
  ] as const
  return (
    <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-3 gap-y-1">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className={name === words.balance ? '' : 'text-sm text-soft'}>{name}</dt>
          <dd className="text-right tabular-nums">{yen(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Plans({ plans }: { plans: LeavingEarnings['plans'] }) {
  const id = useId()
  return (
    <>
      <h4 id={id} className="mt-3 text-sm font-semibold">
        {words.plans}
      </h4>
      <ul aria-labelledby={id} className="text-sm">
        {plans.map((it, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- two plans may have one name
          <li key={place} className="break-words">
            {words.plan(it.name, it.members)}
          </li>
        ))}
      </ul>
    </>
  )
}
