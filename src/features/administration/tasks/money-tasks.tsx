// MoneyTasks: what the operator has to do or examine about payments, and what is done.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Keyboard } from 'lucide-react'
import { type RefObject, useId, useRef, useState } from 'react'
import {
  listOperatorTasks,
  type OperatorTaskView,
  type TaskList,
  taskLists,
} from '#contract/payments/operator-tasks.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import { number } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { ChargesFile } from '#src/features/administration/charges-file.tsx'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { KeysSheet } from '#src/features/administration/keys-sheet.tsx'
import { useListKeys } from '#src/features/administration/list-keys.ts'
import { PracticeNote } from '#src/features/administration/payouts/practice-note.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskFacts } from './task-facts.tsx'
import { tasksText as words } from './text.ts'
import { administrationText } from '#src/features/administration/text.ts'
import { Waiting } from '#src/features/administration/waiting.tsx'

const tasksQuery = (list: TaskList) => ({
  ...pagesFor(listOperatorTasks, { query: { state: list } }),
  staleTime: 0,
})

interface MoneyTasksProps {
  shown: TaskList
  onShow: (list: TaskList) => void
  failed: Failed
  Confirmation: Confirms
}

export function MoneyTasks({ shown, onShow, failed, Confirmation }: MoneyTasksProps) {
  const rows = useRef<HTMLUListElement>(null)
  const [confirming, setConfirming] = useState(false)
  const [help, setHelp] = useState(false)
  const onUnconfirmed = () => setConfirming(true)
  useListKeys({ list: rows, onHelp: () => setHelp(true) })
  return (
    <section aria-labelledby="tasks" className="pb-16">
      <Link to="/administration" className="inline-flex min-h-11 items-center gap-1 px-3 pt-2 font-semibold">
        <ChevronLeft aria-hidden size={20} />
        {administrationText.toDesk}
      </Link>
      <div className="flex items-center gap-3 px-4 pt-3 pb-2">
        <h2 id="tasks" className="mr-auto text-lg font-semibold">
          {words.title}
        </h2>
        <Button look="quiet" size="small" aria-label={administrationText.keys} onClick={() => setHelp(true)}>
          <Keyboard aria-hidden size={18} />
        </Button>
      </div>
      <p className="px-4 pb-4 text-soft">{words.lead}</p>
      <PracticeNote />
      <Tabs<TaskList>
        label={words.title}
        value={shown}
        onChange={onShow}
        tabs={taskLists.map((value) => ({
          value,
          label: words.lists[value],
          panel: <Tasks list={value} rows={rows} failed={failed} onUnconfirmed={onUnconfirmed} />,
        }))}
      />
      <ChargesFile onUnconfirmed={onUnconfirmed} />
      <ConfirmSheet open={confirming} onOpenChange={setConfirming} Confirmation={Confirmation} />
      <KeysSheet open={help} onClose={() => setHelp(false)} />
    </section>
  )
}

interface TasksProps {
  list: TaskList
  rows: RefObject<HTMLUListElement | null>
  failed: Failed
  onUnconfirmed: () => void
}

function Tasks({ list, rows, failed, onUnconfirmed }: TasksProps) {
  const pages = useInfiniteQuery(tasksQuery(list))
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const tasks = pages.data.pages.flatMap((page) => page.tasks)
  const count = pages.data.pages.at(-1)?.open_count
  if (tasks.length === 0)
    return <EmptyState drawing="letter" title={words.none[list]} text={words.noneText[list]} />
  return (
    <>
      {count !== undefined && <p className="px-4 py-3 tabular-nums">{words.openCount(number(count))}</p>}
      <ul ref={rows} aria-label={words.lists[list]} className="border-t border-line">
        {tasks.map((task) => (
          <Task key={task.id} task={task} readAt={pages.dataUpdatedAt} onUnconfirmed={onUnconfirmed} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
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
  const isOpen = task.done_at === null
  const isOverdue = isOpen && Date.parse(task.due_at) < readAt
  return (
    <li
      data-row
      tabIndex={-1}
      aria-labelledby={id}
      className="border-b border-line px-4 py-4 focus-visible:-outline-offset-2"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={id} className="font-semibold">
          {words.kinds[task.kind]}
        </h3>
        {isOverdue && <Badge look="care">{words.overdue}</Badge>}
      </div>
      {task.why !== '' && <p className="mt-1">{words.why[task.why] ?? words.otherWhy}</p>}
      {isOpen && <p className="mt-1 text-sm text-soft">{words.todo[task.kind]}</p>}
      <TaskFacts task={task} />
      <TaskActions task={task} onUnconfirmed={onUnconfirmed} />
    </li>
  )
}
