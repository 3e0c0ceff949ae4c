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
import { booksReturn, closeTaskByHand } from '#server/services/billing/close-task.ts'
import { type ActedBy, byOf, refuseOwn } from '#server/services/billing/money-door.ts'
import { perform } from '#server/services/billing/perform.ts'
import { isPractice } from '#server/services/payments/providers.ts'
import { findChargeOf } from '#server/store/payments/charges.ts'
import { entriesOf } from '#server/store/payments/ledger.ts'
import { findOpenTask, listOpenTasks, type OperatorTask } from '#server/store/payments/operator-tasks.ts'
import { findPayment, findPayments, type PaymentRow } from '#server/store/payments/payments.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'
import { compareUpload } from './uploaded-list.ts'

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

  memberRoute(app, closeOperatorTask, async ({ viewer, params, body, request }) => {
    return close(deps, params.task_id, byOf(deps, viewer, request.ip), body.preview)
  })

  memberRoute(app, reconcileByAdmin, ({ viewer, body, request }) =>
    compareUpload(deps, body, byOf(deps, viewer, request.ip)),
  )
}

async function close(deps: Deps, id: string, by: ActedBy, isPreview: boolean) {
  const { db } = deps
  const task = await findOpenTask(db, id)
  if (!task) throw new ApiError('not_found')
  const payment = task.paymentId === null ? undefined : await findPayment(db, task.paymentId)
  if (payment) await refuseOwn(db, by, [payment.userId, payment.creatorId])
  const { amount = 0, chargeRef = '' } = task.details
  const charge = payment && (await findChargeOf(db, { paymentId: payment.id, chargeRef }))
  const chargeId = charge?.id ?? ''
  const entries = (tx: Deps['db']) => (chargeId === '' ? Promise.resolve([]) : entriesOf(tx, { chargeId }))
  const before = new Set((await entries(db)).map((it) => it.id))
  const booked = await perform(deps, {
    by,
    isPreview,
    ...(booksReturn(task) && {
      second: { door: 'closeOperatorTask', about: [id, amount], amount, paymentId: task.paymentId },
    }),
    work: (unit) => closeTaskByHand(deps, unit, id, by),
    booked: async (tx) => (await entries(tx)).filter((it) => !before.has(it.id)),
  })
  return { data: { id }, booked }
}

async function viewsOf({ db }: Deps, rows: readonly OperatorTask[]): Promise<OperatorTaskView[]> {
  const payments = await findPayments(
    db,
    rows.flatMap((it) => it.paymentId ?? []),
  )
  const people = await findPeople(db, [
    ...[...payments.values()].flatMap((it) => [it.userId, it.creatorId]),
    ...rows.flatMap((it) => [it.details.creator ?? [], it.details.actor ?? []].flat()),
  ])
  return rows.map((task) => {
    const payment = task.paymentId === null ? undefined : payments.get(task.paymentId)
    const {
      chargeRef = '',
      recurringRef = '',
      why = '',
      amount,
      creator: creatorId = '',
      actor: actorId = '',
    } = task.details
    const provider = task.details.provider ?? payment?.provider ?? null
    const [creator, actor] = [people.get(creatorId), people.get(actorId)]
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
      actor: actor ? personView(actor) : null,
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
