// Tasks about money as staff see them, with their payments and people.
import { withEarlierRefs } from '#contract/payments/earlier-refs.ts'
import type { OperatorTaskView } from '#contract/payments/operator-tasks.ts'
import type { Deps } from '#server/deps.ts'
import { isPractice } from '#server/services/payments/providers.ts'
import { personView } from '#server/services/people/person-view.ts'
import type { OperatorTask } from '#server/store/payments/operator-tasks.ts'
import { findPayments, type PaymentRow } from '#server/store/payments/payments.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

/** Tasks as staff see them. */
export async function taskViews({ db }: Deps, rows: readonly OperatorTask[]): Promise<OperatorTaskView[]> {
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
      notices: noticesOf(task),
      done_at: task.doneAt?.toISOString() ?? null,
      done_why: task.doneWhy,
    })
  })
}

function noticesOf({
  details: { count, lastAt = 0, newest = [] },
}: OperatorTask): OperatorTaskView['notices'] {
  if (count === undefined) return null
  return {
    count,
    last_at: new Date(lastAt).toISOString(),
    newest: newest.map((it) => ({
      charge_ref: it.chargeRef,
      payment_id: it.paymentId,
      at: new Date(it.at).toISOString(),
    })),
  }
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
