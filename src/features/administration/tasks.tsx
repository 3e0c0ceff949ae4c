// MoneyTasks: what the operator has to do or examine about payments.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useId, useState } from 'react'
import { listOperatorTasks, type OperatorTaskView } from '#contract/payments/operator-tasks.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import type { Failed } from './check-list.tsx'
import { ChargesFile } from './charges-file.tsx'
import { ConfirmSheet } from './confirm-sheet.tsx'
import type { Confirms } from './evidence.tsx'
import { PracticeNote } from './payouts/practice-note.tsx'
import { TaskActions } from './task-actions.tsx'
import { tasksText as words } from './tasks-text.ts'
import { administrationText } from './text.ts'
import { Waiting } from './waiting.tsx'

export const tasksQuery = { ...queryFor(listOperatorTasks, {}), staleTime: 0 }

interface MoneyTasksProps {
  failed: Failed
  Confirmation: Confirms
}

export function MoneyTasks({ failed, Confirmation }: MoneyTasksProps) {
  const [confirming, setConfirming] = useState(false)
  const onUnconfirmed = () => setConfirming(true)
  return (
    <section aria-labelledby="tasks" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <h2 id="tasks" className="px-4 pt-3 pb-2 text-lg font-semibold">
        {words.title}
      </h2>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <PracticeNote />
      <Tasks failed={failed} onUnconfirmed={onUnconfirmed} />
      <ChargesFile onUnconfirmed={onUnconfirmed} />
      <ConfirmSheet open={confirming} onOpenChange={setConfirming} Confirmation={Confirmation} />
    </section>
  )
}

function Tasks({ failed, onUnconfirmed }: { failed: Failed; onUnconfirmed: () => void }) {
  const reading = useQuery(tasksQuery)
  if (reading.isPending) return <Waiting />
  if (!reading.data) return failed(reading.error, reading.refetch)
  const { tasks, has_more: hasMore } = reading.data
  if (tasks.length === 0) return <EmptyState drawing="letter" title={words.none} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.title} className="border-t border-line">
        {tasks.map((task) => (
          <Task key={task.id} task={task} readAt={reading.dataUpdatedAt} onUnconfirmed={onUnconfirmed} />
        ))}
      </ul>
      {hasMore && <p className="px-4 pt-4 text-sm text-soft">{words.more}</p>}
    </>
  )
}

interface TaskProps {
  task: OperatorTaskView
  readAt: number
  onUnconfirmed: () => void
}

function Task({ task, readAt, onUnconfirmed }: TaskProps) {
  const id = useId()
  const isOverdue = Date.parse(task.due_at) < readAt
  return (
    <li aria-labelledby={id} className="border-b border-line px-4 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="font-semibold">
          {words.kinds[task.kind]}
        </h3>
        {isOverdue && <Badge look="care">{words.overdue}</Badge>}
      </div>
      {task.why !== '' && <p className="mt-1">{words.why[task.why] ?? words.otherWhy}</p>}
      <p className="mt-1 text-sm text-soft">{words.todo[task.kind]}</p>
      <Facts task={task} />
      <TaskActions task={task} onUnconfirmed={onUnconfirmed} />
    </li>
  )
}

function Facts({
  task: { due_at, provider, charge_ref: charge, recurring_ref: recurring, amount, payment, creator, actor },
}: {
  task: OperatorTaskView
}) {
  const rows: [string, string][] = [
    [words.rows.due, dateTime(Date.parse(due_at))],
    ...(provider ? [[words.rows.provider, words.provider(provider)] as [string, string]] : []),
    ...(charge === '' ? [] : [[words.rows.charge, charge] as [string, string]]),
    ...(recurring === '' ? [] : [[words.rows.recurring, recurring] as [string, string]]),
    ...(amount === null ? [] : [[words.rows.amount, yen(amount)] as [string, string]]),
    ...(actor ? [[words.rows.actor, actor.name] as [string, string]] : []),
    ...(creator ? [[words.rows.creator, creator.name] as [string, string]] : []),
    ...(payment
      ? ([
          [words.rows.state, `${words.states[payment.state]}（${yen(payment.amount)}）`],
          [words.rows.buyer, payment.buyer.name],
          [words.rows.creator, payment.creator.name],
        ] as [string, string][])
      : []),
  ]
  return (
    <dl className="mt-2 grid grid-cols-[7rem_1fr] gap-x-3 gap-y-0.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 break-all tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
