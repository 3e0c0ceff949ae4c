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
import { yen } from '#src/lib/format.ts'
import {
  PreviewSheet,
  type PreviewSheetProps,
} from '#src/features/administration/adjustments/preview-sheet.tsx'
import { adjustmentsText } from '#src/features/administration/adjustments/text.ts'
import { tasksText as words } from './text.ts'

interface TaskActionsProps {
  task: OperatorTaskView
  onUnconfirmed: () => void
}

/** Tasks that are closed by what settles them. */
const links: Partial<
  Record<OperatorTaskView['kind'], { show: 'balances' | 'payouts' | 'settlements'; label: string }>
> = {
  withhold_tax: { show: 'payouts', label: words.toPayouts },
  clear_balance: { show: 'balances', label: words.toBalances },
  old_balance: { show: 'balances', label: words.toBalances },
  unsettled_charge: { show: 'settlements', label: words.toSettlements },
}
const booksReturn = ({ kind }: OperatorTaskView) => kind === 'refund' || kind === 'refund_surplus'

function useClosing(task: OperatorTaskView, onUnconfirmed: () => void) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const readAgain = () => void client.invalidateQueries(queriesOf(listOperatorTasks))

  async function close(): Promise<void> {
    setBusy(true)
    try {
      await call(closeOperatorTask, { params: { task_id: task.id }, body: {} })
      toast(words.closed, 'success')
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(`${words.failed}${errorText[failure.code]}`, 'error')
    } finally {
      setBusy(false)
      setAsking(false)
      readAgain()
    }
  }

  return { asking, setAsking, busy, close, readAgain }
}

export function TaskActions({ task, onUnconfirmed }: TaskActionsProps) {
  const { asking, setAsking, busy, close, readAgain } = useClosing(task, onUnconfirmed)
  const { payment } = task
  const isOpen = task.done_at === null
  const link = isOpen ? links[task.kind] : undefined

  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {link && (
        <Link
          data-open
          to="/administration"
          search={{ show: link.show }}
          className={buttonClass('quiet', 'small')}
        >
          {link.label}
        </Link>
      )}
      {isOpen && !link && (
        <Button data-open look="quiet" size="small" onClick={() => setAsking(true)}>
          {words.close}
        </Button>
      )}
      {payment && (
        <Link
          {...(!isOpen && { 'data-open': true })}
          to="/administration"
          search={{ show: 'adjustments', q: payment.id }}
          className={buttonClass('quiet', 'small')}
        >
          {adjustmentsText.toPayment}
        </Link>
      )}
      {payment && <SoldLink payment={payment} />}
      {asking && booksReturn(task) && (
        <CloseSheet
          task={task}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            readAgain()
          }}
          onUnconfirmed={onUnconfirmed}
        />
      )}
      <AlertDialog
        open={asking && !booksReturn(task)}
        onOpenChange={(open) => !open && !busy && setAsking(false)}
        title={words.closeTitle}
        description={words.closeText}
        cancel={text.cancel}
        action={{ label: words.close, busy, onSelect: () => void close() }}
      />
    </div>
  )
}

type CloseSheetProps = Pick<PreviewSheetProps, 'onClose' | 'onDone' | 'onUnconfirmed'> & {
  task: OperatorTaskView
}

/** Shows what closing a refund books, and closes it. */
function CloseSheet({ task, ...rest }: CloseSheetProps) {
  const { amount, payment } = task
  async function request(preview: boolean) {
    const { booked } = await call(closeOperatorTask, { params: { task_id: task.id }, body: { preview } })
    return booked ?? { entries: [], done: !preview, waits: false }
  }
  return (
    <PreviewSheet
      {...rest}
      open
      title={words.closeTitle}
      check={() => true}
      request={request}
      facts={[
        ...(amount === null ? [] : [[words.rows.amount, yen(amount)] as const]),
        ...(payment ? [[words.rows.buyer, payment.buyer.name] as const] : []),
      ]}
      lead={words.returnedText}
      done={words.closed}
      conflict={words.alreadyClosed}
    >
      <p>{words.closeText}</p>
    </PreviewSheet>
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
