// TaskFacts: what is known of a task about money: dates, numbers, people and notices.
import { Link } from '@tanstack/react-router'
import type { OperatorTaskView } from '#contract/payments/operator-tasks.ts'
import { dateTime, number, yen } from '#src/lib/format.ts'
import { adjustmentsText } from '#src/features/administration/adjustments/text.ts'
import { tasksText as words } from './text.ts'

type Row = readonly [name: string, value: string]

const timeOf = (text: string): string => dateTime(Date.parse(text))

/** An open task has a deadline; a closed one has its end. */
const endRows = ({ due_at, done_at, done_why }: OperatorTaskView): Row[] =>
  done_at === null
    ? [[words.rows.due, timeOf(due_at)]]
    : [
        [words.rows.done, timeOf(done_at)],
        ...(done_why ? [[words.rows.ended, words.ends[done_why]] as const] : []),
      ]

export function TaskFacts({ task }: { task: OperatorTaskView }) {
  const { provider, charge_ref: charge, recurring_ref: recurring, amount } = task
  const { created_at, payment, creator, actor, notices } = task
  const rows: Row[] = [
    ...endRows(task),
    ...(provider ? [[words.rows.provider, words.provider(provider)] as const] : []),
    ...(notices
      ? [
          [words.rows.count, words.count(number(notices.count))] as const,
          [words.rows.first, timeOf(created_at)] as const,
          [words.rows.last, timeOf(notices.last_at)] as const,
        ]
      : []),
    ...(charge === '' || notices ? [] : [[words.rows.charge, charge] as const]),
    ...(recurring === '' ? [] : [[words.rows.recurring, recurring] as const]),
    ...(amount === null ? [] : [[words.rows.amount, yen(amount)] as const]),
    ...(actor ? [[words.rows.actor, actor.name] as const] : []),
    ...(creator ? [[words.rows.creator, creator.name] as const] : []),
    ...(payment
      ? [
          [words.rows.state, `${words.states[payment.state]}（${yen(payment.amount)}）`] as const,
          [words.rows.buyer, payment.buyer.name] as const,
          [words.rows.creator, payment.creator.name] as const,
        ]
      : []),
  ]
  return (
    <>
      <dl className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-all tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {notices && <Newest notices={notices} />}
    </>
  )
}

function Newest({ notices: { newest } }: { notices: NonNullable<OperatorTaskView['notices']> }) {
  return (
    <>
      <h4 className="mt-3 text-sm font-semibold">{words.newest}</h4>
      <ul className="text-sm tabular-nums">
        {newest.map(({ at, charge_ref: charge, payment_id: payment }) => (
          <li key={`${at} ${charge}`} className="flex flex-wrap items-center gap-x-3">
            <span>{timeOf(at)}</span>
            <span className="min-w-0 break-all text-soft">
              {charge === '' ? words.noCharge : words.chargeOf(charge)}
            </span>
            {payment !== null && (
              <Link
                to="/administration"
                search={{ show: 'adjustments', q: payment }}
                className="inline-flex min-h-11 items-center underline"
              >
                {adjustmentsText.toPayment}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
