// TaskActions: closing a task after a question, and where its payment is.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  closeOperatorTask,
  listOperatorTasks,
  type OperatorTaskView,
} from '#contract/payments/operator-tasks.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { adjustmentsText } from './adjustments/text.ts'
import { tasksText as words } from './tasks-text.ts'

export function TaskActions({ task }: { task: OperatorTaskView }) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { payment } = task

  async function close(): Promise<void> {
    setBusy(true)
    try {
      await call(closeOperatorTask, { params: { task_id: task.id }, body: {} })
      toast(words.closed, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      setAsking(false)
      void client.invalidateQueries(queriesOf(listOperatorTasks))
    }
  }

  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {task.kind === 'clear_balance' ? (
        <Link to="/administration" search={{ show: 'balances' }} className={buttonClass('quiet', 'small')}>
          {words.toBalances}
        </Link>
      ) : (
        <Button look="quiet" size="small" onClick={() => setAsking(true)}>
          {words.close}
        </Button>
      )}
      {payment && (
        <Link
          to="/administration"
          search={{ show: 'adjustments', q: payment.id }}
          className={buttonClass('quiet', 'small')}
        >
          {adjustmentsText.toPayment}
        </Link>
      )}
      {payment && <SoldLink payment={payment} />}
      <AlertDialog
        open={asking}
        onOpenChange={(open) => !open && !busy && setAsking(false)}
        title={words.closeTitle}
        description={words.closeText}
        cancel={text.cancel}
        action={{ label: words.close, busy, onSelect: () => void close() }}
      />
    </div>
  )
}

/** Leads to what was sold: the post, or the creator's plans. */
function SoldLink({ payment }: { payment: NonNullable<OperatorTaskView['payment']> }) {
  const className = buttonClass('quiet', 'small')
  if (payment.post_id !== null)
    return (
      <Link to="/post/$id" params={{ id: payment.post_id }} className={className}>
        {words.post}
      </Link>
    )
  if (payment.plan_id === null) return null
  return (
    <Link
      to="/profile/$id"
      params={{ id: payment.creator.id }}
      search={{ type: 'plan' }}
      hash="plan-list"
      className={className}
    >
      {words.plans}
    </Link>
  )
}
