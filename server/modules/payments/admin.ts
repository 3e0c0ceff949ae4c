// Routes of admins for tasks about money. Each call is in the audit log.
import type { FastifyInstance } from 'fastify'
import { closeOperatorTask, listOperatorTasks, reconcileByAdmin } from '#contract/payments/operator-tasks.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { booksReturn, closeTaskByHand } from '#server/services/billing/close-task.ts'
import { type ActedBy, byOf, refuseOwn } from '#server/services/billing/money-door.ts'
import { perform } from '#server/services/billing/perform.ts'
import { findChargeOf } from '#server/store/payments/charges.ts'
import { entriesOf } from '#server/store/payments/ledger.ts'
import { countOpenTasks, listClosedTasks } from '#server/store/payments/closed-tasks.ts'
import { findOpenTask, listOpenTasks } from '#server/store/payments/operator-tasks.ts'
import { findPayment } from '#server/store/payments/payments.ts'
import { taskViews } from './task-views.ts'
import { compareUpload } from './uploaded-list.ts'

/** Tasks of one reply. */
const PAGE = 50

export function paymentAdminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, audit } = deps

  memberRoute(app, listOperatorTasks, async ({ viewer, query, request }) => {
    const list = query.state === 'open' ? listOpenTasks : listClosedTasks
    const rows = await list(db, PAGE + 1, timeCursor.read(query.cursor))
    const placeOf = ({ id, dueAt, doneAt }: (typeof rows)[number]) => ({ at: doneAt ?? dueAt, id })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, placeOf)
    const tasks = await taskViews(deps, shown)
    const entry = {
      actorId: viewer.id,
      act: 'tasks.list',
      subjectKind: 'user',
      subjectId: viewer.id,
    } as const
    await audit({ ...entry, detail: { tasks: tasks.map((it) => it.id) }, ip: request.ip })
    return { tasks, has_more: next !== null, next, open_count: await countOpenTasks(db) }
  })

  memberRoute(app, closeOperatorTask, async ({ viewer, params, body, request }) => {
    return close(deps, params.task_id, byOf(deps, viewer, request.ip), body.preview)
  })

  memberRoute(app, reconcileByAdmin, ({ viewer, body, request }) =>
    compareUpload(deps, body, byOf(deps, viewer, request.ip)),
  )
}

async function close(deps: Deps, taskId: string, by: ActedBy, isPreview: boolean) {
  const { db } = deps
  const task = await findOpenTask(db, taskId)
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
      second: { door: 'closeOperatorTask', about: [taskId, amount], amount, paymentId: task.paymentId },
    }),
    work: (unit) => closeTaskByHand(deps, unit, taskId, by),
    booked: async (tx) => (await entries(tx)).filter((it) => !before.has(it.id)),
  })
  return { data: { id: taskId }, booked }
}
