// Routes of admins for tasks about money. Each call is in the audit log.
import type { FastifyInstance } from 'fastify'
import {
  closeOperatorTask,
  listOperatorTasks,
  type OperatorTaskView,
  reconcileByAdmin,
} from '#contract/payments/operator-tasks.ts'
import { withEarlierRefs } from '#contract/payments/earlier-refs.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { personView } from '#server/services/people/person-view.ts'
import { reconcileWith } from '#server/services/billing/reconcile.ts'
import { closeTaskByHand } from '#server/services/billing/close-task.ts'
import { isPractice } from '#server/services/payments/providers.ts'
import { listOpenTasks, type OperatorTask } from '#server/store/payments/operator-tasks.ts'
import { findPayments, type PaymentRow } from '#server/store/payments/payments.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

/** Tasks of one reply. */
const MOST = 100

export function paymentAdminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit } = deps

  memberRoute(app, listOperatorTasks, async ({ viewer, request }) => {
    const rows = await listOpenTasks(db, MOST + 1)
    const tasks = await viewsOf(deps, rows.slice(0, MOST))
    const entry = {
      actorId: viewer.id,
      act: 'tasks.list',
      subjectKind: 'user',
      subjectId: viewer.id,
    } as const
    await audit({ ...entry, detail: { tasks: tasks.map((it) => it.id) }, ip: request.ip })
    return { tasks, has_more: rows.length > MOST }
  })

  memberRoute(app, closeOperatorTask, async ({ viewer, params, request }) => {
    const id = params.task_id
    const closed = await closeTaskByHand(deps, id, { actorId: viewer.id, ip: request.ip })
    if (closed === 'settled_elsewhere') throw new ApiError('conflict')
    if (!closed) throw new ApiError('not_found')
    return { data: { id } }
  })

  memberRoute(app, reconcileByAdmin, async ({ viewer, body, request }) => {
    const result = await reconcileWith(deps, body.text)
    if (result === 'unreadable') throw new ApiError('invalid', { text: 'malformed' })
    if (!result) throw new ApiError('unavailable')
    const entry = { actorId: viewer.id, act: 'reconcile', subjectKind: 'user', subjectId: viewer.id } as const
    await audit({ ...entry, detail: { ...result }, ip: request.ip })
    return result
  })
}

async function viewsOf({ db }: Deps, rows: readonly OperatorTask[]): Promise<OperatorTaskView[]> {
  const payments = await findPayments(
    db,
    rows.flatMap((it) => it.paymentId ?? []),
  )
  const people = await findPeople(db, [
    ...[...payments.values()].flatMap((it) => [it.userId, it.creatorId]),
    ...rows.flatMap((it) => it.details.creator ?? []),
  ])
  return rows.map((task) => {
    const payment = task.paymentId === null ? undefined : payments.get(task.paymentId)
    const { chargeRef = '', recurringRef = '', why = '', amount, creator: creatorId = '' } = task.details
    const provider = task.details.provider ?? payment?.provider ?? null
    const creator = people.get(creatorId)
    return withEarlierRefs({
      id: task.id,
      kind: task.kind,
      created_at: task.createdAt.toISOString(),
      due_at: task.dueAt.toISOString(),
      ...(provider !== null && { provider: { name: provider, is_practice: isPractice(provider) } }),
      charge_ref: chargeRef,
      recurring_ref: recurringRef,
      amount: amount ?? null,
      why,
      payment: payment ? paymentOf(payment, people) : null,
      creator: creator ? personView(creator) : null,
    })
  })
}

function paymentOf(payment: PaymentRow, people: ReadonlyMap<string, Person>): OperatorTaskView['payment'] {
  const [buyer, creator] = [people.get(payment.userId), people.get(payment.creatorId)]
  if (!buyer || !creator) return null
  return {
    id: payment.id,
    amount: payment.amount,
    state: payment.state,
    post_id: payment.postId,
    plan_id: payment.planId,
    paid_at: payment.paidAt?.toISOString() ?? null,
    buyer: personView(buyer),
    creator: personView(creator),
  }
}
