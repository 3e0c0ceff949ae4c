// TaskActions: the buttons of one task, each with a question before it acts.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  closeOperatorTask,
  listOperatorTasks,
  type OperatorTaskView,
  refundByAdmin,
} from '#contract/payments/operator-tasks.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { tasksText as words } from './tasks-text.ts'

type Action = 'refund' | 'close'

const dialogs = {
  refund: { title: words.refundTitle, description: words.refundText, label: words.refund },
  close: { title: words.closeTitle, description: words.closeText, label: words.close },
} as const

export function TaskActions({ task }: { task: OperatorTaskView }) {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Action>()
  const [busy, setBusy] = useState(false)
  const { payment } = task

  async function perform(action: Action): Promise<void> {
    setBusy(true)
    try {
      if (action === 'close') await call(closeOperatorTask, { params: { task_id: task.id }, body: {} })
      else await call(refundByAdmin, { params: { payment_id: payment?.id ?? '' }, body: {} })
      toast(action === 'close' ? words.closed : words.refundDone, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      toast(`${words.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      setChosen(undefined)
      void client.invalidateQueries(queriesOf(listOperatorTasks))
    }
  }

  const dialog = dialogs[chosen ?? 'close']
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button look="quiet" size="small" onClick={() => setChosen('close')}>
        {words.close}
      </Button>
      {payment?.state === 'paid' && (
        <Button look="danger" size="small" onClick={() => setChosen('refund')}>
          {words.refund}
        </Button>
      )}
      {payment && <SoldLink payment={payment} />}
      <AlertDialog
        open={chosen !== undefined}
        onOpenChange={(open) => !open && !busy && setChosen(undefined)}
        title={dialog.title}
        description={dialog.description}
        cancel={text.cancel}
        action={{
          label: dialog.label,
          danger: chosen === 'refund',
          busy,
          onSelect: () => void perform(chosen ?? 'close'),
        }}
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
